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

const MIGRATE = 'server/cli/migrate.js'
const PRACTICE_DATA = 'server/cli/practice-data.js'

/**
 * The built program of each command, and what stands before its options.
 * @type {Record<string, string[]>}
 */
const PROGRAMS = {
  migrate: [MIGRATE],
  status: [MIGRATE, '--status'],
  reindex: [MIGRATE, 'reindex'],
  snapshot: [PRACTICE_DATA, 'snapshot'],
  restore: [PRACTICE_DATA, 'restore'],
  reset: [PRACTICE_DATA, 'reset'],
}

/** @param {string[]} options */
export async function run([command, ...options]) {
  const log = (/** @type {string} */ line) => console.log(line)
  await prepare({ build: true, log })
  if (command && Object.hasOwn(PROGRAMS, command)) {
    const { runTool } = await import('../setup/built-tool.mjs')
    const [file = '', ...first] = PROGRAMS[command] ?? []
    return runTool(file, [...first, ...options], { migrate: file === MIGRATE ? 'never' : 'embedded' })
  }
  if (command !== 'new') throw new SetupError(`unknown command db ${command ?? ''}; try --help`)
  const { openDatabase } = await import('../setup/database.mjs')
  const database = await openDatabase({ log })
  try {
    const { writeMigration } = await import('../prisma/write-migration.mjs')
    const folder = await writeMigration(options[0] ?? '', (await database.owner()).adminUrl)
    log(
      folder
        ? `wrote ${path.relative(ROOT, folder)}/migration.sql; read it before you commit it`
        : 'no difference',
    )
    return 0
  } finally {
    await database.stop()
  }
}
