import { describe, expect, test } from 'vitest'
import { capabilityStatement } from '../../../server/fhir/capability-statement.ts'
import { readCapability } from './capability.ts'
import { buildFhirRequest } from './fhir-request.ts'
import { neededScopes, scopeText } from './fhir-token.ts'

const base = 'https://portal.example/r4/larkfield-sandbox'
const capability = readCapability(capabilityStatement({ base, practiceName: 'Larkfield' }))

function build(fields: Record<string, string | string[]>) {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value)
  return buildFhirRequest(form, capability, base)
}

const pathOf = (fields: Record<string, string | string[]>) => {
  const built = build(fields)
  return built.kind === 'built' ? built.request.path : `refused ${built.field}`
}

describe('a request of the builder', () => {
  test('is a search of what the statement offers, values encoded and dates with their prefix', () => {
    expect(
      pathOf({
        type: 'Observation',
        'p-patient': 'pt-wren-testwell',
        'p-code': 'http://loinc.org|4548-4',
        'p-date': '2026-01-01',
        'x-date': 'ge',
        revinclude: 'Provenance:target',
        sort: '-date',
        count: '20',
      }),
    ).toBe(
      'Observation?patient=pt-wren-testwell&code=http%3A%2F%2Floinc.org%7C4548-4&date=ge2026-01-01&_revinclude=Provenance%3Atarget&_sort=-date&_count=20'
        .split('&')
        .sort((one, other) => orderOf(one) - orderOf(other))
        .join('&'),
    )
  })

  /** The order of the statement's parameters, then includes, order and count. */
  function orderOf(pair: string): number {
    const name = pair.replace(/^.*\?/, '').split('=')[0] ?? ''
    const names = capability.find(({ type }) => type === 'Observation')?.parameters.map((each) => each.name)
    return [...(names ?? []), '_revinclude', '_sort', '_count'].indexOf(name)
  }
})

describe('what would lead elsewhere is refused', () => {
  test.each([
    { type: 'https://evil.example/Patient' },
    { type: '../../../staff' },
    { type: 'Patient/../../api' },
    { type: '//evil.example' },
    { type: 'Patient', interaction: 'read', id: '../metadata' },
    { type: 'Patient', interaction: 'read', id: '..' },
    { type: 'Patient', interaction: 'read', id: '.' },
    { type: 'Patient', interaction: 'read', id: '%2e%2e%2fmetadata' },
    { type: 'Patient', interaction: 'read', id: 'a/b' },
    { type: 'Patient', interaction: 'read', id: 'a?x=1' },
    { type: 'Patient', interaction: 'read', id: 'a\r\nHost: evil.example' },
    { type: 'Patient', interaction: 'read', id: '$everything' },
    { go: 'https://evil.example/Patient/1' },
    { go: '//evil.example/1' },
    { next: 'https://evil.example/r4/larkfield-sandbox/Patient' },
    { next: `${base}@evil.example/Patient` },
    { next: `${base}.evil.example/Patient` },
    { next: `${base}/../other-practice/Patient` },
    { next: `${base}/%2e%2e/other-practice/Patient` },
    { next: `${base}/..%2fother-practice/Patient` },
    { next: `${base}/Patient/../../other-practice/Patient` },
    { next: `${base}/Patient#x` },
    { next: `${base}/Patient/pt-1/$export` },
    { next: `${base}/Patient/pt-1/$everything/more` },
    { next: `${base}/Patient/$everything` },
    { next: `${base}/Group/all/$export?_type=Patient` },
    { next: `${base}/Patient/%2e%2e/$everything` },
    { next: `${base}/DocumentReference/../../$docref` },
    { go: 'Patient/1/$everything' },
    { type: 'Patient', operation: 'everything', id: 'https://evil.example' },
    { type: 'Patient', operation: '$everything', id: 'pt-1' },
    { type: 'Patient', operation: 'everything/../../other', id: 'pt-1' },
    { next: `${base}\\..\\other/Patient` },
    { next: `${base}/token` },
    { next: `${base}/Patient\r\nX-Evil: 1` },
    { next: 'https://portal.example/r4/other-practice/Patient' },
    { next: 'file:///etc/passwd' },
    { next: '/r4/larkfield-sandbox/Patient' },
  ])('%j', (fields) => {
    expect(build(fields as unknown as Record<string, string>).kind).toBe('refused')
  })

  test('a value that looks like a parameter or a header stays a value', () => {
    expect(pathOf({ type: 'Patient', 'p-family': 'a&_count=1#x\r\nHost: evil' })).toBe(
      'Patient?family=a%26_count%3D1%23x%0D%0AHost%3A+evil',
    )
  })
})

describe('scopes', () => {
  const request = {
    interaction: 'search',
    type: 'MedicationRequest',
    path: 'MedicationRequest',
    included: ['Provenance'],
  } as const

  test('of a call are one for its type, and one for every type that is added', () => {
    expect(neededScopes('patient', request)).toEqual(['patient/MedicationRequest.s', 'patient/Provenance.rs'])
    expect(neededScopes('clinician', { ...request, interaction: 'read', included: [] })).toEqual([
      'user/MedicationRequest.r',
    ])
  })

  test('can leave out just the type that is asked for', () => {
    const types = ['Condition', 'Group', 'MedicationRequest']
    const given = { request, types, own: '' }

    expect(scopeText('without', { ...given, kind: 'patient' })).toBe('patient/Condition.rs')
    expect(scopeText('without', { ...given, kind: 'clinician' })).toBe('user/Condition.rs user/Group.rs')
    expect(scopeText('all', { ...given, kind: 'clinician' })).toBe('user/*.rs')
  })
})
