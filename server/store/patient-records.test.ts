import type * as fhir from 'fhir/r4.js'
import { describe, expect, test } from 'vitest'
import { defaultSeed } from '../../seed/options.ts'
import { practiceBatches } from '../../seed/practice-records.ts'
import { getPractice } from '../../seed/practices.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { identifierSystems } from '../contract/fhir/codes.ts'
import type { PatientRecord } from '../contract/rest/records.ts'
import { asRecords, planPatientList } from '../search/lists.ts'
import { listedText, recordMark, recordNumber, recordText } from '../search/patient-record.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })
const dataset: number = await makeDataset('records')

async function makeDataset(name: string): Promise<number> {
  const made = await store.datasets.create({ name, kind: 'practice', source: 'test' })
  await store.datasets.markReady(made)
  return made
}

function write(id: string, family: string) {
  return store.write(dataset, [examplePatient({ id, family })], { liveness: noLiveness })
}

interface Row {
  readonly type: number
  readonly id: string
  readonly content: string
  readonly record: string | null
}

async function rowsOf(datasetId: number): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(
    `SELECT type, id, content, record FROM clinical.resource WHERE dataset_id = $1 AND NOT deleted ORDER BY id`,
    [datasetId],
  )
  return rows
}

async function recordOf(id: string): Promise<string | null | undefined> {
  return (await rowsOf(dataset)).find((row) => row.id === id)?.record
}

async function listed(id: string): Promise<PatientRecord | undefined> {
  const plan = asRecords(planPatientList({ limit: 200, offset: 0 }))
  const { matches } = await store.search(dataset, plan, noLiveness)
  const found = matches.find((match) => match.id === id)
  return found && JSON.parse(listedText(Buffer.from(found.content)).toString())
}

describe('a stored record', () => {
  test('is that of its patient for everybody who is generated, loaded or written, copied or indexed anew', async () => {
    const people = [
      ...practiceBatches(getPractice('sandbox-template'), defaultSeed),
      ...practiceBatches(getPractice('harbor-family'), { ...defaultSeed, patients: 25 }),
    ].flatMap(({ resources }) => resources.filter(({ resourceType }) => resourceType === 'Patient'))
    const generated = [...new Map(people.map((person) => [person.id, person])).values()]
    const half = Math.ceil(generated.length / 2)
    const loaded = await makeDataset('loaded')
    await store.bulkLoad(loaded, generated.slice(0, half))
    await store.write(loaded, generated.slice(half), { liveness: noLiveness })
    await store.write(loaded, generated.slice(0, 3), { liveness: noLiveness })

    const rows = await rowsOf(loaded)
    const copy = await store.datasets.copy(loaded, { name: 'copy', kind: 'practice', restamp: true })
    const copied = await rowsOf(copy)
    await database.pool.query(
      `UPDATE clinical.resource SET record = NULL, index_version = 0 WHERE dataset_id = $1`,
      [loaded],
    )
    await store.reindex()

    expect(rows).toHaveLength(generated.length)
    for (const { content, record } of [...rows, ...copied])
      expect(record).toBe(recordText('Patient', content))
    expect(await rowsOf(loaded)).toEqual(rows)
    expect(copied[0]?.content).not.toBe(rows[0]?.content)
  })

  test('of another number is never given: the record is made of the resource, and stored by the next indexing', async () => {
    await write('older', 'Testwell')
    const current = await recordOf('older')
    for (const record of [`0 {"id":"older"}`, `${recordNumber}1 {"id":"older"}`, null]) {
      await database.pool.query(
        `UPDATE clinical.resource SET record = $1, index_version = 0 WHERE id = 'older'`,
        [record],
      )

      expect((await listed('older'))?.name.family).toBe('Testwell')

      await store.reindex()
      expect(await recordOf('older')).toBe(current)
    }
  })

  test('goes when an earlier release, which knows of none, replaces or deletes the patient', async () => {
    await write('replaced', 'Beforename')
    await write('removed', 'Beforename')

    await database.pool.query(
      `UPDATE clinical.resource SET content = replace(content, 'Beforename', 'Aftername'), version = version + 1
       WHERE id = 'replaced'`,
    )
    await database.pool.query(
      `UPDATE clinical.resource SET content = '', deleted = true, version = version + 1 WHERE id = 'removed'`,
    )

    const { rows } = await database.pool.query(
      `SELECT record FROM clinical.resource WHERE id IN ('replaced', 'removed')`,
    )
    expect(rows).toEqual([{ record: null }, { record: null }])
    expect((await listed('replaced'))?.name.family).toBe('Aftername')
  })
})

/** Who changes the record raises its number, or lists would go on with stored ones. */
test('the number of a record changes with what it is made of', () => {
  const patient: fhir.Patient = {
    resourceType: 'Patient',
    id: 'pt-1',
    meta: { lastUpdated: '2026-11-20T12:00:00.000Z' },
    identifier: [{ system: identifierSystems.medicalRecordNumber, value: 'SYN-1' }],
    active: false,
    name: [
      { use: 'old', family: 'Exampleton' },
      { use: 'official', family: 'Samplewood', given: ['Otis', 'Lee'] },
    ],
    telecom: [
      { system: 'phone', value: '(207) 555-0101', use: 'home', rank: 2 },
      { value: 'b', rank: 1 },
    ],
    gender: 'other',
    birthDate: '1971-04-09',
    deceasedDateTime: '2025-11-30',
    address: [
      { use: 'home', line: ['1 Sample Street'], city: 'Samplehaven', state: 'ME', postalCode: '04999' },
    ],
    communication: [{ language: { coding: [{ code: 'es' }] }, preferred: true }],
  }

  expect(recordText('Patient', JSON.stringify(patient))).toBe(
    `${recordMark}{"id":"pt-1","mrn":"SYN-1","name":{"family":"Samplewood","given":["Otis","Lee"]},"birthDate":"1971-04-09",` +
      `"sex":"other","telecom":[{"system":"other","value":"b","use":null},{"system":"phone","value":"(207) 555-0101",` +
      `"use":"home"}],"address":[{"use":"home","line":["1 Sample Street"],"city":"Samplehaven","state":"ME",` +
      `"postalCode":"04999","country":null}],"language":"es","active":false,"deceased":true,"deceasedAt":"2025-11-30",` +
      `"lastUpdated":"2026-11-20T12:00:00.000Z"}`,
  )
  expect(recordNumber).toBe(1)
})
