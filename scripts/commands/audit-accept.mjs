import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run audit:accept -- --reason "restored the backup of 20 November after a disk failure"

Use it when audit:verify reports heads that the database does not know, or heads missing from a head folder. Both are
expected after you restore an older backup. Records what is missing and the reason in the audit chain, signs a new head
after the lost ones, and completes the head folders. The lost heads stay in their files as evidence. It does not repair a
changed row.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/audit-verify.js', ['accept', ...options])
}
