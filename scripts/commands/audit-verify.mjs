import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run audit:verify

Checks every sealed audit row of the portal, every signed head and the head folders. Prints the last row up to which the
chain is proven. Exits with code 1, the row and the reason if a row was changed, removed or moved, if a head is missing or
unknown, or if rows older than five minutes are not sealed or not covered by a head. Needs the keys in ENCRYPTION_KEYS
that signed the rows and heads. You can run it while the server is running.

After restoring an older backup: npm run audit:accept -- --help
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/audit-verify.js', options)
}
