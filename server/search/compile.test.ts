import { describe, expect, test } from 'vitest'
import { type FhirType, searchParameterNumbers } from '../contract/fhir/registry.ts'
import { type Problem, toProblem } from '../contract/http/problems.ts'
import type { Access, Grant } from './access.ts'
import { type CompiledSearch, compileSearch, type Handling } from './compile.ts'
import { parseParameters } from './query-string.ts'

const base = 'https://fhir.example/r4/harbor'
const now = new Date('2026-11-20T12:00:00Z')

function access(type: FhirType, grants: Grant[]): Access {
  const confined = grants.every(({ patientId }) => patientId !== null)
  return {
    type,
    grants,
    patientId: confined ? (grants[0]?.patientId ?? null) : null,
    needsPatient: !confined,
  }
}

const wide = (type: FhirType) => access(type, [{ patientId: null, filter: null }])
const own = (type: FhirType) => access(type, [{ patientId: 'wren', filter: null }])

function compile(
  type: FhirType,
  query: string,
  {
    as = wide(type),
    handling = 'strict',
    accessTo = wide,
  }: { as?: Access; handling?: Handling; accessTo?: (type: FhirType) => Access | null } = {},
): CompiledSearch {
  const parameters = parseParameters(query)
  return compileSearch({ access: as, parameters, handling, base, now, after: null, accessTo })
}

function refusal(type: FhirType, query: string, options?: Parameters<typeof compile>[2]): Problem {
  try {
    compile(type, query, options)
  } catch (thrown) {
    return toProblem(thrown)
  }
  throw new Error(`${type}?${query} was not refused`)
}

describe('the patient of a search', () => {
  test.each([
    'patient=wren',
    'patient=Patient/wren',
    `patient=${base}/Patient/wren`,
    'patient=wren&patient=Patient/wren',
  ])('%s names one chart', (query) => {
    expect(compile('Observation', query).plan.visible).toEqual({
      type: 'Observation',
      patientId: 'wren',
      codes: null,
    })
  })

  test('is the token’s when it has one, named or not', () => {
    expect(compile('Observation', '', { as: own('Observation') }).patientId).toBe('wren')
    expect(compile('Observation', 'patient=wren', { as: own('Observation') }).patientId).toBe('wren')
  })

  test.each([
    ['Observation', 'code=1', 'patient'],
    ['Patient', 'name=wren', '_id'],
  ] as const)('%s?%s without one is refused as required', (type, query, field) => {
    expect(refusal(type, query)).toMatchObject({ status: 400, fhirIssue: 'required', field })
  })

  test.each([
    ['Observation', 'patient=juno'],
    ['Patient', '_id=juno'],
  ] as const)('%s?%s of another than the token’s is forbidden', (type, query) => {
    expect(refusal(type, query, { as: own(type) })).toMatchObject({ status: 403 })
  })

  test.each([
    ['Observation', 'patient=wren,juno'],
    ['Observation', 'patient=wren&patient=juno'],
    ['Patient', '_id=wren,juno'],
    ['Observation', 'patient=Practitioner/wren'],
    ['Observation', 'patient=https://elsewhere.example/Patient/wren'],
    ['Observation', 'patient=Patient/wren/_history/1'],
    ['Observation', 'patient='],
  ] as const)('%s?%s is refused', (type, query) => {
    expect(refusal(type, query)).toMatchObject({ status: 400, field: query.split('=')[0] })
  })

  test('is not asked for outside the compartment, nor taken', () => {
    expect(compile('Practitioner', 'name=a').plan.visible.patientId).toBeNull()
    expect(refusal('Practitioner', 'patient=wren')).toMatchObject({ status: 400, fhirIssue: 'not-supported' })
  })
})

describe('what is not offered', () => {
  test.each([
    ['code:text=x', 'code', ':missing, :not'],
    ['code:foo=', 'code', ':missing, :not'],
    ['code:not:not=x', 'code', ':missing, :not'],
    ['date:exact=2020', 'date', ':missing'],
    ['patient:missing=true', 'patient', 'no modifiers'],
    ['_lastUpdated:missing=true', '_lastUpdated', 'no modifiers'],
    ['flavour=x', 'unknown_parameter', 'category, code, date'],
    ['_total=accurate', 'unknown_parameter', '_count, _sort'],
    ['_summary=true', 'unknown_parameter', '_revinclude'],
    ['_elements=id', 'unknown_parameter', 'patient'],
    ['_contained=true', 'unknown_parameter', 'patient'],
    ['_sort=code', '_sort', 'date, -date, _lastUpdated, -_lastUpdated'],
    ['_sort=date,_lastUpdated', '_sort', 'date'],
    ['_include=Observation:subject', '_include', 'It has none'],
    ['_include=*', '_include', 'It has none'],
    ['_include:iterate=Provenance:target', 'unknown_parameter', 'patient'],
    ['_revinclude=Provenance:patient', '_revinclude', 'Provenance:target'],
    ['_revinclude=Provenance:target:Goal', '_revinclude', 'Provenance:target'],
  ])('%s is refused with its name and what is supported', (query, field, supported) => {
    const problem = refusal('Observation', `patient=wren&${query}`)

    expect(problem).toMatchObject({ status: 400, fhirIssue: 'not-supported', field })
    expect(problem.message).toContain(supported)
  })

  test('is left out and told of under lenient handling', () => {
    const compiled = compile(
      'Observation',
      'patient=wren&code:text=x&flavour=x&_sort=code&_include=*&_total=none&code=1',
      { handling: 'lenient' },
    )

    expect(compiled.ignored.map(({ name }) => name)).toEqual([
      'code:text',
      'flavour',
      '_sort',
      '_include',
      '_total',
    ])
    expect(compiled.ignored.every(({ reason }) => reason.includes('not supported'))).toBe(true)
    expect(compiled.understood).toEqual([
      ['patient', 'wren'],
      ['code', '1'],
    ])
    expect(compiled.plan.criteria).toHaveLength(1)
  })

  test.each(['patient.name=x', 'subject:Patient.name=x', '_has:Provenance:target:agent=x', '_has=x'])(
    'chained search %s is not there, lenient or not',
    (query) => {
      for (const handling of ['strict', 'lenient'] as const)
        expect(refusal('Observation', `patient=wren&${query}`, { handling }).status).toBe(404)
    },
  )

  test('a name of the caller is repeated short and harmless', () => {
    const problem = refusal(
      'Observation',
      `patient=wren&${encodeURIComponent(`\u001b[31m${'x'.repeat(500)}`)}=1`,
    )

    expect(problem.message).toContain('?[31mxxx')
    expect(problem.message).not.toMatch(/x{100}/)
  })
})

describe('values', () => {
  test.each([
    ['date=2024-13', 'date'],
    ['date=zz2024', 'date'],
    ['date=', 'date'],
    ['date=2024-01-01T10', 'date'],
    ['_lastUpdated=yesterday', '_lastUpdated'],
    ['_count=-1', '_count'],
    ['_count=ten', '_count'],
    ['_count=', '_count'],
    ['_count=1&_count=2', '_count'],
    ['_sort=date&_sort=-date', '_sort'],
    ['code=', 'code'],
    ['code=a,,b', 'code'],
    ['code=|', 'code'],
    ['code:missing=maybe', 'code'],
    [Array.from({ length: 16 }, () => 'date=2020').join('&'), 'date'],
    [`code=${Array.from({ length: 201 }, (_, code) => code).join(',')}`, 'code'],
  ])('%s is refused, lenient or not', (query, field) => {
    for (const handling of ['strict', 'lenient'] as const)
      expect(refusal('Observation', `patient=wren&${query}`, { handling })).toMatchObject({
        status: 400,
        field,
      })
  })

  test.each([
    ['a', { system: null, code: 'a' }],
    ['s|a', { system: 's', code: 'a' }],
    ['|a', { system: '', code: 'a' }],
    ['s|', { system: 's', code: null }],
    ['s|a|b', { system: 's', code: 'a|b' }],
    ['s\\|a', { system: null, code: 's|a' }],
    ['a\\,b', { system: null, code: 'a,b' }],
    ['a\\\\', { system: null, code: 'a\\' }],
    ['a\\x', { system: null, code: 'a\\x' }],
    ['a\\', { system: null, code: 'a\\' }],
  ])('the token %s is read as it is written', (text, token) => {
    const { plan } = compile('Observation', `patient=wren&code=${encodeURIComponent(text)}`)

    expect(plan.criteria).toEqual([
      {
        kind: 'tokens',
        parameter: searchParameterNumbers.code,
        values: [token],
        negated: false,
        exact: false,
      },
    ])
  })

  test.each(['!!!', '%20', "'"])('the text %s names nothing and is refused', (text) => {
    expect(refusal('Practitioner', `name=${text}`)).toMatchObject({ status: 400, field: 'name' })
  })
})

describe('what is included', () => {
  test('has the rules of its own type, in the same chart', () => {
    const narrow = (type: FhirType) =>
      access(type, [{ patientId: 'wren', filter: { parameter: 'category', system: 's', code: 'c' } }])
    const { plan } = compile(
      'CareTeam',
      'patient=wren&_include=CareTeam:participant&_revinclude=Provenance:target',
      {
        accessTo: (type) => (type === 'RelatedPerson' ? narrow(type) : wide(type)),
      },
    )

    expect(
      plan.includes.map(({ direction, visible }) => [direction, visible.type, visible.patientId]),
    ).toEqual([
      ['forward', 'PractitionerRole', null],
      ['forward', 'Practitioner', null],
      ['forward', 'Patient', 'wren'],
      ['forward', 'RelatedPerson', 'wren'],
      ['reverse', 'Provenance', 'wren'],
    ])
    expect(plan.includes[3]?.visible.codes).toEqual([
      { parameter: searchParameterNumbers.category, system: 's', code: 'c' },
    ])
  })

  test.each([
    ['MedicationRequest:medication', 1],
    ['MedicationRequest:medication:Medication', 1],
  ])('%s leads to medications', (value, includes) => {
    expect(compile('MedicationRequest', `patient=wren&_include=${value}`).plan.includes).toHaveLength(
      includes,
    )
  })

  test('is withheld, and said to be, without a grant of its own', () => {
    const { plan, ignored } = compile('Observation', 'patient=wren&_revinclude=Provenance:target', {
      accessTo: () => null,
    })
    const ofAnother = compile('Observation', 'patient=wren&_revinclude=Provenance:target', {
      accessTo: (type) => access(type, [{ patientId: 'juno', filter: null }]),
    })

    expect(plan.includes).toEqual([])
    expect(ignored).toEqual([
      { name: '_revinclude', reason: 'Provenance is not granted to this token, so none is included.' },
    ])
    expect(ofAnother.plan.includes).toEqual([])
  })
})
