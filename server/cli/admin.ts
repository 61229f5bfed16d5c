/** `sandpiper admin`, `npm run admin`. Exit codes, both without any change: 2 for wrong options or settings, 3 for a conflict. */

import { retryTransient } from '../store/retry.ts'
import { readAdminCommand, runAdminCommand } from './admin-command.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

runCommand(async () => {
  const command = readAdminCommand(process.argv.slice(2))
  // Each command is one transaction, so it can be repeated.
  const result = await withServices((services) => retryTransient(() => runAdminCommand(services, command)))
  process.stdout.write(`${result}\n`)
  return 0
})
