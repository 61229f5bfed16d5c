import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run rotate-keys

Changes the key that signs id_tokens: the next key, which is published already, signs from now on; the present one
retires and stays published for a day; a new next key is made. Safe beside a running server, which follows within a
minute.

To change ENCRYPTION_KEYS: put the new key in front of the old one, restart every server, run this. Signing keys and the
second steps of staff are then sealed under the new key. Secrets of apps are hashed anew when each is next used, links
in mails that wait are not: keep the old key until this command counts no secrets, and a week longer.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/rotate-keys.js', options)
}
