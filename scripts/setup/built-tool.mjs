import { spawn } from 'node:child_process'
import path from 'node:path'
import { migrateDatabase, openDatabase } from './database.mjs'
import { FLAT_MEMORY } from './flat-memory.mjs'
import { ROOT } from './folders.mjs'

/**
 * Runs a built program on the database. The embedded one is migrated first; one of one's own is only checked, by the
 * program, unless `migrate` says otherwise.
 * @param {string} file below `build`
 * @param {string[]} options
 * @param {{ migrate?: 'embedded' | 'always' | 'never' }} how
 * @returns {Promise<number>} its exit code
 */
export async function runTool(file, options, { migrate = 'embedded' } = {}) {
  const database = await openDatabase({ log: (line) => console.error(line) })
  try {
    if (migrate === 'always' || (migrate === 'embedded' && database.embedded)) await migrateDatabase(database)
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', ...FLAT_MEMORY.flags, path.join(ROOT, 'build', file), ...options],
      {
        cwd: process.env.INIT_CWD ?? ROOT,
        env: { ...process.env, ...FLAT_MEMORY.environment, ...database.environment },
        stdio: 'inherit',
      },
    )
    return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  } finally {
    await database.stop()
  }
}
