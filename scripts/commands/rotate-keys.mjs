import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run rotate-keys

Rotates the key that signs id_tokens: the next key, which is already published, signs from now on; the current one
retires and stays published for a day; a new next key is created. You can run it while the server is running; the server
picks up the change within a minute. The next key must have been published for a day, because apps may cache the key set.

To change ENCRYPTION_KEYS: put the new key in front of the old one, restart every server, then run this command. It
re-encrypts signing keys and staff authenticator secrets with the new key. App secrets are rehashed when each is next
used, and links in emails are erased when the email is sent. The command lists what still needs an older key and forgets
keys that nothing needs. Run it again until it says that you can remove the older key: the server refuses to start
without a key that it still needs.
Rows of the audit chain stay signed with their original key, because signing them again would rewrite the evidence. Keep
that key for as long as the chain must be verifiable.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/cli/rotate-keys.js', options)
}
