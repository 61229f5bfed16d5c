import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'
import { prepare } from '../setup/prepare.mjs'
import { SetupError } from '../setup-error.mjs'

export const help = `
npm run db:migrate            apply pending migrations
npm run db:status             list the migrations and their state; exit code 1 if any is pending
npm run db:reindex            reindex now what another release wrote; the worker does the same in the background
npm run db:new -- add_birds   write the next migration: the difference between the migrations and schema.prisma

npm run db:snapshot -- --practice SLUG   save the practice's current data, replacing an earlier snapshot
npm run db:restore -- --practice SLUG    restore the snapshot; it is kept
npm run db:reset -- --practice SLUG      reset an organization's sandbox to the template's people

You can run the last three while the server is running: the change is atomic, the server deletes the old data in the
background, and after a restore or reset every resource counts as changed.

All commands use DATABASE_URL (as its owner: DATABASE_MIGRATION_URL), or the embedded database.
`

const PRACTICE_COMMANDS = ['snapshot', 'restore', 'reset']

/** @param {string[]} options */
export async function run([command, ...options]) {
  const log = (/** @type {string} */ line) => console.log(line)
  await prepare({ build: true, log })
  if (command && PRACTICE_COMMANDS.includes(command)) {
    const { runTool } = await import('../setup/built-tool.mjs')
    return runTool('server/cli/practice-data.js', [command, ...options])
  }
  const { built, migrateDatabase, openDatabase } = await import('../setup/database.mjs')
  const database = await openDatabase({ log })
  try {
    if (command === 'migrate') {
      const applied = await migrateDatabase(database)
      log(applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'no pending migrations')
      return 0
    }
    if (command === 'status') {
      const { migrationStatus } = await built('server/store/migrations.js')
      /** @type {{ name: string, state: string }[]} */
      const states = await migrationStatus({ ownerUrl: (await database.owner()).ownerUrl })
      for (const { name, state } of states) log(`${state.padEnd(8)} ${name}`)
      return states.every(({ state }) => state === 'applied') ? 0 : 1
    }
    if (command === 'new') {
      const { writeMigration } = await import('../prisma/write-migration.mjs')
      const folder = await writeMigration(options[0] ?? '', (await database.owner()).adminUrl)
      log(
        folder
          ? `wrote ${path.relative(ROOT, folder)}/migration.sql; read it before you commit it`
          : 'no difference',
      )
      return 0
    }
    if (command === 'reindex') {
      const { renewed, refused } = await reindex(
        built,
        database.environment.DATABASE_URL ?? (await database.owner()).ownerUrl,
        log,
      )
      if (renewed > 0) log(`renewed ${renewed} resources`)
      if (refused.length === 0 && renewed === 0) log('every search row is up to date')
      if (refused.length > 0)
        log(
          `${refused.length} resources cannot be indexed by this release: ${refused.slice(0, 20).join(', ')}`,
        )
      return refused.length === 0 ? 0 : 1
    }
    throw new SetupError(`unknown command db ${command ?? ''}; try --help`)
  } finally {
    await database.stop()
  }
}

/**
 * May be killed and started again, and run beside the server.
 * @param {(file: string) => Promise<any>} built
 * @param {string} connectionString
 * @param {(line: string) => void} log
 * @returns {Promise<{ renewed: number, refused: string[] }>}
 */
async function reindex(built, connectionString, log) {
  const { createPool } = await built('server/store/pool.js')
  const { createStore } = await built('server/store/store.js')
  const pool = createPool({
    connectionString,
    max: 3,
    statementTimeoutMs: 0,
    applicationName: 'sandpiper reindex',
  })
  let next = 10_000
  try {
    return await createStore({ pool, clock: () => new Date() }).reindex({
      onProgress: (/** @type {number} */ resources) => {
        if (resources < next) return
        log(`${resources} resources …`)
        next = resources + 10_000
      },
    })
  } finally {
    await pool.end()
  }
}
