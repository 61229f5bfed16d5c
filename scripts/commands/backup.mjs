import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run backup -- --to FOLDER [--format custom|portable]

Writes the whole database as it is at one moment into a new folder, for its owner alone: every table with its hash, the
jobs that wait, and a manifest. Safe beside a running server. Nothing stands under the folder's name before it is whole.

  custom     PostgreSQL's own format, by pg_dump. Taken when pg_dump and pg_restore are on the PATH and new enough
  portable   compressed lines of JSON. Needs no program, goes to any PostgreSQL 15 or newer. Taken otherwise

Not in it: ENCRYPTION_KEYS, without which what is sealed stays shut, so keep the keys elsewhere; files of bulk exports,
which live a day; DATA_DIR/audit-heads, which are there to be kept apart from the database.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  // A backup before an upgrade is of the database as it is.
  return runTool('server/cli/backup.js', ['backup', ...options], { migrate: 'never' })
}
