import { parseArgs } from 'node:util'
import { SetupError } from '../setup-error.mjs'

/**
 * @param {string[]} args of npm start and npm run dev
 * @returns {{ migrate: boolean, seed: boolean, empty: boolean }}
 */
export function readStartOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: { migrate: { type: 'boolean' }, seed: { type: 'boolean' }, empty: { type: 'boolean' } },
    })
    return { migrate: values.migrate ?? false, seed: values.seed ?? false, empty: values.empty ?? false }
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error}. See npm start -- --help.`)
  }
}
