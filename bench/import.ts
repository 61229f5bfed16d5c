/** `npm run bench -- import`: files as Synthea writes them into an empty practice, and once more. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPool } from '../server/store/pool.ts'
import { createStore } from '../server/store/store.ts'
import { type BenchDatabase, sizeOfPractice, withBenchDatabase } from './bench-database.ts'
import { writeSyntheaLike } from './synthea-like.ts'
import { judgeMemory, runTool } from './tool-run.ts'

const { values } = parseArgs({
  options: { megabytes: { type: 'string' }, full: { type: 'boolean', default: false } },
})
const megabytes = Number(values.megabytes ?? (values.full ? 2_000 : 100))

await withBenchDatabase(async (database) => {
  const folder = join(database.folder, 'input')
  const written = writeSyntheaLike(folder, megabytes)
  console.log(
    `${written.megabytes.toFixed(0)} MB, ${written.patients} patients, ${written.entries} entries, as Synthea writes them\n`,
  )
  const pool = createPool({ connectionString: database.ownerUrl, max: 2, statementTimeoutMs: 0 })
  const lines = join(database.folder, 'lines')
  for (const [name, input] of [
    ['Bundles', folder],
    ['Bundles once more', folder],
    ['NDJSON', lines],
  ] as const) {
    const practice = name === 'NDJSON' ? 'lines' : 'bundles'
    if (name !== 'Bundles once more') await createPractice(pool, practice)
    if (name === 'NDJSON') await exportTo(database, lines)
    await measure(database, pool, { name, practice, input })
  }
  await pool.end()
})

async function measure(
  { environment, folder }: BenchDatabase,
  pool: ReturnType<typeof createPool>,
  { name, practice, input }: { name: string; practice: string; input: string },
): Promise<void> {
  const options = ['--practice', practice, '--synthetic', '--rejects', join(folder, 'rejects.ndjson'), input]
  const { seconds, peakMegabytes, output } = await runTool('seed/import/cli.js', options, {
    environment,
    folder,
    codes: [0, 3],
  })
  const { resources } = await sizeOfPractice(pool, practice)
  const size = sizeOfFolder(input)
  console.log(output)
  console.log(
    `${name}: ${size.toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(size / seconds).toFixed(1)} MB/s, ` +
      `${Math.round(resources / seconds)} resources/s, memory ${judgeMemory(peakMegabytes)}\n`,
  )
}

async function createPractice(pool: ReturnType<typeof createPool>, slug: string): Promise<void> {
  const { datasets } = createStore({ pool, clock: () => new Date() })
  const datasetId = await datasets.create({ name: slug, kind: 'practice', source: 'bench' })
  await datasets.markReady(datasetId)
  await pool.query(
    `INSERT INTO portal.practice
       (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
     VALUES (gen_random_uuid(), $1, $1, 'sandbox', true, false, 'office', $2, now())`,
    [slug, datasetId],
  )
}

/** The first practice as NDJSON, one file a type. */
async function exportTo({ environment, folder }: BenchDatabase, out: string): Promise<void> {
  const options = ['--practice', 'bundles', '--out', out]
  const { seconds, peakMegabytes } = await runTool('seed/export/cli.js', options, { environment, folder })
  const size = sizeOfFolder(out)
  console.log(
    `Export: ${size.toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(size / seconds).toFixed(1)} MB/s, ` +
      `memory ${judgeMemory(peakMegabytes)}\n`,
  )
}

/** In MB. */
function sizeOfFolder(folder: string): number {
  const names = readdirSync(folder)
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1_000_000
}
