/** `npm run bench -- ccd`: what a CCD costs as its chart grows, in time beside reading the chart alone, and in memory. */
import { parseArgs } from 'node:util'
import { practiceBatches } from '../seed/practice-records.ts'
import { getPractice } from '../seed/practices.ts'
import { createCcd } from '../server/ccd/ccd.ts'
import { createCcdWriters } from '../server/ccd/writers.ts'
import { streamText } from '../server/http/compression.ts'
import { noLiveness } from '../server/store/liveness.ts'
import { createPool } from '../server/store/pool.ts'
import { createStore } from '../server/store/store.ts'
import { withBenchDatabase } from './bench-database.ts'

const { values } = parseArgs({ options: { observations: { type: 'string', default: '1000,10000' } } })
const rounds = 5
const patientId = 'pt-cal-notareal'

await withBenchDatabase(async ({ ownerUrl }) => {
  const pool = createPool({ connectionString: ownerUrl, max: 4, statementTimeoutMs: 0 })
  const writers = createCcdWriters({ connectionString: ownerUrl })
  const store = createStore({ pool, clock: () => new Date() })
  print(['observations', 'MB', 'read ms', 'CCD ms', '× read', 'page ms', 'peak MB over idle'])
  for (const longChart of values.observations.split(',').map(Number)) {
    const datasetId = await load(longChart)
    const practice = { slug: 'bench', name: 'Bench', datasetId }
    const open = async () => {
      const { ccd } = await createCcd({ store, writers, takeWindow: async () => {} }).open(
        practice,
        patientId,
        noLiveness,
      )
      if (ccd === null) throw new Error('no such patient')
      return ccd
    }
    const read = await best(() => readChart(datasetId))
    const document = await best(async () => drain(streamText(await (await open()).xml())))
    const page = await best(async () => drain(streamText(await (await open()).html())))
    const peak = await peakOf(async () => drain(streamText(await (await open()).xml())))
    const whole = (value: number) => value.toFixed(0)
    print([
      whole(longChart),
      (document.result / 1e6).toFixed(1),
      whole(read.ms),
      whole(document.ms),
      (document.ms / read.ms).toFixed(1),
      whole(page.ms),
      whole(peak),
    ])
  }
  await writers.close()
  await pool.end()

  async function load(longChart: number): Promise<number> {
    const datasetId = await store.datasets.create({ name: 'bench', kind: 'practice', source: 'bench' })
    const options = { seed: 42, patients: 1, asOf: '2026-11-15', longChart }
    const load = store.beginLoad(datasetId)
    for (const { resources } of practiceBatches(getPractice('sandpiper-demonstration'), options)) {
      await load.add(resources)
    }
    await load.end()
    await store.adoptOrphans(datasetId)
    await store.datasets.markReady(datasetId)
    await pool.query('VACUUM (ANALYZE) clinical.resource')
    return datasetId
  }

  /** The floor: every text of the chart once, parsed, in one statement. */
  async function readChart(datasetId: number): Promise<number> {
    const { rows } = await pool.query<{ content: string }>(
      'SELECT content FROM clinical.resource WHERE dataset_id = $1 AND patient_id = $2 AND type <> 23',
      [datasetId, patientId],
    )
    return rows.map(({ content }) => JSON.parse(content)).length
  }
})

async function drain(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  return bytes
}

async function best(work: () => Promise<number>): Promise<{ ms: number; result: number }> {
  let ms = Number.POSITIVE_INFINITY
  let result = 0
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    result = await work()
    ms = Math.min(ms, performance.now() - started)
  }
  return { ms, result }
}

/** Of what is alive, looked at every 20 ms after a collection where the flag allows one. */
async function peakOf(work: () => Promise<number>): Promise<number> {
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  let peak = before
  const watch = setInterval(() => {
    global.gc?.()
    peak = Math.max(peak, process.memoryUsage().heapUsed)
  }, 20)
  await work()
  clearInterval(watch)
  return (peak - before) / 1e6
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(14) + rest.map((each) => each.padStart(18)).join(''))
}
