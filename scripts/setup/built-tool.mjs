import { runBuilt } from '../../bin/run-built.mjs'
import { migrateDatabase, openDatabase } from './database.mjs'
import { ROOT } from './folders.mjs'

/**
 * Runs a built program on the database. The embedded one is migrated first; one of one's own is only checked, by the
 * program.
 * @param {string} file below `build`
 * @param {string[]} options
 * @param {{ migrate?: 'embedded' | 'never' }} how
 * @returns {Promise<number>} its exit code
 */
export async function runTool(file, options, { migrate = 'embedded' } = {}) {
  const database = await openDatabase({ log: (line) => console.error(line) })
  try {
    if (migrate === 'embedded' && database.embedded) await migrateDatabase(database)
    return await runBuilt(file, options, {
      environment: database.environment,
      folder: process.env.INIT_CWD ?? ROOT,
    })
  } finally {
    await database.stop()
  }
}
