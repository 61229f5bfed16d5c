import { spawn } from 'node:child_process'
import { ROOT } from '../setup/folders.mjs'
import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run bench -- [options]

Measures the built server on a seeded database of its own against a bare node:http server, by turns: requests a
second, response times, CPU per request of the client, of Node and of PostgreSQL, and the ratio of the last two to the
bare server. Trust the CPU figures and the ratios; everything else depends on the machine.

  --rounds 7         how often each row is measured, each time after a round of the bare server
  --seconds 1        how long one round lasts
  --only FHIR        rows whose name contains this; web: pages in a browser; floods: FHIR reads beside floods of pages,
                     CCDs and sign-ins
  --save FILE        keeps the run as JSON, with the machine it ran on
  --against FILE     compares it with a run that was kept, and says which figures moved beyond noise: their rounds stand
                     so far apart as the same code would put them once in a hundred times, and their medians by three
                     percent or more
  --results          runs export, import and growth as well, about ten minutes in all, and writes bench/RESULTS.md

npm run bench -- store --patients 200

Measures the store itself: loading against a plain COPY of the same rows, copying,
snapshot, restore and reset, deleting, indexing.

npm run bench -- seed
npm run bench -- seed --full

Measures practices of 100, 1,000 and (--full) 20,000 patients: rates and memory, which may not pass 300 MB.

npm run bench -- import --megabytes 100
npm run bench -- import --full

Measures an import of files as Synthea writes them, of 100 or 2,000 MB: rate and memory. --kill: it is killed when
half of it is stored, and run again. --copy: imports of 20 MB and plain COPYs of the same rows, by turns.

npm run bench -- export --resources 100000
npm run bench -- export --full

Measures an export against a COPY of the same rows to a file, with gzip off and on, and its memory, and the 95th
percentile of FHIR reads beside exports against that without; --full: a million resources.

npm run bench -- search --patients 100000

Measures one page of the patient list in a large practice, in milliseconds.

npm run bench -- smart

Measures what authentication costs: a remembered access token, the statement that asks whether it is still good, a
sign-in against its one argon2id, a signed assertion for a token.

npm run bench -- growth
npm run bench -- growth --full

Measures what requests cost while a practice grows from 1,000 to 100,000 resources, with --full to 1,000,000 (about 3 GB
of disk), and while one practice becomes 1,000; on a warm cache, and cold after a restart of the database.

npm run bench -- ccd --observations 1000,10000

Measures the CCD of charts that grow: milliseconds beside reading and parsing the same chart, and memory.
`

/** Programs of their own; anything else is an option of the first. */
const parts = ['store', 'search', 'import', 'seed', 'smart', 'growth', 'export', 'ccd']

/** @param {string[]} options */
export async function run(options) {
  await prepare({ build: true, install: true, development: true, log: (line) => console.log(line) })
  const [first = '', ...others] = options
  const [program, ...rest] = parts.includes(first)
    ? [`bench/${first}.ts`, ...others]
    : ['bench/run.ts', ...options]
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', program, ...rest], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  // It stops and cleans up first: Ctrl-C reaches it as well, SIGTERM only us.
  process.on('SIGINT', () => {}).on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
