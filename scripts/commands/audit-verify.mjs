import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run audit:verify

Computes the hash of every sealed audit row of the portal anew and holds the daily heads in DATA_DIR/audit-heads against
the chain. Code 1, with the number of the row, when a row was changed, removed or moved. Safe beside a running server.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/audit-verify.js', options)
}
