import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run restore -- --from FOLDER [--replace]

Puts a backup into an empty database (it is migrated first) and verifies every table by its hash. It restores all or
nothing: if it is interrupted, the database is unchanged. Stop the server first. At the end it verifies the audit chain.
Exit code 3: the chain is broken. Exit code 4: ENCRYPTION_KEYS lacks a key that the restored data needs.

  --replace   replaces all existing data. Still refuses if executed agreements that must be kept are not in the
              backup

Restore a backup with the release that made it: other migrations are refused. ENCRYPTION_KEYS must contain the keys that
were in use at the time of the backup.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/backup.js', ['restore', ...options], { migrate: 'always' })
}
