import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run audit:verify

Checks every sealed audit row of the portal, every signed head, and what the head folders hold. Prints up to which row
the chain is proven. Code 1, with the row and the reason, when a row was changed, removed or moved, when a head is missing
or unknown, or when rows of more than five minutes ago are not sealed or covered by a head. Needs the keys of
ENCRYPTION_KEYS that rows and heads were signed with. Safe beside a running server.

After the restore of an older backup: npm run audit:accept -- --help
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/audit-verify.js', options)
}
