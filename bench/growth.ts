/**
 * `npm run bench -- growth`: what requests cost while the practice around their charts grows, and while practices grow
 * in number. Over HTTP, with authentication, the record of access and limits. The charts asked for are spread over all
 * that there are; `warm`: asked for before; `cold`: after a restart of the database, each for the first time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { stopPostmaster } from '../scripts/postgres/postmaster.mjs'
import { createPool } from '../server/store/pool.ts'
import { createStore, type Store } from '../server/store/store.ts'
import { boundAndVerdict, caches, growthName, type growths } from './aims.ts'
import { type BenchDatabase, withBenchDatabase } from './bench-database.ts'
import { addPractices, makeKeys } from './callers.ts'
import type { Undo } from './clean-up.ts'
import { type Client, countAnswered, startClient } from './clients.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { type Figure, saveFigures } from './figures.ts'
import { addAccount, type Charts, copyOf, createDataset, growTo, loadCharts } from './growing.ts'
import { growthRows, type Place } from './growth-rows.ts'
import { startBuiltServer } from './installation.ts'
import { type BenchRequest, cheapest, measureOnce, type Round, type Target, totalMicros } from './measure.ts'

const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, figures: { type: 'string' } },
})
/** Resources of one practice. */
const sizes = values.full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000, 100_000]
/** Practices with a dataset each. */
const counts = [1, 100, 1_000]
/** Practices that share one dataset, so that no limit is reached. */
const sharing = 60
const connections = 16
const warmRounds = 5
const coldRounds = 6
/** Of each row, after a restart: as many as charts. */
const coldRequests = 32
/** Places that are asked, spread evenly over all there are. */
const spread = 240

/** CPU per request of a row at one size. */
type Cost = { micros: number; postgresMicros: number }
const nothing: Cost = { micros: Number.NaN, postgresMicros: Number.NaN }
type Column = { title: string; warm: Map<string, Cost>; cold: Map<string, Cost> }

await withBenchDatabase(async (database, undo) => {
  const pool = createPool({ connectionString: database.ownerUrl, max: 2, statementTimeoutMs: 0 })
  undo(() => pool.end())
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 })
  owner.on('error', () => {})
  undo(() => owner.end())
  const store = createStore({ pool, clock: () => new Date() })
  const stage = await setStage(undo, database)
  const figures = [
    ...(await growOnePractice(stage, pool, owner, store)),
    ...(await growInNumber(stage, pool, owner, store)),
  ]
  saveFigures(values.figures, figures)
})

type Stage = { client: Client; server: Target; database: BenchDatabase }

async function setStage(undo: Undo, database: BenchDatabase): Promise<Stage> {
  const client = startClient()
  undo(() => client.stop())
  const server = await startBuiltServer(undo, {
    ...database,
    environment: { ...database.environment, ROLE: 'api' },
  })
  return { client, server, database }
}

async function growOnePractice(stage: Stage, pool: pg.Pool, owner: pg.Pool, store: Store): Promise<Figure[]> {
  const dataset = await createDataset(store, 'growing')
  const charts = await loadCharts(store, dataset, sizes[0] ?? 0)
  const slugs = Array.from({ length: sharing }, (_, at) => `growing-${at}`)
  await addPractices(owner, slugs, () => dataset)
  const { fhir, rest } = await makeAllCallers(owner, slugs, 2)
  let copies = 0
  const placeOf = (at: number, ofCharts: number): Place => {
    const patient = charts.patients[at % charts.patients.length] ?? ''
    return {
      fhir: fhir[at % fhir.length] ?? { base: '', headers: {} },
      rest: rest[at % rest.length]?.headers ?? {},
      patient: copyOf(patient, Math.round((at * copies) / (ofCharts - 1))),
      deepOffset: Math.max(0, (copies + 1) * charts.patientCount - 10),
      family: charts.families[at % charts.families.length] ?? '',
    }
  }
  await compileServer(stage, placeOf)
  const columns: Column[] = []
  for (const size of sizes) {
    copies = await growTo(pool, dataset, charts, copies, size)
    const resources = ((copies + 1) * charts.resources).toLocaleString('en-US')
    columns.push(await measureColumn(stage, `${resources} res.`, placeOf))
  }
  return report('a practice that grows', columns)
}

async function growInNumber(stage: Stage, pool: pg.Pool, owner: pg.Pool, store: Store): Promise<Figure[]> {
  const first = await createDataset(store, 'first of many')
  const charts: Charts = await loadCharts(store, first, 100)
  const slugs = Array.from({ length: sharing }, (_, at) => `many-${at}`)
  await addPractices(owner, slugs, () => first)
  const shared = await makeAllCallers(owner, slugs, 2)
  const columns: Column[] = []
  let practices = 1
  let callers = shared
  for (const count of counts) {
    for (; practices < count; practices += 1) {
      const dataset = await store.datasets.copy(first, { name: `many ${practices}`, kind: 'practice' })
      await addPractices(owner, [`many-own-${practices}`], () => dataset)
    }
    if (count > 1) {
      const own = Array.from({ length: count - 1 }, (_, at) => `many-own-${at + 1}`)
      callers = await makeAllCallers(owner, own, Math.ceil((2 * sharing) / own.length))
    }
    await pool.query('VACUUM (ANALYZE)')
    const { fhir, rest } = callers
    const placeOf = (at: number, ofCharts: number): Place => {
      const place = Math.floor((at * (fhir.length - 1)) / (ofCharts - 1))
      return {
        fhir: fhir[place] ?? { base: '', headers: {} },
        rest: rest[place % rest.length]?.headers ?? {},
        patient: charts.patients[at % charts.patients.length] ?? '',
        deepOffset: 0,
        family: charts.families[at % charts.families.length] ?? '',
      }
    }
    columns.push(await measureColumn(stage, `${count.toLocaleString('en-US')} pract.`, placeOf))
  }
  return report('more and more practices', columns)
}

async function makeAllCallers(owner: pg.Pool, slugs: readonly string[], keysPerPractice: number) {
  const account = await addAccount(owner)
  return {
    fhir: await makeFhirCallers(owner, slugs),
    rest: await makeKeys(owner, slugs, { account, level: 'read_only', keysPerPractice }),
  }
}

type PlaceOf = (at: number, ofCharts: number) => Place

/** Requests of one row, at so many of the places. */
function requestsOf(name: string, placeOf: PlaceOf, from: number, many: number): BenchRequest[] {
  return Array.from({ length: many }, (_, at) => {
    const request = growthRows[name]
    if (!request) throw new Error(name)
    return request(placeOf((from + at) % spread, spread))
  })
}

/** Otherwise the first size would pay for it. */
async function compileServer({ client, server }: Stage, placeOf: PlaceOf): Promise<void> {
  for (const name of Object.keys(growthRows)) {
    const requests = requestsOf(name, placeOf, 0, spread)
    countAnswered(await client.run({ origin: server.origin, requests, connections, amount: 1_500 }), name)
  }
}

async function measureColumn(stage: Stage, title: string, placeOf: PlaceOf): Promise<Column> {
  const { client, server } = stage
  const names = Object.keys(growthRows)
  const column: Column = { title, warm: new Map(), cold: new Map() }
  for (const name of names) {
    const load = { requests: requestsOf(name, placeOf, 0, spread), connections }
    await client.run({ ...load, origin: server.origin, amount: spread })
    const rounds: Round[] = []
    for (let round = 0; round < warmRounds; round += 1)
      rounds.push(await measureOnce(client, server, { ...load, seconds: 0.8 }))
    column.warm.set(name, costOf(rounds))
  }
  const cold = new Map<string, Round[]>()
  for (let round = 0; round < coldRounds; round += 1) {
    await restartDatabase(stage, requestsOf('FHIR page of 50', placeOf, 0, connections))
    // Of the first places, so that connections and plans are there; and then of others, which are cold.
    for (const name of names) {
      const requests = requestsOf(name, placeOf, 0, connections)
      await client.run({ origin: server.origin, requests, connections, amount: 160 })
    }
    for (const [at, name] of names.entries()) {
      const requests = requestsOf(name, placeOf, connections + at * coldRequests, coldRequests)
      const found = await measureOnce(client, server, { requests, connections: 4, amount: coldRequests })
      cold.set(name, [...(cold.get(name) ?? []), found])
    }
  }
  for (const [name, rounds] of cold) column.cold.set(name, costOf(rounds))
  return column
}

function costOf(rounds: readonly Round[]): Cost {
  const best = cheapest(rounds)
  return { micros: totalMicros(best), postgresMicros: best.micros.PostgreSQL ?? Number.NaN }
}

/** What the server remembers stays; what the database has in memory goes, except what the system keeps of its files. */
async function restartDatabase(
  { server, database }: Stage,
  requests: readonly BenchRequest[],
): Promise<void> {
  await stopPostmaster(database.cluster)
  await database.revive()
  for (let tries = 0; ; tries += 1) {
    const answers = await Promise.all(
      requests.map(({ path, headers }) =>
        fetch(server.origin + path, { headers }).then(
          async (response) => {
            await response.arrayBuffer()
            return response.status
          },
          () => 0,
        ),
      ),
    )
    if (answers.every((status) => status === 200)) return
    if (tries > 200) throw new Error(`after a restart of the database reads answer ${answers.join(', ')}`)
    await pause(100)
  }
}

function report(growth: (typeof growths)[number], columns: readonly Column[]): Figure[] {
  return caches.flatMap((cache) => {
    console.log(`\n${growth}, ${cache}: CPU in µs per request, in brackets PostgreSQL's part\n`)
    print(['', ...columns.map(({ title }) => title), '× first', '× PostgreSQL', 'aim', ''])
    return Object.keys(growthRows).flatMap((name) => {
      const costs = columns.map((column) => column[cache].get(name) ?? nothing)
      const [first = nothing] = costs
      const last = costs.at(-1) ?? nothing
      const value = last.micros / first.micros
      const figure: Figure = { name: growthName(name, growth, cache), unit: '×', value, rounds: [value] }
      const ofPostgres = last.postgresMicros / first.postgresMicros
      print([
        name,
        ...costs.map(({ micros, postgresMicros }) => `${micros.toFixed(0)} (${postgresMicros.toFixed(0)})`),
        value.toFixed(2),
        ofPostgres.toFixed(2),
        ...boundAndVerdict(figure),
      ])
      const alone = {
        name: `${figure.name}, PostgreSQL alone`,
        unit: '×',
        value: ofPostgres,
        rounds: [ofPostgres],
      }
      return [figure, alone as Figure]
    })
  })
}

function print([name = '', ...rest]: string[]): void {
  console.log(name.padEnd(26) + rest.map((each) => each.padStart(15)).join(''))
}
