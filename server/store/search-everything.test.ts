import { beforeAll, describe, expect, test } from 'vitest'
import { access, here, openSearchStore, store } from '../../tests/support/search-store.ts'
import type { FhirType } from '../contract/fhir/registry.ts'
import type { ScopeFilter } from '../contract/smart/scopes.ts'
import type { Access } from '../search/access.ts'
import { compileEverything } from '../search/everything.ts'
import type { Position } from '../search/plan.ts'
import { parseParameters } from '../search/query-string.ts'
import { noLiveness } from './liveness.ts'

beforeAll(openSearchStore)

describe('$everything', () => {
  const all = (type: FhirType): Access | null => access(type)

  function everything(
    query = '',
    { accessTo = all, after = null as Position | null, patientId = 'wren' } = {},
  ) {
    const { plan } = compileEverything({
      patientId,
      parameters: parseParameters(query),
      handling: 'strict',
      after,
      accessTo,
    })
    return store.everything(here, plan, noLiveness)
  }
  const addresses = (list: readonly { type: FhirType; id: string }[]) =>
    list.map(({ type, id }) => `${type}/${id}`)

  test('is the chart and what it refers to outside, followed to the end', async () => {
    const page = await everything()

    expect(page).toMatchObject({ alive: true, found: true, total: 8, next: null })
    expect(addresses(page.matches)).toEqual([
      'Coverage/cov-1',
      'Observation/o5',
      'Observation/o2',
      'Observation/o1',
      'Observation/o3',
      'Observation/o4',
      'Patient/wren',
      'Provenance/p1',
    ])
    expect(addresses(page.included)).toEqual([
      'Organization/org-1',
      'Practitioner/pr-1',
      'PractitionerRole/role-1',
    ])
  })

  test('leaves out what lies outside and is not granted', async () => {
    const page = await everything('', { accessTo: (type) => (type === 'Organization' ? null : access(type)) })

    expect(addresses(page.included)).toEqual(['Practitioner/pr-1', 'PractitionerRole/role-1'])
  })

  test('comes page by page', async () => {
    const seen: string[] = []
    let after: Position | null = null
    do {
      const page: Awaited<ReturnType<typeof everything>> = await everything('_count=3', { after })
      seen.push(...addresses(page.matches))
      after = page.next
    } while (after !== null)

    expect(seen).toEqual(addresses((await everything()).matches))
  })

  test('may be asked for by type, time of change and time of care', async () => {
    const matches = async (query: string) => addresses((await everything(query)).matches)

    expect(await matches('_type=Patient,Organization')).toEqual(['Patient/wren'])
    expect(await matches('_since=2026-11-15T12:00:00.000Z')).toEqual(['Observation/o1'])
    expect(await matches('_since=2026-11-16T12:00:00.001Z')).toEqual([])
    expect(await matches('_type=Observation&start=2024-03-06')).toEqual(['Observation/o3', 'Observation/o4'])
    expect(await matches('_type=Observation&end=2024-03-04')).toEqual(['Observation/o3', 'Observation/o4'])
    expect(await matches('_type=Observation&end=2024-02-29')).toEqual(['Observation/o4'])
    expect((await everything('_count=0')).total).toBe(8)
  })

  test('finds nobody where there is nobody', async () => {
    expect(await everything('', { patientId: 'nobody' })).toMatchObject({
      found: false,
      total: 0,
      matches: [],
    })
    expect(await everything('_type=Observation', { patientId: 'nobody' })).toMatchObject({ found: false })
  })

  test.each([
    '_type=Nothing',
    '_since=2024',
    '_since=soon',
    'start=x',
    'end=2024-13-01',
    '_count=-1',
    '_count=1&_count=2',
    'flavour=1',
  ])('%s is refused', (query) => {
    expect(() => everything(query)).toThrow(expect.objectContaining({ kind: 'validation' }))
  })

  test('needs the complete chart, and is about nobody but the token’s patient', () => {
    const forbidden = expect.objectContaining({ kind: 'forbidden' })
    const filter: ScopeFilter = { parameter: 'category', system: null, code: 'x' }
    const juno = (type: FhirType) => access(type, [{ patientId: 'juno', filter: null }])

    expect(() =>
      everything('', { accessTo: (type) => (type === 'Provenance' ? null : access(type)) }),
    ).toThrow(forbidden)
    expect(() => everything('', { accessTo: (type) => access(type, [{ patientId: null, filter }]) })).toThrow(
      forbidden,
    )
    expect(() => everything('', { accessTo: juno })).toThrow(expect.objectContaining({ kind: 'not_found' }))
  })
})
