import { commands } from '../../bin/commands.mjs'
import { helpOf } from '../../bin/help.mjs'
import { prepare } from './prepare.mjs'

/**
 * A command of an installation (bin/commands.mjs) as an npm script: built first, and on the embedded database unless
 * there is another.
 * @param {import('../../bin/commands.mjs').CommandName} name
 */
export function builtCommand(name) {
  const command = commands[name]
  return {
    help: helpOf(name, 'npm'),
    /** @param {string[]} options */
    async run(options) {
      await prepare({ build: true, log: (line) => console.error(line) })
      const { runTool } = await import('./built-tool.mjs')
      return runTool(command.file, [...(command.first ?? []), ...options])
    },
  }
}
