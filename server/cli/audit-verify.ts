/** `npm run audit:verify` and `npm run audit:accept`. */
import { parseArgs } from 'node:util'
import { describeVerdict } from '../audit/describe-verdict.ts'
import { describeStartFault } from '../start/start-fault.ts'
import { withServices } from './with-services.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function verify(): Promise<void> {
  const verdict = await withServices(({ sealer }) => sealer.verify(), { keyring: 'unproven' })
  for (const line of describeVerdict(verdict)) say(line)
  if (!verdict.intact) process.exitCode = 1
}

async function accept(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { reason: { type: 'string' } } })
  const reason = values.reason?.trim() ?? ''
  if (reason.length < 10 || reason.length > 500)
    throw new Error('Give --reason "…" in 10 to 500 characters: npm run audit:accept -- --help')
  const loss = await withServices(({ sealer }) => sealer.accept(reason))
  if (!loss) {
    say('Nothing to accept: every head folder agrees with the database.')
    return
  }
  say('Recorded as audit.heads_accepted in the audit chain:')
  say(JSON.stringify(loss.detail, null, 2))
  await verify()
}

const [command, ...args] = process.argv.slice(2)
const work = command === 'accept' ? accept(args) : verify()
work.catch((error: unknown) => {
  process.stderr.write(
    `${describeStartFault(error) ?? (error instanceof Error ? error.message : String(error))}\n`,
  )
  process.exitCode = 1
})
