import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run import -- --practice SLUG --synthetic PATH…

Loads R4 resources into a practice: NDJSON or Bundles, as Synthea or another server's bulk export writes them.
Everything is checked before the first resource is stored. If it is interrupted, run it again: it continues with
what is missing. Importing the same files twice changes nothing. Exit code 3: some lines were invalid.

  --synthetic      confirms that the files contain no real records; required for production practices
  --strict         stops at the first invalid line and stores nothing
  --rejects FILE   where invalid lines are listed with file, line and reason (import-rejects.ndjson)
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('seed/import/cli.js', options)
}
