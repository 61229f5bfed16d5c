import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run seed -- [options]

Fills the database with synthetic practices and people. The same options make the same records, byte for byte.

  --seed NUMBER        other people for another number (42)
  --patients NUMBER    patients of each practice, pinned ones included (40)
  --as-of YYYY-MM-DD   reference date, after which nothing happens
  --practice SLUG      this practice only; may be given several times
  --if-empty           leave practices alone that are there already
`

/** @param {string[]} options */
export async function run(options) {
  const log = (/** @type {string} */ line) => console.log(line)
  await prepare({ build: true, log })
  const { migrateDatabase, openDatabase } = await import('../setup/database.mjs')
  const { runSeed } = await import('../setup/seed.mjs')
  const database = await openDatabase({ log })
  try {
    await migrateDatabase(database)
    runSeed(database.environment, options)
    return 0
  } finally {
    await database.stop()
  }
}
