/** `sandpiper admin`, `npm run admin`. Exit code 2: wrong options or settings. 3: something is taken. Nothing is changed then. */

import { retryTransient } from '../store/retry.ts'
import { readAdminCommand, runAdminCommand } from './admin-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

runCommand(async () => {
  const command = readAdminCommand(process.argv.slice(2))
  // Each is one transaction.
  const result = await withServices((services) => retryTransient(() => runAdminCommand(services, command)))
  process.stdout.write(`${result}\n`)
  return 0
})
