import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FhirType, fhirRegistry } from '../contract/fhir/registry.ts'
import { isProblem } from '../contract/http/problems.ts'
import type { Access } from './access.ts'
import { compileSearch, type Handling, type Parameter } from './compile.ts'
import { compileEverything } from './everything.ts'
import { parseParameters } from './query-string.ts'

const types = Object.keys(fhirRegistry) as FhirType[]
const names = [
  ...new Set(types.flatMap((type) => fhirRegistry[type].parameters.map(({ name }) => name as string))),
]
const now = new Date('2026-11-20T12:00:00Z')

const access = (type: FhirType): Access => ({
  type,
  grants: [{ patientId: 'wren', filter: null }],
  patientId: fhirRegistry[type].compartment === null ? null : 'wren',
  needsPatient: false,
})

const name = fc.oneof(
  fc.constantFrom(
    ...names,
    '_count',
    '_sort',
    '_include',
    '_revinclude',
    '_since',
    '_type',
    'start',
    'end',
    'constructor',
  ),
  fc.string({ maxLength: 12 }),
)
const modifier = fc.constantFrom(
  '',
  '',
  '',
  ':not',
  ':missing',
  ':exact',
  ':contains',
  ':text',
  ':',
  '.x',
  ':toString',
)
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    'wren',
    'Patient/wren',
    'true',
    '2024',
    'ge2024-02',
    'Provenance:target',
    '-date',
    's|c',
    '10',
    '-1',
    '9'.repeat(40),
  ),
  fc
    .array(fc.constantFrom('\\', ',', '|', '$', 'a', '/', ':', '2020', ' '), { maxLength: 9 })
    .map((parts) => parts.join('')),
)
const parameter = fc
  .tuple(name, modifier, value)
  .map(([code, suffix, text]): Parameter => [`${code}${suffix}`, text])

/** What is thrown, unless it is a refusal of the request. */
function faultOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (thrown) {
    return isProblem(thrown) && [400, 403, 404].includes(thrown.status) ? null : thrown
  }
}

test('whatever is asked is understood or refused, and never a fault', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...types),
      fc.array(parameter, { maxLength: 5 }),
      fc.constantFrom<Handling>('strict', 'lenient'),
      (type, parameters, handling) => {
        const request = { parameters, handling, after: null, accessTo: access }
        const compile = () =>
          compileSearch({ ...request, access: access(type), base: 'https://fhir.example/r4/x', now })

        expect(faultOf(compile)).toBeNull()
        expect(faultOf(() => compileEverything({ ...request, patientId: 'wren' }))).toBeNull()
      },
    ),
    { numRuns: 3_000, seed: 42 },
  )
})

test('what was understood, asked again, is the same plan', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.array(parameter, { maxLength: 4 }), (type, parameters) => {
      const compile = (asked: readonly Parameter[]) =>
        compileSearch({
          access: access(type),
          parameters: asked,
          handling: 'lenient',
          base: 'https://fhir.example/r4/x',
          now,
          after: null,
          accessTo: access,
        })
      let first: ReturnType<typeof compile>
      try {
        first = compile(parameters)
      } catch {
        return
      }

      const again = compile(first.understood)

      expect(again.plan).toEqual(first.plan)
      expect(again.understood).toEqual(first.understood)
    }),
    { numRuns: 2_000, seed: 42 },
  )
})

test('any parameters survive a query string', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !each.includes('\0'))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), (pairs) => {
      const query = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')

      expect(parseParameters(query)).toEqual(pairs)
    }),
    { numRuns: 300, seed: 42 },
  )
})
