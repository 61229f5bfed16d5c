import { beforeAll, describe, expect, test } from 'vitest'
import {
  access,
  base,
  codes,
  database,
  elsewhere,
  here,
  ids,
  now,
  observation,
  openSearchStore,
  records,
  search,
  store,
} from '../../tests/support/search-store.ts'
import type { FhirType } from '../contract/fhir/registry.ts'
import type { ScopeFilter } from '../contract/smart/scopes.ts'
import type { Grant } from '../search/access.ts'
import { compileRead, compileSearch } from '../search/compile.ts'
import { compileEverything } from '../search/everything.ts'
import type { Position } from '../search/plan.ts'
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
    expect(page.matches.every(({ id, content }) => JSON.parse(content).id === id)).toBe(true)
  })

  test.each([
    ['name=nunez', ['pr-2', 'pr-1']],
    ['name=dr', ['pr-2', 'pr-1']],
    ['name=muestra', []],
    ['name:contains=muestra', ['pr-2', 'pr-1']],
    [`name:exact=${encodeURIComponent('Núñez-Muestra')}`, ['pr-1']],
    ['name:exact=NUNEZ%20MUESTRA', ['pr-2']],
    ['name:exact=Nunez-Muestra', []],
    ['name:missing=true', []],
    ['identifier=AB-2', ['pr-2']],
    ['identifier=https://numbers.example|ab-1', ['pr-1']],
    ['identifier=https://numbers.example|', ['pr-2', 'pr-1']],
    ['identifier=|ab-1', []],
    ['identifier:not=ab-1', ['pr-2']],
  ])('Practitioner?%s finds %j', async (query, expected) => {
    const page = await search('Practitioner', query)

    expect(page.matches.map(({ id }) => id)).toEqual(expected)
    expect(page.total).toBe(expected.length)
  })

  test('of zero resources counts them alone', async () => {
    expect(await search('Observation', 'patient=wren&_count=0')).toMatchObject({
      total: 5,
      matches: [],
      next: null,
    })
  })

  test('never leaves the data set, the chart or the type', async () => {
    expect(await ids('Observation', 'patient=wren', { dataset: elsewhere })).toEqual(['o1'])
    expect(await ids('Observation', 'patient=wren&code=glucose', { dataset: elsewhere })).toEqual([])
    expect(await ids('Observation', 'patient=juno')).toEqual(['o6'])
    expect(await ids('Condition', 'patient=wren&_id=o1')).toEqual([])
    expect(await ids('Observation', 'patient=nobody')).toEqual([])
  })

  test('goes on where the page before ended, among equals too', async () => {
    for (const sort of ['', '_sort=date', '_sort=-_lastUpdated', '_sort=_lastUpdated']) {
      const whole = await ids('Observation', `patient=wren&${sort}`)
      const pages: string[] = []
      let after: Position | null = null
      do {
        const page: Awaited<ReturnType<typeof search>> = await search(
          'Observation',
          `patient=wren&_count=2&${sort}`,
          { after },
        )
        expect(page.total).toBe(after === null ? 5 : null)
        pages.push(...page.matches.map(({ id }) => id))
        after = page.next
      } while (after !== null)
      expect(pages).toEqual(whole)
    }
  })
})

describe('what is included', () => {
  const addresses = ({ included }: Awaited<ReturnType<typeof search>>) =>
    included.map(({ type, id }) => `${type}/${id}`)

  test('lies in the same chart', async () => {
    expect(addresses(await search('Observation', 'patient=wren&_revinclude=Provenance:target'))).toEqual([
      'Provenance/p1',
    ])
    expect(addresses(await search('Observation', 'patient=juno&_revinclude=Provenance:target'))).toEqual([
      'Provenance/p16',
      'Provenance/p6',
    ])
  })

  test('belongs to this page, and is there once', async () => {
    const first = await search('Observation', 'patient=wren&_count=1&_revinclude=Provenance:target')
    const second = await search('Observation', 'patient=wren&_count=2&_revinclude=Provenance:target', {
      after: first.next,
    })

    expect(first.matches.map(({ id }) => id)).toEqual(['o5'])
    expect(addresses(first)).toEqual([])
    expect(second.matches.map(({ id }) => id)).toEqual(['o2', 'o1'])
    expect(addresses(second)).toEqual(['Provenance/p1'])
  })

  test('is only what its own grant lets through', async () => {
    const filter: ScopeFilter = { parameter: 'category', system: null, code: 'nothing' }
    const page = await search('Observation', 'patient=wren&_revinclude=Provenance:target', {
      accessTo: (type) => access(type, [{ patientId: null, filter }]),
    })

    expect(page.total).toBe(5)
    expect(addresses(page)).toEqual([])
  })

  test('may be what a match refers to', async () => {
    const page = await search(
      'PractitionerRole',
      '_include=PractitionerRole:practitioner&_include=PractitionerRole:endpoint',
    )

    expect(addresses(page)).toEqual(['Practitioner/pr-1'])
  })
})

describe('a narrowed grant', () => {
  const laboratory: Grant = {
    patientId: null,
    filter: { parameter: 'category', system: codes, code: 'LABORATORY' },
  }
  const vitals: Grant = {
    patientId: 'wren',
    filter: { parameter: 'category', system: null, code: 'vital-signs' },
  }
  const as = access('Observation', [laboratory])
  const read = async (id: string, grants: Grant[]) =>
    (await store.read(here, compileRead(access('Observation', grants), id), noLiveness)).resource?.id ?? null

  test('is all that a search finds and counts', async () => {
    const page = await search('Observation', 'patient=wren', { as })

    expect(page.matches.map(({ id }) => id)).toEqual(['o5', 'o1', 'o3', 'o4'])
    expect(page.total).toBe(4)
    expect(await ids('Observation', 'patient=wren&category=vital-signs', { as })).toEqual([])
    expect(await ids('Observation', 'patient=wren&category:not=laboratory', { as })).toEqual([])
    expect(await ids('Observation', 'patient=wren&_id=o2', { as })).toEqual([])
    expect(await ids('Observation', 'patient=wren&code=pulse', { as })).toEqual([])
  })

  test('is all that a read finds', async () => {
    expect(await read('o1', [laboratory])).toBe('o1')
    expect(await read('o2', [laboratory])).toBeNull()
    expect(await read('o2', [laboratory, vitals])).toBe('o2')
    expect(await read('o6', [vitals])).toBeNull()
    expect(await read('o6', [laboratory, vitals])).toBe('o6')
  })
})

describe('a read', () => {
  const read = (type: FhirType, id: string, patientId: string | null = null, dataset = here) =>
    store.read(dataset, compileRead(access(type, [{ patientId, filter: null }]), id), noLiveness)

  test('brings the stored text with its version and time', async () => {
    const { alive, resource } = await read('Observation', 'o1', 'wren')

    expect(alive).toBe(true)
    expect(resource).toMatchObject({
      id: 'o1',
      version: 2,
      lastUpdated: new Date('2026-11-16T12:00:00.001Z'),
    })
    expect(JSON.parse(resource?.content ?? '')).toMatchObject({ id: 'o1', meta: { versionId: '2' } })
  })

  test('does not tell what is another’s from what is not there', async () => {
    const missing = await read('Observation', 'nothing', 'wren')

    expect(await read('Observation', 'o6', 'wren')).toEqual(missing)
    expect(await read('Condition', 'o1', 'wren')).toEqual(missing)
    expect(await read('Observation', 'o2', null, elsewhere)).toEqual(missing)
    expect(missing).toEqual({ alive: true, resource: null })
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
  await store.deletePatient(dataset, 'wren', { liveness: noLiveness })

  for (const query of ['', 'code=glucose', '_id=o1', 'date:missing=true', 'code:not=pulse'])
    expect(await ids('Observation', `patient=wren&${query}`, { dataset })).toEqual([])
  expect(await ids('Patient', '_id=wren&name:exact=Testwell', { dataset })).toEqual([])
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS left FROM clinical.coding WHERE dataset_id = $1 AND patient_id = 'wren'",
    [dataset],
  )
  expect(rows).toEqual([{ left: 0 }])
})
