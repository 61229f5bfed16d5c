import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run backup -- --to FOLDER [--format custom|portable]

Writes a consistent copy of the whole database to a new folder that only its owner can read: every table with its hash,
the waiting jobs and a manifest. You can run it while the server is running. The folder gets its name only when it is
complete.

  custom     PostgreSQL's own format, by pg_dump. The default if pg_dump and pg_restore are on the PATH and new enough
  portable   compressed lines of JSON. Needs no program and restores to any PostgreSQL 15 or newer. The default otherwise

A backup does not contain ENCRYPTION_KEYS, which are needed to read encrypted data, so keep them elsewhere; bulk export
files, which expire after a day; and DATA_DIR/audit-heads, which must be kept apart from the database.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  // A backup before an upgrade is of the database as it is.
  return runTool('server/cli/backup.js', ['backup', ...options], { migrate: 'never' })
}
