import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run test:long [-- path]

What is too slow for npm test: kill loops, bursts against two processes. Run it before work is called done.
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, install: true, development: true, log: (line) => console.log(line) })
  const { runStage } = await import('../stages/stage.mjs')
  const { ok } = await runStage('long tests', ['vitest/vitest.mjs', 'run', '--project=long', ...options], {
    environment: { NODE_ENV: 'test' },
    live: true,
  })
  return ok ? 0 : 1
}
