import { helpOf } from '../../bin/help.mjs'
import { prepare } from '../setup/prepare.mjs'

export const help = helpOf('seed', 'npm')

/** @param {string[]} options */
export async function run(options) {
  const log = (/** @type {string} */ line) => console.log(line)
  await prepare({ build: true, install: true, log })
  const { migrateDatabase, openDatabase, runSeed } = await import('../setup/database.mjs')
  const database = await openDatabase({ log })
  try {
    if (database.embedded) await migrateDatabase(database)
    await runSeed(database.environment, options)
    return 0
  } finally {
    await database.stop()
  }
}
