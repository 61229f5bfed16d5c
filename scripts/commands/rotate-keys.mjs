import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run rotate-keys

Changes the key that signs id_tokens: the next key, which is published already, signs from now on; the present one
retires and stays published for a day; a new next key is made. Keys sealed under an older key of ENCRYPTION_KEYS are
sealed anew. Safe beside a running server, which follows within a minute.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, log: (line) => console.error(line) })
  const { runTool } = await import('../setup/built-tool.mjs')
  return runTool('server/rotate-keys.js', options)
}
