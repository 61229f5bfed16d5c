import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run audit:accept -- --reason "restored the backup of 20 November after a disk failure"

For when audit:verify reports heads that the database does not know, or a head folder that lacks heads. After the restore
of an older backup both are true and honest. Records what is missing and the reason in the audit chain, signs a head that
goes on behind the lost ones, and writes to the head folders what they lack. The lost heads stay in their files as
evidence. Does not mend a changed row.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/audit-verify.js', ['accept', ...options])
}
