import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run seed -- [options]

Fills the database with synthetic practices and people. The same options make the same records, byte for byte.

  --seed NUMBER        other people for another number (42)
  --patients NUMBER    patients of each practice, pinned ones included (40)
  --as-of YYYY-MM-DD   reference date, after which nothing happens (2026-11-15)
  --practice SLUG      this practice only; may be given several times
  --jobs NUMBER        threads that make the records (1); the records are the same for any number
  --out DIR            NDJSON files of one practice instead of the database; needs --practice
  --if-empty           leave practices alone that are there already
  --anew               make them again, whatever was written to them since
  --no-history         make no month of made-up history for the demonstration, now or later

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
