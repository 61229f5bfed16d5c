/** `npm run db:snapshot`, `db:restore`, `db:reset`. */
import { isProblem } from '../contract/http/problems.ts'
import { describeStartFault } from '../start/start-fault.ts'
import { readCommand, runCommand, UsageError } from './practice-data-command.ts'
import { withServices } from './with-services.ts'

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2))
  const line = await withServices((services) => runCommand(services, command, showProgress))
  process.stdout.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}${line}\n`)
}

/** For people; quiet when the output is not a terminal. */
function showProgress({ finished, of }: { finished: number; of: number }): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2KCopying, ${finished} of ${of} tables`)
}

main().catch((error: unknown) => {
  const isKnown =
    error instanceof UsageError ||
    isProblem(error) ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  const text = describeStartFault(error) ?? (isKnown ? error.message : null)
  process.stderr.write(`${text ?? (error instanceof Error ? error.stack : String(error))}\n`)
  process.exitCode = text === null ? 1 : 2
})
