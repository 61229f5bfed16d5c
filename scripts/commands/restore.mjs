import { builtCommand } from '../setup/built-command.mjs'

// The program itself migrates, when the options are right.
export const { help, run } = builtCommand('restore', { migrate: 'never' })
