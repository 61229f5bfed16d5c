import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'
import { prepare } from '../setup/prepare.mjs'
import { SetupError } from '../setup-error.mjs'

export const help = `
npm run db:migrate            apply pending migrations
npm run db:status             list the migrations and their state; exit code 1 if any is pending
npm run db:new -- add_birds   write the next migration: the difference between the migrations and schema.prisma

All commands use DATABASE_URL (as its owner: DATABASE_MIGRATION_URL), or the embedded database.
`

/** @param {string[]} options */
export async function run([command, ...options]) {
  const log = (/** @type {string} */ line) => console.log(line)
  await prepare({ build: true, log })
  if (command === 'migrate' || command === 'status') {
    const { runTool } = await import('../setup/built-tool.mjs')
    const first = command === 'status' ? ['--status'] : []
    return runTool('server/cli/migrate.js', [...first, ...options], { migrate: 'never' })
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
