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
  options: {
    megabytes: { type: 'string' },
    full: { type: 'boolean', default: false },
    kill: { type: 'boolean', default: false },
  },
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
  if (values.kill) await killHalfway(database, pool, folder, written.stored)
  for (const [name, input] of [
    ['Bundles', folder],
    ['Bundles once more', folder],
    ['NDJSON', lines],
  ] as const) {
    const practice = name === 'NDJSON' ? 'lines' : 'bundles'
    if (name === 'NDJSON' || (name === 'Bundles' && !values.kill)) await createPractice(pool, practice)
    if (name === 'NDJSON') await exportTo(database, lines)
    const resources = await measure(database, pool, { name, practice, input })
    if (resources !== written.stored) {
      console.error(`the practice holds ${resources} resources, the files ${written.stored}`)
      process.exitCode = 1
    }
  }
  await pool.end()
})

async function measure(
  { environment, folder }: BenchDatabase,
  pool: ReturnType<typeof createPool>,
  { name, practice, input }: { name: string; practice: string; input: string },
): Promise<number> {
  const options = importOptions(folder, practice, input)
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
  return resources
}

function importOptions(folder: string, practice: string, input: string): string[] {
  return ['--practice', practice, '--synthetic', '--rejects', join(folder, 'rejects.ndjson'), input]
}

/** Into the practice `bundles`, by `kill -9` when half of the resources are there. */
async function killHalfway(
  { environment, folder }: BenchDatabase,
  pool: ReturnType<typeof createPool>,
  input: string,
  stored: number,
): Promise<void> {
  await createPractice(pool, 'bundles')
  const { rows } = await pool.query<{ id: number }>(
    `SELECT dataset_id AS id FROM portal.practice WHERE slug = 'bundles'`,
  )
  const half = async () => {
    const counted = await pool.query(
      'SELECT FROM clinical.resource WHERE dataset_id = $1 OFFSET $2 LIMIT 1',
      [rows[0]?.id, Math.floor(stored / 2)],
    )
    return counted.rowCount === 1
  }
  const { seconds, exitCode, peakMegabytes } = await runTool(
    'seed/import/cli.js',
    importOptions(folder, 'bundles', input),
    { environment, folder, codes: [137], killWhen: half },
  )
  const { resources } = await sizeOfPractice(pool, 'bundles')
  console.log(
    `killed after ${seconds.toFixed(1)} s (${exitCode}) with ${resources} of ${stored} resources stored, ` +
      `memory ${judgeMemory(peakMegabytes)}\n`,
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
