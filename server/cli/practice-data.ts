/** `sandpiper practice-data`, `npm run db:snapshot`, `db:restore`, `db:reset`. */
import { readCommand, runCommand as runPracticeData } from './practice-data-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

/** Progress is only for a terminal; a pipe or a log file gets the result alone. */
function showProgress({ finished, of }: { finished: number; of: number }): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2KCopying, ${finished} of ${of} tables`)
}

runCommand(async () => {
  const command = readCommand(process.argv.slice(2))
  const summary = await withServices((services) => runPracticeData(services, command, showProgress))
  process.stdout.write(`${process.stderr.isTTY ? '\r\x1b[2K' : ''}${summary}\n`)
  return 0
})
