import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run restore -- --from FOLDER [--replace]

Puts a backup into an empty database (it is migrated first) and proves every table by its hash. All of it or nothing:
interrupted, the database is as it was. Stop the server before. At the end the audit chain is computed anew; exit code 3
when it does not hold, 4 when ENCRYPTION_KEYS lacks a key that the restored data needs.

  --replace   in place of everything that is there. Executed agreements that must still be kept, and are not in the
              backup, are a reason to refuse all the same

A backup fits the release that made it: one with other migrations is refused. ENCRYPTION_KEYS must hold the keys of the
time of the backup.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/backup.js', ['restore', ...options], { migrate: 'always' })
}
