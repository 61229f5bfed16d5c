import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run export-practice -- --practice SLUG --out FOLDER

Writes every resource of a practice, one NDJSON file per type, and its documents' bytes. npm run import can read
them.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('seed/export/cli.js', options)
}
