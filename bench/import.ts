/** `npm run bench -- import`: files as Synthea writes them into an empty practice, and once more. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPool } from '../server/store/pool.ts'
import { createStore } from '../server/store/store.ts'
import { verdictOn } from './aims.ts'
import { type BenchDatabase, sizeOfPractice, withBenchDatabase } from './bench-database.ts'
import { type Figure, saveFigures } from './figures.ts'
import { copyRows, rowsOf } from './plain-copy.ts'
import { writeSyntheaLike } from './synthea-like.ts'
import { judgeMemory, runTool } from './tool-run.ts'

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string' },
    full: { type: 'boolean', default: false },
    kill: { type: 'boolean', default: false },
    copy: { type: 'boolean', default: false },
    figures: { type: 'string' },
  },
})
const megabytes = Number(values.megabytes ?? (values.full ? 2_000 : values.copy ? 20 : 100))
const copyRounds = 3

await withBenchDatabase(async (database, undo) => {
  const folder = join(database.folder, 'input')
  const written = writeSyntheaLike(folder, megabytes)
  console.log(
    `${written.megabytes.toFixed(0)} MB, ${written.patients} patients, ${written.entries} entries, as Synthea writes them\n`,
  )
  const pool = createPool({ connectionString: database.ownerUrl, max: 2, statementTimeoutMs: 0 })
  undo(() => pool.end())
  if (values.copy) return saveFigures(values.figures, [await compareWithCopy(database, pool, folder)])
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
})

/** Imports and plain COPYs of the same rows by turns, each into a practice of its own. */
async function compareWithCopy(
  database: BenchDatabase,
  pool: ReturnType<typeof createPool>,
  input: string,
): Promise<Figure> {
  const [imports, copies]: [number[], number[]] = [[], []]
  for (let round = 0; round < copyRounds; round += 1) {
    const practice = `bundles-${round}`
    const dataset = await createPractice(pool, practice)
    const resources = await measure(database, pool, { name: 'Bundles', practice, input }, imports)
    const rows = await rowsOf(pool, dataset)
    const plain = await createPractice(pool, `plain-${round}`)
    const started = performance.now()
    await copyRows(pool, rows, plain)
    const seconds = (performance.now() - started) / 1_000
    copies.push(seconds)
    console.log(`plain COPY of the same rows: ${Math.round(resources / seconds)} resources/s\n`)
  }
  const figure: Figure = {
    name: 'import',
    unit: '% of COPY',
    value: (100 * Math.min(...copies)) / Math.min(...imports),
    rounds: imports.map((each, at) => (100 * (copies[at] ?? Number.NaN)) / each),
  }
  console.log(`import: ${figure.value.toFixed(0)} % of COPY${verdictOn(figure)}`)
  return figure
}

async function measure(
  { environment, folder }: BenchDatabase,
  pool: ReturnType<typeof createPool>,
  { name, practice, input }: { name: string; practice: string; input: string },
  took: number[] = [],
): Promise<number> {
  const options = importOptions(folder, practice, input)
  const { seconds, peakMegabytes, output } = await runTool('seed/import/cli.js', options, {
    environment,
    folder,
    codes: [0, 3],
  })
  took.push(seconds)
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

/** @returns its dataset */
async function createPractice(pool: ReturnType<typeof createPool>, slug: string): Promise<number> {
  const { datasets } = createStore({ pool, clock: () => new Date() })
  const datasetId = await datasets.create({ name: slug, kind: 'practice', source: 'bench' })
  await datasets.markReady(datasetId)
  await pool.query(
    `INSERT INTO portal.practice
       (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
     VALUES (gen_random_uuid(), $1, $1, 'sandbox', true, false, 'office', $2, now())`,
    [slug, datasetId],
  )
  return datasetId
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
