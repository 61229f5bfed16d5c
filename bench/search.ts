/**
 * `npm run bench -- search`: what one page of the patient list costs in a practice of 100,000 patients. The
 * database's time is the CPU of all its processes, which other work on the machine does not lengthen.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { discardPostgres, startPostgres } from '../scripts/postgres/start.mjs'
import { defaultSeed } from '../seed/options.ts'
import { drawPerson } from '../seed/people/draw.ts'
import { getPractice } from '../seed/practices.ts'
import { createRandomness } from '../seed/randomness.ts'
import { patientResource } from '../seed/resources/patient.ts'
import { type PatientListQuery, planPatientList } from '../server/search/lists.ts'
import type { Resource } from '../server/store/index-rows.ts'
import { noLiveness } from '../server/store/liveness.ts'
import { migrate } from '../server/store/migrations.ts'
import { createPool } from '../server/store/pool.ts'
import { createStore, type Store } from '../server/store/store.ts'
import { type CpuTime, cpuBetween, cpuOf, postgresProcesses } from './cpu.ts'

const { values } = parseArgs({
  options: { patients: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '200' } },
})
const patients = Number(values.patients)
const rounds = Number(values.rounds)
const batchSize = 5_000
const limitMs = 5

await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'postgres')
  const database = await startPostgres({ dataDir })
  try {
    await migrate({ ownerUrl: database.ownerUrl })
    const pool = createPool({ connectionString: database.ownerUrl, max: 2, statementTimeoutMs: 0 })
    const store = createStore({ pool, clock: () => new Date() })
    const { dataset, example } = await load(store)
    await pool.query('VACUUM ANALYZE clinical.roster, clinical.resource, clinical.identifier')
    await report({ store, dataset, pids: () => postgresProcesses(database.cluster) }, example)
    await pool.end()
  } finally {
    await discardPostgres(dataDir)
    rmSync(folder, { recursive: true, force: true })
  }
}

type Example = { family: string; given: string; mrn: string; born: string }

async function load(store: Store): Promise<{ dataset: number; example: Example }> {
  const practice = getPractice('harbor-family')
  const randomness = createRandomness(defaultSeed.seed)
  const dataset = await store.datasets.create({ name: 'search', kind: 'practice', source: 'bench' })
  let example: Example | null = null
  for (let at = 0; at < patients; at += batchSize) {
    const count = Math.min(batchSize, patients - at)
    const people = Array.from({ length: count }, (_, index) =>
      drawPerson(
        randomness.stream(practice.slug, 'person', at + index),
        at + index,
        practice,
        defaultSeed.asOf,
      ),
    )
    const [person] = people
    const [name] = person?.names ?? []
    if (person && name) {
      example ??= {
        family: name.family,
        given: name.given[0] ?? '',
        mrn: person.mrn,
        born: person.birthDate,
      }
    }
    await store.bulkLoad(
      dataset,
      people.map((each) => patientResource(each) as unknown as Resource),
    )
  }
  await store.datasets.markReady(dataset)
  if (example === null) throw new Error('there is nobody to search for')
  return { dataset, example }
}

function queries({ family, given, mrn, born }: Example): readonly (readonly [string, PatientListQuery])[] {
  const page = { limit: 25, offset: 0 }
  return [
    ['everybody', page],
    ['everybody, offset 1,000', { ...page, offset: 1_000 }],
    ['one letter', { ...page, q: family.slice(0, 1) }],
    ['one letter, 100 a page', { ...page, limit: 100, q: family.slice(0, 1) }],
    ['two letters', { ...page, q: family.slice(0, 2) }],
    ['family name', { ...page, q: family }],
    ['given name', { ...page, q: given }],
    ['given and family name', { ...page, q: `${given} ${family}` }],
    ['family and given name', { ...page, q: `${family} ${given}` }],
    ['family name, offset 100', { ...page, offset: 100, q: family }],
    ['one digit', { ...page, q: '0' }],
    ['number, its beginning', { ...page, q: mrn.slice(0, 6) }],
    ['number', { ...page, q: mrn }],
    ['mrn', { ...page, mrn }],
    ['dob, a year', { ...page, dob: born.slice(0, 4) }],
    ['dob, a day', { ...page, dob: born }],
    ['one letter and a year', { ...page, q: family.slice(0, 1), dob: born.slice(0, 4) }],
    ['family name and a day', { ...page, q: family, dob: born }],
    ['nobody', { ...page, q: 'zzzz' }],
  ]
}

async function report(
  { store, dataset, pids }: { store: Store; dataset: number; pids: () => number[] },
  example: Example,
): Promise<void> {
  console.log(`\n${patients.toLocaleString('en-US')} patients, ${rounds} times each, one after the other\n`)
  console.log(`${''.padEnd(30)}${'rows'.padStart(8)}${'database ms'.padStart(14)}${'p50 ms'.padStart(10)}`)
  for (const [name, query] of queries(example)) {
    const plan = planPatientList(query)
    const times: number[] = []
    let found = 0
    // The first ones let PostgreSQL settle on a plan.
    let before: CpuTime | null = null
    for (let round = -20; round < rounds; round++) {
      if (round === 0) before = cpuOf(pids())
      const started = performance.now()
      const { matches } = await store.search(dataset, plan, noLiveness)
      if (round >= 0) times.push(performance.now() - started)
      found = matches.length
    }
    times.sort((a, b) => a - b)
    const databaseMs = (cpuBetween(before, cpuOf(pids())) ?? Number.NaN) / 1_000 / rounds
    const mark = databaseMs > limitMs ? `  over ${limitMs} ms` : ''
    console.log(
      `${name.padEnd(30)}${String(found).padStart(8)}${databaseMs.toFixed(2).padStart(14)}${(times[Math.floor(rounds / 2)] ?? 0).toFixed(2).padStart(10)}${mark}`,
    )
  }
}
