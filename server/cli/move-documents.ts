/** `sandpiper move-documents`: moves document contents to object storage, or back to the database. */
import { describeContents, moveDocuments, readCommand } from './move-documents-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

runCommand(async () => {
  const command = readCommand(process.argv.slice(2))
  const { isTTY } = process.stderr
  const { lines, exitCode } = await withServices(
    (services) =>
      moveDocuments(services, command, (moved) => {
        if (isTTY) process.stderr.write(`\r\x1b[2Kmoved ${describeContents(moved)}`)
      }),
    { keyring: 'unproven' },
  ).finally(() => {
    if (isTTY) process.stderr.write('\r\x1b[2K')
  })
  process.stdout.write(`${lines.join('\n')}\n`)
  return exitCode
})
