import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run seed -- [options]

Fills the database with synthetic people and practices; the same seed makes the same people.

  --seed 42          another number, other people
  --patients 40      patients of each practice
  --if-empty         do nothing when the database has practices already
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
