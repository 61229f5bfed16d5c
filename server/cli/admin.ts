/** `sandpiper admin`, `npm run admin`. Exit code 2: wrong options or settings. 3: something is taken. Nothing is changed then. */
import { readAdminCommand, runAdminCommand } from './admin-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

runCommand(async () => {
  const command = readAdminCommand(process.argv.slice(2))
  process.stdout.write(`${await withServices((services) => runAdminCommand(services, command))}\n`)
  return 0
})
