import { builtCommand } from '../setup/built-command.mjs'

// A backup before an upgrade is of the database as it is.
export const { help, run } = builtCommand('backup', { migrate: 'never' })
