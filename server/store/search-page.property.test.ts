import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FhirType, fhirRegistry, type SearchParameterRow } from '../contract/fhir/registry.ts'
import type { Access, Grant } from '../search/access.ts'
import { compileSearch, type Parameter } from '../search/compile.ts'
import { planPatientList, planProvider, planProviders, planProvidersOf, withRoles } from '../search/lists.ts'
import { noLiveness } from './liveness.ts'
import { compilePage } from './search-page.ts'

const types = Object.keys(fhirRegistry) as FhirType[]

/** Every form that the kinds of parameters have. */
const forms: Readonly<
  Record<SearchParameterRow['kind'], readonly (readonly [suffix: string, value: string])[]>
> = {
  id: [
    ['', 'a'],
    ['', 'a,b'],
  ],
  updated: [
    ['', '2024'],
    ['', 'ge2024'],
  ],
  patient: [['', 'wren']],
  string: [
    ['', 'a'],
    [':exact', 'a,b'],
    [':contains', 'a'],
    [':missing', 'true'],
  ],
  identifier: [
    ['', 'a'],
    ['', 's|'],
    [':not', 's|a,b'],
    [':missing', 'false'],
  ],
  token: [
    ['', 'a,s|b'],
    ['', 's|'],
    ['', 's|,a'],
    [':not', 'a'],
    [':missing', 'true'],
    [':missing', 'false'],
  ],
  date: [
    ['', '2024'],
    ['', 'le2024,gt2026'],
    [':missing', 'true'],
  ],
  reference: [
    ['', 'a'],
    [':missing', 'true'],
  ],
  canonical: [['', 'https://forms.example/q|1']],
}

function access(type: FhirType, grant: Grant): Access {
  const inChart = fhirRegistry[type].compartment !== null
  const own = inChart ? grant : { ...grant, patientId: null }
  return { type, grants: [own], patientId: own.patientId, needsPatient: inChart && own.patientId === null }
}

const filters = [null, { parameter: 'category', system: 's', code: 'c' } as const]

test('statements of one name have one text, and every value of a plan is a parameter of it', () => {
  const texts = new Map<string, string>()
  const request = fc.record({
    type: fc.constantFrom(...types),
    picks: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 5 }),
    more: fc.subarray(['_sort=_lastUpdated', '_count=0', '_include', '_revinclude']),
    after: fc.constantFrom(null, { sort: '2024-01-01 00:00:00+00', id: 'x' }),
    filter: fc.constantFrom(...filters),
    includedFilter: fc.constantFrom(...filters),
  })
  fc.assert(
    fc.property(request, ({ type, picks, more, after, filter, includedFilter }) => {
      const row = fhirRegistry[type]
      const offered = row.parameters.filter(
        ({ offered, kind }) =>
          offered !== false && kind !== 'patient' && !(kind === 'id' && row.compartment === 'self'),
      )
      const criteria = picks.flatMap(([at, form]): Parameter[] => {
        const parameter = offered[at % Math.max(offered.length, 1)]
        const list = parameter ? forms[parameter.kind] : []
        const [suffix, value] = list[form % list.length] ?? ['', '']
        return parameter ? [[`${parameter.name}${suffix}`, value]] : []
      })
      const results = more.flatMap((each): Parameter[] => {
        if (each === '_include') return row.includes.map((value) => [each, value])
        if (each === '_revinclude') return row.revIncludes.map((value) => [each, value])
        return [each.split('=') as [string, string]]
      })
      const { plan } = compileSearch({
        access: access(type, { patientId: 'wren', filter }),
        parameters: [...criteria, ...results],
        handling: 'strict',
        base: 'https://fhir.example/r4/x',
        now: new Date('2026-11-20T12:00:00Z'),
        after,
        accessTo: (included) => access(included, { patientId: 'wren', filter: includedFilter }),
      })

      const { shape, text, values } = compilePage(1, plan, noLiveness)

      expect(texts.get(shape) ?? text).toBe(text)
      texts.set(shape, text)
      const places = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      expect([...places].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1))
    }),
    { numRuns: 2_000, seed: 42 },
  )
  expect(texts.size).toBeGreaterThan(200)
})

test('so it is with lists in the order of names', () => {
  const texts = new Map<string, string>()
  const list = fc.record({
    q: fc.constantFrom(undefined, 'wren', '0042', '#'),
    mrn: fc.constantFrom(undefined, 'SYN-1'),
    dob: fc.constantFrom(undefined, '1971', '1971-04', '1971-04-09'),
    limit: fc.integer({ min: 1, max: 200 }),
    offset: fc.constantFrom(0, 1, 99, 1_000),
  })
  const page = { limit: 25, offset: 0 }
  const plans = fc.oneof(
    list.map(planPatientList),
    fc.constantFrom(planProviders(page), planProvider('pr-1'), planProvidersOf('loc-1', page)),
  )
  fc.assert(
    fc.property(plans, fc.boolean(), (plan, roles) => {
      const { shape, text, values } = compilePage(1, roles ? withRoles(plan) : plan, noLiveness)

      expect(texts.get(shape) ?? text).toBe(text)
      texts.set(shape, text)
      const places = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      expect([...places].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1))
    }),
    { numRuns: 500, seed: 42 },
  )
  expect(texts.size).toBeGreaterThan(20)
})
