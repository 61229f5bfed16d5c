import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run seed -- [options]

Fills the database with synthetic practices and people. The same options create the same records, byte for byte.

  --seed NUMBER        different people for a different number (42)
  --patients NUMBER    patients per practice, including the pinned ones (40)
  --as-of YYYY-MM-DD   reference date; no record is later (2026-11-15)
  --practice SLUG      this practice only; can be repeated
  --jobs NUMBER        threads (1); the records are the same for any number
  --out DIR            writes one practice to NDJSON files instead of the database; needs --practice
  --if-empty           skip existing practices
  --anew               recreate them and discard later changes
  --no-history         create no sample history for the demonstration, now or later

Practices: sandbox-template, sandpiper-demonstration, harbor-family, juniper-point, cedar-hollow, old-quay, canary
`

/** @param {string[]} options */
export async function run(options) {
  const log = (/** @type {string} */ line) => console.log(line)
  await prepare({ build: true, install: true, log })
  const { runSeed } = await import('../setup/seed.mjs')
  // Files need no database.
  if (options.some((option) => option === '--out' || option.startsWith('--out='))) {
    runSeed({}, options, process.env.INIT_CWD)
    return 0
  }
  const { migrateDatabase, openDatabase } = await import('../setup/database.mjs')
  const database = await openDatabase({ log })
  try {
    if (database.embedded) await migrateDatabase(database)
    runSeed(database.environment, options)
    return 0
  } finally {
    await database.stop()
  }
}
