/** `sandpiper audit-verify` and `audit-accept`, `npm run audit:verify` and `audit:accept`. */
import { parseArgs } from 'node:util'
import { describeAccess, describeVerdict } from '../audit/verify-chain.ts'
import { runCommand, UsageError } from './run-command.ts'
import { withServices } from './with-services.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function verify(): Promise<number> {
  const [verdict, access] = await withServices(
    async ({ sealer, accessSeal }) => [await sealer.verify(), await accessSeal.verifyAccess()] as const,
    { keyring: 'unproven' },
  )
  for (const line of [...describeVerdict(verdict), describeAccess(access)]) say(line)
  return verdict.intact && access.intact ? 0 : 1
}

async function accept(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { reason: { type: 'string' } } })
  const reason = values.reason?.trim() ?? ''
  if (reason.length < 10 || reason.length > 500)
    throw new UsageError('Give --reason "…" in 10 to 500 characters; see --help')
  const loss = await withServices(({ sealer }) => sealer.accept(reason))
  if (!loss) {
    say('Nothing to accept: every head folder agrees with the database.')
    return 0
  }
  say('Recorded as audit.heads_accepted in the audit chain:')
  say(JSON.stringify(loss.detail, null, 2))
  return verify()
}

runCommand(() => {
  const [step, ...args] = process.argv.slice(2)
  if (step === 'accept') return accept(args)
  parseArgs({ args, options: {} })
  return verify()
})
