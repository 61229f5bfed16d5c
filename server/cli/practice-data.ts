/** `sandpiper practice-data`, `npm run db:snapshot`, `db:restore`, `db:reset`. */
import { readCommand, runCommand as runStep } from './practice-data-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

/** For people; quiet when the output is not a terminal. */
function showProgress({ finished, of }: { finished: number; of: number }): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2KCopying, ${finished} of ${of} tables`)
}

runCommand(async () => {
  const command = readCommand(process.argv.slice(2))
  const line = await withServices((services) => runStep(services, command, showProgress))
  process.stdout.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}${line}\n`)
  return 0
})
