/** Every input of the builder, over every type of the statement, against the search that its request becomes. */
import { describe, expect, test } from 'vitest'
import { fhirOperationCalls } from '../../../server/contract/fhir/operation-calls.ts'
import { fhirOperations } from '../../../server/contract/fhir/operations.ts'
import { type FhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { modifiersOf } from '../../../server/contract/fhir/type-row.ts'
import { Problem } from '../../../server/contract/http/problems.ts'
import { capabilityStatement } from '../../../server/fhir/capability-statement.ts'
import type { Access } from '../../../server/search/access.ts'
import { compileSearch } from '../../../server/search/compile.ts'
import { parseParameters } from '../../../server/search/query-string.ts'
import { readCapability } from './capability.ts'
import { builderFields, comparisonField, valueField } from './fhir-fields.ts'
import { buildFhirRequest } from './fhir-request.ts'

const base = 'https://portal.example/r4/larkfield-sandbox'
const capability = readCapability(capabilityStatement({ base, practiceName: 'Larkfield' }))
const rows = capability.map((type) => [type.type as FhirType, type] as const)

const wide = (type: FhirType): Access => ({
  type,
  grants: [{ patientId: null, filter: null }],
  patientId: null,
  needsPatient: true,
})

function build(fields: Record<string, string | readonly string[]>) {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value)
  return buildFhirRequest(form, capability, base)
}

/** @throws Problem as the interface would refuse it, nothing left out for being unknown */
function understood(type: FhirType, path: string) {
  const parameters = parseParameters(path.split('?')[1] ?? '')
  return compileSearch({
    access: wide(type),
    parameters,
    handling: 'strict',
    base,
    now: new Date('2026-11-22T12:00:00Z'),
    after: null,
    accessTo: wide,
  })
}

const samples: Record<string, string> = {
  person: 'pt-wren-testwell',
  record: 'Encounter/en-1',
  id: 'pt-wren-testwell',
  code: 'http://loinc.org|4548-4',
  date: '2026-01',
  text: 'larkfield',
  canonical: 'https://forms.example/one|2',
}

/** A type in a chart is searched for somebody. */
function whose(type: FhirType): Record<string, string> {
  const { compartment } = registryRow(type)
  if (compartment === null) return {}
  return compartment === 'self' ? { 'p-meta-id': samples.id ?? '' } : { 'p-patient': samples.person ?? '' }
}

describe.each(rows)('%s', (type, row) => {
  const fields = builderFields(row)

  test('has an input for every parameter of the statement, the kind of the registry’s', () => {
    expect(fields.map(({ name }) => name)).toEqual(row.parameters.map(({ name }) => name))
    for (const { name, kind: input, comparisons } of fields) {
      const { kind } = registryRow(type).parameters.find((each) => each.name === name) ?? { kind: 'id' }
      const inputs = {
        id: 'id',
        updated: 'date',
        patient: 'person',
        string: 'text',
        identifier: 'code',
        token: 'code',
        date: 'date',
        reference: 'record',
        canonical: 'canonical',
      } as const
      const isOwner = kind === 'id' && registryRow(type).compartment === 'self'
      expect([name, input]).toEqual([name, isOwner ? 'person' : inputs[kind]])
      for (const modifier of modifiersOf[kind])
        expect([name, comparisons]).toEqual([name, expect.arrayContaining([modifier])])
    }
  })

  test('is understood with every way to compare every parameter', () => {
    for (const { name, kind, comparisons = [] } of fields)
      for (const comparison of comparisons.length === 0 ? ['eq'] : comparisons) {
        const built = build({
          type,
          ...whose(type),
          [valueField(name)]: samples[kind] ?? '',
          [comparisonField(name)]: comparison,
        })

        if (built.kind !== 'built') throw new Error(`${name} ${comparison}: ${built.message}`)
        expect(() => understood(type, built.request.path), built.request.path).not.toThrow()
        if (comparison !== 'eq')
          expect(built.request.path).toMatch(/:(missing=|not=|exact=|contains=)|=(ne|gt|ge|lt|le|sa|eb|ap)/)
      }
  })

  test('refuses what is not meant for a field beside it, or leaves that to the interface', () => {
    const wrong = [
      'https://evil.example/Patient/1',
      '//evil.example',
      '..%2f..%2fmetadata',
      '../../metadata',
      'Patient/../metadata',
      'a\r\nHost: evil.example',
      'x'.repeat(501),
      '𝔘ñïçødé \u202e\u2028',
      ',',
      ',,,',
      '\\',
      '|',
      '$everything',
    ]
    for (const { name, kind } of fields)
      for (const value of wrong) {
        const built = build({ type, ...whose(type), [valueField(name)]: value })
        const shown = `${name} ${value.slice(0, 40)}`
        if (built.kind === 'refused') expect(built.field, shown).toBe(valueField(name))
        else {
          expect(['record', 'person'], shown).not.toContain(kind)
          expect(built.request.path, shown).toMatch(new RegExp(`^${type}\\?[!-~]+$`))
          expect(outcomeOf(type, built.request.path), shown).toBeLessThan(500)
        }
      }
  })
})

function outcomeOf(type: FhirType, path: string): number {
  try {
    understood(type, path)
    return 200
  } catch (thrown) {
    return thrown instanceof Problem ? thrown.status : 599
  }
}

describe('a reference', () => {
  test.each(['en-1', 'Encounter/en-1', `${base}/Encounter/en-1`, 'en-1,en-2'])('may be %s', (value) => {
    const built = build({ type: 'Condition', 'p-patient': 'pt-1', 'p-encounter': value })

    if (built.kind !== 'built') throw new Error(built.message)
    expect(new URLSearchParams(built.request.path.split('?')[1]).get('encounter')).toBe(value)
    expect(() => understood('Condition', built.request.path)).not.toThrow()
  })

  test.each([
    'https://evil.example/Encounter/1',
    `${base}@evil.example/Encounter/1`,
    `${base}/Encounter/../../other`,
    'Encounter/1/_history/2',
    'Encounter/..',
    'a b',
    'en-1,https://evil.example',
  ])('is not %s', (value) => {
    expect(build({ type: 'Condition', 'p-encounter': value })).toMatchObject({
      kind: 'refused',
      field: 'p-encounter',
    })
  })
})

describe('an operation', () => {
  const all = { 'o-meta-type': ['Condition', 'Patient'], 'o-start': '2024', 'o-meta-count': '5' }

  test('is built from its own inputs', () => {
    expect(build({ type: 'Patient', operation: 'everything', id: 'pt-1', ...all })).toMatchObject({
      kind: 'built',
      request: { path: 'Patient/pt-1/$everything?_type=Condition%2CPatient&start=2024&_count=5' },
    })
    expect(build({ type: 'DocumentReference', operation: 'docref', 'o-on-demand': 'true' })).toMatchObject({
      kind: 'built',
      request: { path: 'DocumentReference/$docref?on-demand=true' },
    })
  })

  test('has an input for every parameter that its documentation names', () => {
    for (const [name, { documentation }] of Object.entries(fhirOperations)) {
      const said = /Parameters: ([^.]*)\./.exec(documentation)?.[1]?.split(', ') ?? []
      const inputs = fhirOperationCalls[name as keyof typeof fhirOperationCalls].inputs.map(
        (input) => input.name,
      )
      expect(inputs).toEqual(expect.arrayContaining(said))
    }
  })

  test.each([
    [{ type: 'Patient', operation: 'everything', id: '../metadata' }, 'id'],
    [{ type: 'Patient', operation: 'everything', id: '' }, 'id'],
    [{ type: 'Patient', operation: 'everything', id: 'a/$ccda' }, 'id'],
    [{ type: 'Patient', operation: 'everything', id: 'a\r\nX: y' }, 'id'],
    [{ type: 'Patient', operation: 'everything', id: 'a', 'o-meta-type': 'Evil' }, 'o-meta-type'],
    [{ type: 'Patient', operation: 'everything', id: 'a', 'o-meta-count': '501' }, 'o-meta-count'],
    [{ type: 'Patient', operation: 'everything', id: 'a', 'o-start': 'x'.repeat(501) }, 'o-start'],
    [{ type: 'Patient', operation: 'docref' }, 'operation'],
    [{ type: 'Patient', operation: 'export' }, 'operation'],
    [{ type: 'Patient', operation: '__proto__' }, 'operation'],
    [{ type: 'Group', operation: 'export', id: 'a' }, 'operation'],
    [{ type: 'DocumentReference', operation: 'docref', 'o-patient': 'https://evil.example/1' }, 'o-patient'],
    [{ type: 'DocumentReference', operation: 'docref', 'o-on-demand': 'yes' }, 'o-on-demand'],
    [{ type: 'DocumentReference', operation: 'attachment', id: 'a', 'o-ordinal': '-1' }, 'o-ordinal'],
  ])('%j is refused beside its field', (fields, field) => {
    expect(build(fields as unknown as Record<string, string>)).toMatchObject({ kind: 'refused', field })
  })
})
