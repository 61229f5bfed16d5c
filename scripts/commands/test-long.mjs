import { prepare } from '../setup/prepare.mjs'
import { asOrdinaryUser } from './ci.mjs'

export const help = `
npm run test:long [-- path]

Runs the tests that are too slow for npm test: kill loops, load on two processes, every page with axe, and every
journey with the keyboard alone. Run it before you close an issue.

  npm run test:long -- --pages [part of "role address"]      only the pages, such as "reviewer /staff/incidents"
  npm run test:long -- --docs [part of an address]           only the documentation: bytes, paint on a slow line
  npm run test:long -- --all                                 only the unit tests and promises, with every case of their lists
  npm run test:long -- --journeys [file of tests/journeys]   only the journeys, with those that npm test leaves out
  npm run test:long -- --keyboard [file of tests/journeys]   only the journeys with the keyboard
  npm run test:long -- --user                                as root: only the tests of files and processes, as an ordinary user
`

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, install: true, development: true, log: (line) => console.log(line) })
  const { runStage } = await import('../stages/stage.mjs')
  /** @type {Record<string, (...chosen: string[]) => Promise<{ ok: boolean }>>} */
  const parts = {
    '--pages': (only = '') =>
      runJourneys('every page', { SWEEP: 'whole', SWEEP_ONLY: only }, ['demonstration.spec.ts', '-g', 'axe']),
    '--docs': (only = '') =>
      runJourneys('the documentation', { SWEEP: 'whole', SWEEP_ONLY: only }, [
        'docs-pages.spec.ts',
        '-g',
        'every page',
      ]),
    '--journeys': (...files) =>
      runJourneys('every journey', { SWEEP: 'whole' }, [...files, '--grep-invert', 'axe|every page of the']),
    '--all': () =>
      runStage('unit tests and promises, whole', ['vitest/vitest.mjs', 'run', '--project=all'], {
        environment: { NODE_ENV: 'test', SWEEP: 'whole' },
        live: true,
      }),
    '--keyboard': (...files) => runJourneys('journeys without a mouse', { KEYBOARD_ONLY: '1' }, files),
    '--user': async () => ({ ok: process.getuid?.() !== 0 || (await asOrdinaryUser(true)) }),
  }
  const [name = '', ...chosen] = options
  const part = parts[name]
  if (part) return (await part(...chosen)).ok ? 0 : 1
  const vitest = await runStage('long tests', ['vitest/vitest.mjs', 'run', '--project=long', ...options], {
    environment: { NODE_ENV: 'test' },
    live: true,
  })
  /** @type {{ ok: boolean }[]} */
  const results = [vitest]
  // A path names tests of the first kind.
  if (options.length === 0) for (const run of Object.values(parts)) results.push(await run())
  return results.every(({ ok }) => ok) ? 0 : 1

  /**
   * @param {string} name
   * @param {Record<string, string>} environment
   * @param {string[]} files
   */
  function runJourneys(name, environment, files) {
    return runStage(name, ['@playwright/test/cli.js', 'test', ...files], {
      environment: { NODE_ENV: 'test', ...environment },
      live: true,
    })
  }
}
