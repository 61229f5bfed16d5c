import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run import -- --practice SLUG --synthetic PATH…

Loads R4 resources into a practice: NDJSON or Bundles, as Synthea or another server's bulk export writes them.
Everything is checked before the first resource is stored. Interrupted and run again, it goes on with what is missing;
the same files once more change nothing. Exit code 3 when some lines were bad.

  --synthetic      the files hold nobody's real record; production practices ask for this word
  --strict         the first bad line ends the import with nothing stored
  --rejects FILE   where bad lines are written, with file, line and reason (import-rejects.ndjson)
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('seed/import/cli.js', options)
}
