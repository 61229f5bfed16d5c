/** `npm run bench -- seed`: generating practices into the database: rate and memory by number of patients. */
import { parseArgs } from 'node:util'
import { createPool } from '../server/store/pool.ts'
import { sizeOfPractice, withBenchDatabase } from './bench-database.ts'
import { judgeMemory, runTool } from './tool-run.ts'

const { values } = parseArgs({ options: { full: { type: 'boolean', default: false } } })

/** A practice each, so that no run has to remove what another made. */
const sizes = [
  ['harbor-family', 100],
  ['cedar-hollow', 1_000],
  ['old-quay', 20_000],
] as const

await withBenchDatabase(async ({ ownerUrl, environment, folder }) => {
  const pool = createPool({ connectionString: ownerUrl, max: 2, statementTimeoutMs: 0 })
  const print = (cells: readonly string[]) => console.log(cells.map((cell) => cell.padStart(14)).join(''))
  print(['patients', 'seconds', 'patients/s', 'resources/s', 'MB/s', 'memory'])
  for (const [practice, patients] of sizes.slice(0, values.full ? 3 : 2)) {
    const options = ['--practice', practice, '--patients', String(patients)]
    const { seconds, peakMegabytes } = await runTool('seed/cli.js', options, { environment, folder })
    const { resources, megabytes } = await sizeOfPractice(pool, practice)
    print([
      patients.toLocaleString('en-US'),
      seconds.toFixed(1),
      (patients / seconds).toFixed(1),
      (resources / seconds).toFixed(0),
      (megabytes / seconds).toFixed(1),
      judgeMemory(peakMegabytes),
    ])
  }
  await pool.end()
})
