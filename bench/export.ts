/**
 * `npm run bench -- export`: how fast an export is beside the database's own COPY, what memory it takes, and what reads
 * of the FHIR interface feel of it.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { defaultSeed } from '../seed/options.ts'
import { practiceBatches } from '../seed/practice-records.ts'
import { getPractice } from '../seed/practices.ts'
import { writeExport } from '../server/bulk/run/write-export.ts'
import { fhirTypeNumbers } from '../server/contract/fhir/registry.ts'
import { createFolderStorage } from '../server/domain/bulk-exports/export-storage.ts'
import { unusedMessages } from '../server/store/copy.ts'
import { verdictOn } from './aims.ts'
import { withBenchDatabase } from './bench-database.ts'
import { measureReads } from './export-reads.ts'
import { type Figure, saveFigures } from './figures.ts'

const { values } = parseArgs({
  options: {
    resources: { type: 'string', default: '100000' },
    full: { type: 'boolean', default: false },
    figures: { type: 'string' },
  },
})
const practiceId = randomUUID()
const resources = values.full ? 1_000_000 : Number(values.resources)
const type = 'Observation'
const memoryMegabytesMax = 150
const exportId = '00000000-0000-4000-8000-000000000000'
/** COPY and the export by turns, so that a busy moment of the machine does not decide. */
const rounds = values.full ? 3 : 5

await withBenchDatabase(async ({ ownerUrl, folder, environment, cluster }, undo) => {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  undo(() => client.end())
  const datasetId = await fill(client)
  await warm(client, datasetId)
  const seconds: Record<'copy' | 'export', number[]> = { copy: [], export: [] }
  for (let round = 0; round < rounds; round += 1) {
    seconds.copy.push(await timed('COPY … TO STDOUT to a file', () => copyToFile(client, datasetId, folder)))
    seconds.export.push(await exportOnce({ connectionString: ownerUrl, attempt: round + 1, folder }))
  }
  await createFolderStorage(folder).remove(exportId)
  const figures = [shareOfCopy(seconds.copy, seconds.export)]
  figures.push(await measureReads(undo, { folder, environment, cluster, practiceId, resources, type }))
  saveFigures(values.figures, figures)
})

function shareOfCopy(copy: readonly number[], seconds: readonly number[]): Figure {
  const figure: Figure = {
    name: 'export with gzip',
    unit: '% of COPY',
    value: (100 * Math.min(...copy)) / Math.min(...seconds),
    rounds: seconds.map((each, at) => (100 * (copy[at] ?? Number.NaN)) / each),
  }
  console.log(`${figure.name.padEnd(30)} ${figure.value.toFixed(0)} % of COPY${verdictOn(figure)}`)
  return figure
}

/** @returns seconds */
async function exportOnce({
  folder,
  ...run
}: {
  connectionString: string
  attempt: number
  folder: string
}): Promise<number> {
  const idle = process.memoryUsage().rss
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const seconds = await timed('export with gzip', async () => {
    const end = await writeExport(
      {
        ...run,
        storage: { kind: 'folder', folder },
        exportId,
        practiceId,
        base: 'https://portal.example/r4/bench',
        plan: [{ type, codes: null }],
        since: null,
        fileBytesMax: 200_000_000,
      },
      createFolderStorage(folder),
      () => {},
    )
    if (end.kind !== 'complete' || end.total !== resources) throw new Error(JSON.stringify(end))
  })
  clearInterval(watch)
  const megabytes = (peak - idle) / 1_000_000
  if (megabytes > memoryMegabytesMax) {
    console.log(`  ${megabytes.toFixed(0)} MB above idle, at most ${memoryMegabytesMax} are wanted`)
    process.exitCode = 1
  }
  return seconds
}

async function timed(name: string, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1_000
  console.log(`${name.padEnd(30)} ${seconds.toFixed(2)} s, ${Math.round(resources / seconds)} resources/s`)
  return seconds
}

/** Observations of the seed's charts, over and over under other ids. Random texts would compress as no record does. */
async function fill(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO clinical.dataset (name, kind, state, source, created_at)
     VALUES ('bench', 'practice', 'ready', 'bench', now()) RETURNING id`,
  )
  const datasetId = rows[0]?.id ?? 0
  await client.query(
    `INSERT INTO portal.practice
       (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
     VALUES ($1, 'bench', 'Bench Practice', 'sandbox', true, false, 'office', $2, now())`,
    [practiceId, datasetId],
  )
  const observations = [...practiceBatches(getPractice('harbor-family'), { ...defaultSeed, patients: 60 })]
    .flatMap((batch) => batch.resources.filter(({ resourceType }) => resourceType === type))
    .map((resource) => ({ id: resource.id, content: JSON.stringify(resource) }))
  await client.query(
    `INSERT INTO clinical.resource (dataset_id, type, id, patient_id, last_updated, version, index_version, content)
     SELECT $1, $2, 'obs-' || n, 'pt-' || n % 1000, now(), 1, 1,
       replace(o.content, format('"id":"%s"', o.id), format('"id":"obs-%s"', n))
     FROM (SELECT *, row_number() OVER () - 1 AS at FROM json_to_recordset($4::json) AS o (id text, content text)) o
       JOIN generate_series(1, $3::int) n ON n % $5 = o.at`,
    [datasetId, fhirTypeNumbers[type], resources, JSON.stringify(observations), observations.length],
  )
  await client.query('VACUUM ANALYZE clinical.resource')
  return datasetId
}

function copyText(datasetId: number): string {
  return `COPY (SELECT content FROM clinical.resource WHERE dataset_id = ${datasetId} AND type = ${fhirTypeNumbers[type]}
    AND NOT deleted) TO STDOUT`
}

async function warm(client: pg.Client, datasetId: number): Promise<void> {
  await rawCopy(client, copyText(datasetId), new Writable({ write: (_chunk, _encoding, done) => done() }))
}

async function copyToFile(client: pg.Client, datasetId: number, folder: string): Promise<void> {
  await rawCopy(client, copyText(datasetId), createWriteStream(join(folder, 'floor.txt')))
}

/** The bytes as the database sends them, into a stream that is as fast as it is. */
function rawCopy(client: pg.Client, text: string, out: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    let stream: { pause(): void; resume(): void }
    const query = {
      submit: (connection: { query(text: string): void; stream: typeof stream }) => {
        stream = connection.stream
        connection.query(text)
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        if (out.write(chunk)) return
        stream.pause()
        if (out.listenerCount('drain') === 0) out.once('drain', () => stream.resume())
      },
      handleReadyForQuery: () => {
        // What ends does not drain any more.
        stream.resume()
        out.end(() => resolve())
      },
      handleError: reject,
      handleCommandComplete: () => {},
      ...unusedMessages,
    }
    client.query(query as unknown as pg.Submittable)
  })
}
