/** `npm run admin`. Exit code 2: wrong options or settings. 3: something is taken. Nothing is changed then. */

import { isProblem } from '../contract/http/problems.ts'
import { EnvironmentError } from '../env.ts'
import { KeyringError } from '../keyring.ts'
import { MigrationError } from '../store/migrations.ts'
import { DatabaseRoleError } from '../store/roles.ts'
import { DatabaseSettingsError } from '../store/session-settings.ts'
import { readAdminCommand, runAdminCommand } from './admin-command.ts'
import { UsageError } from './practice-data-command.ts'
import { withServices } from './with-services.ts'

async function main(): Promise<void> {
  const command = readAdminCommand(process.argv.slice(2))
  process.stdout.write(`${await withServices((services) => runAdminCommand(services, command))}\n`)
}

main().catch((error: unknown) => {
  const isUsage =
    error instanceof UsageError ||
    error instanceof EnvironmentError ||
    error instanceof KeyringError ||
    error instanceof DatabaseRoleError ||
    error instanceof DatabaseSettingsError ||
    error instanceof MigrationError ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  const isKnown = isUsage || isProblem(error)
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = isUsage ? 2 : isKnown ? 3 : 1
})
