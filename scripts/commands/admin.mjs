import { builtCommand } from '../setup/built-command.mjs'

export const { help, run } = builtCommand('admin')
