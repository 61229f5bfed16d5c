import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run test:long [-- path]

Runs the tests that are too slow for npm test: kill loops and load on two processes. Run it before you close an issue.
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
