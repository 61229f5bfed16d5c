import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run rotate-keys

Changes the key that signs id_tokens: the next key, which is published already, signs from now on; the present one
retires and stays published for a day; a new next key is made. Safe beside a running server, which follows within a
minute. Not before the next key was published for a day: apps that keep a copy of the key set would not know it.

To change ENCRYPTION_KEYS: put the new key in front of the old one, restart every server, run this. Signing keys and the
second steps of staff are then sealed under the new key. App secrets are hashed again when each is next used, and links
in emails are erased when the email leaves. This command says what still needs an older key, and forgets a key that
nothing needs. Run it again until it says that the older key may be removed: the server refuses to start without a key
that it still needs.
Rows of the audit chain stay signed with the key of their day, because signing them again would be rewriting the
evidence: their key stays for as long as the chain is to be checked.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/rotate-keys.js', options)
}
