import { prepare } from '../setup/prepare.mjs'

export const help = `
npm test

Runs checks, build, unit tests, promises (the whole server, through its public interfaces) and journeys (a real
browser), without what npm run test:long adds. The last line is "N passed, N failed".

  DATABASE_URL=…     test on that PostgreSQL (15 or newer; its user must be allowed to create databases)
  CHROMIUM_PATH=…    run the journeys in that browser

  npm test -- --unit     only the unit tests
  npm test -- --machine  only the tests of files, processes and ports

One part:    npx vitest run server/limits   ·   npx playwright test   ·   npm run check
Long tests:  npm run test:long
`

/** @param {string[]} options */
export async function run(options) {
  const begin = Date.now()
  /** @type {'unit' | 'machine' | null} */
  const part = options.includes('--machine') ? 'machine' : options.includes('--unit') ? 'unit' : null
  await prepare({ build: false, install: true, development: true, log: (line) => console.log(line) })
  const { runChecks } = await import('../stages/check.mjs')
  const { runWork } = await import('../stages/stage.mjs')
  const { runJourneys, runVitest } = await import('../stages/tests.mjs')
  const { checkInstallation } = await import('../stages/installation.mjs')

  const untouched = checkInstallation()
  const steps = part
    ? []
    : await runChecks([() => runWork('build', () => prepare({ build: true, log: () => {} }))])
  const counts = part ? [await runVitest(part)] : [await runVitest(), await runJourneys()]
  counts.push(await untouched())

  const failedSteps = steps.filter(({ ok }) => !ok).length
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, failedSteps)
  console.log(`  ${'all'.padEnd(28)} ${((Date.now() - begin) / 1000).toFixed(1).padStart(6)} s`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
