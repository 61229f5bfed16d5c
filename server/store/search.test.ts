import { beforeAll, describe, expect, test } from 'vitest'
import {
  access,
  base,
  codes,
  database,
  here,
  ids,
  now,
  observation,
  openSearchStore,
  records,
  search,
  store,
} from '../../tests/support/search-store.ts'
import { compileRead, compileSearch } from '../search/compile.ts'
import { compileEverything } from '../search/everything.ts'
import { parseParameters } from '../search/query-string.ts'
import { noLiveness } from './liveness.ts'

beforeAll(openSearchStore)

describe('a search', () => {
  test.each([
    ['', ['o5', 'o2', 'o1', 'o3', 'o4']],
    ['code=GLUCOSE', ['o5', 'o1', 'o3']],
    [`code=${codes}|glucose`, ['o1', 'o3']],
    [`code=${codes}|`, ['o2', 'o1', 'o3']],
    [`code=${codes}|,https://elsewhere.example|glucose`, ['o5', 'o2', 'o1', 'o3']],
    ['code=|glucose', []],
    ['code=nothing', []],
    ['code=pulse,glucose&category=vital-signs', ['o2']],
    ['code:not=glucose', ['o2', 'o4']],
    ['code:missing=true', ['o4']],
    ['code:missing=false&category:not=vital-signs', ['o5', 'o1', 'o3']],
    ['date=2024', ['o5', 'o2', 'o1']],
    ['date=ge2025', ['o3']],
    ['date=sa2024-03-04,eb2000', ['o5', 'o2', 'o1']],
    ['date=ne2024', ['o3']],
    ['date:missing=true', ['o4']],
    ['date=ap2024-03-06', ['o5', 'o2', 'o1', 'o3']],
    ['date=lt9999', ['o5', 'o2', 'o1', 'o3']],
    ['date=9999', []],
    ['date=sa9999-12-31T23:59:59.999999Z', []],
    ['date=ap0001,ap9999', ['o3']],
    ['date=eb0001-01-01', []],
    ['_lastUpdated=ap9999', []],
    ['_id=o1,o3,o6,nobody', ['o1', 'o3']],
    ['_lastUpdated=gt2026-11-15', ['o1']],
    ['_lastUpdated=2026-11-16T12:00:00.001Z', ['o1']],
    ['_lastUpdated=lt2026-11-16', ['o5', 'o2', 'o3', 'o4']],
    ['_sort=date', ['o4', 'o3', 'o1', 'o2', 'o5']],
    ['_sort=-_lastUpdated', ['o1', 'o5', 'o4', 'o3', 'o2']],
    ['_sort=_lastUpdated', ['o2', 'o3', 'o4', 'o5', 'o1']],
  ])('Observation?patient=wren&%s finds %j', async (query, expected) => {
    const page = await search('Observation', `patient=wren&${query}`)

    expect(page).toMatchObject({ alive: true, total: expected.length, next: null })
    expect(page.matches.map(({ id }) => id)).toEqual(expected)
    expect(page.matches.every(({ id, content }) => JSON.parse(String(content)).id === id)).toBe(true)
  })
})

test('a credential that is no longer good reads nothing, counts nothing and is told', async () => {
  const dead = {
    kind: 'api_key',
    keyId: '00000000-0000-4000-8000-000000000000',
    keyVersion: 0,
    practiceId: '00000000-0000-4000-8000-000000000000',
    datasetId: here,
    now,
  } as const
  const compiled = (query: string) =>
    compileSearch({
      access: access('Observation'),
      parameters: parseParameters(query),
      handling: 'strict',
      base,
      now,
      after: null,
      accessTo: access,
    })
  const chart = compileEverything({
    patientId: 'wren',
    parameters: [],
    handling: 'strict',
    after: null,
    accessTo: (type) => access(type),
  })
  const nothing = { alive: false, total: null, matches: [], included: [], next: null }

  for (const query of [
    'patient=wren',
    'patient=wren&code=glucose&_revinclude=Provenance:target',
    'patient=wren&_count=0',
  ])
    expect(await store.search(here, compiled(query).plan, dead)).toMatchObject(nothing)
  expect(await store.read(here, compileRead(access('Patient'), 'wren'), dead)).toEqual({
    alive: false,
    resource: null,
  })
  expect(await store.everything(here, chart.plan, dead)).toMatchObject({ ...nothing, found: false })
})

test('a page ends at four megabytes, holds one resource at least, and the next goes on', async () => {
  const dataset = await store.datasets.create({ name: 'large', kind: 'practice', source: 'test' })
  const note = 'synthetic '.repeat(150_000)
  const large = ['a', 'b', 'c', 'd'].map((id) => observation(id, 'wren', { note: [{ text: note }] }))
  await store.write(dataset, large, { liveness: noLiveness })

  const first = await search('Observation', 'patient=wren', { dataset })
  const second = await search('Observation', 'patient=wren', { dataset, after: first.next })

  expect(first.total).toBe(4)
  expect([first.matches.length, second.matches.length]).toEqual([2, 2])
  expect(second.next).toBeNull()
})

test('what was deleted is found by nothing', async () => {
  const dataset = await store.datasets.create({ name: 'deleted', kind: 'practice', source: 'test' })
  await store.write(dataset, records, { liveness: noLiveness })
  await store.datasets.markReady(dataset)
  await store.deletePatient(dataset, 'wren')

  for (const query of ['', 'code=glucose', '_id=o1', 'date:missing=true', 'code:not=pulse'])
    expect(await ids('Observation', `patient=wren&${query}`, { dataset })).toEqual([])
  expect(await ids('Patient', '_id=wren&name:exact=Testwell', { dataset })).toEqual([])
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS left FROM clinical.coding WHERE dataset_id = $1 AND patient_id = 'wren'",
    [dataset],
  )
  expect(rows).toEqual([{ left: 0 }])
})
