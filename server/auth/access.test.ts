import { describe, expect, test } from 'vitest'
import { type FhirType, fhirRegistry } from '../contract/fhir/registry.ts'
import type { ResourceScope } from '../contract/smart/scopes.ts'
import { accessTo, findAccess } from './access.ts'

const laboratory = { parameter: 'category', system: null, code: 'laboratory' } as const

function scope(
  context: ResourceScope['context'],
  type: ResourceScope['type'],
  more: Partial<ResourceScope> = {},
) {
  return {
    kind: 'resource',
    context,
    type,
    read: true,
    search: true,
    filter: null,
    version: 2,
    ...more,
  } as const
}

function caller(
  audience: 'patient' | 'clinician' | 'backend',
  scopes: ResourceScope[],
  patientId: string | null = null,
) {
  return { audience, patientId, scopes, typesAllowed: null }
}

describe('a patient’s token', () => {
  const wren = caller('patient', [scope('patient', '*'), scope('user', 'Observation')], 'wren')

  test('is confined to its chart in every type that lies in one, whatever the context of the scope', () => {
    for (const type of Object.keys(fhirRegistry) as FhirType[]) {
      const access = findAccess(wren, type, 'search')
      const inChart = fhirRegistry[type].compartment !== null
      if (fhirRegistry[type].audience === undefined) {
        expect(access, type).toMatchObject({ patientId: inChart ? 'wren' : null, needsPatient: false })
      }
    }
  })

  test('without a chart opens none, yet what lies outside of charts', () => {
    const nobody = caller('patient', [scope('patient', '*'), scope('user', '*')])

    expect(findAccess(nobody, 'Observation', 'read')).toBeNull()
    expect(findAccess(nobody, 'Practitioner', 'read')).not.toBeNull()
  })

  test('gets nothing by the scopes of a backend', () => {
    expect(findAccess(caller('patient', [scope('system', '*')], 'wren'), 'Observation', 'read')).toBeNull()
  })
})

describe('a clinician’s token', () => {
  test('with user scopes has to name the patient of a search', () => {
    const access = accessTo(
      caller('clinician', [scope('user', 'Observation')], 'wren'),
      'Observation',
      'search',
    )

    expect(access).toMatchObject({ patientId: null, needsPatient: true })
  })

  test('with patient scopes is about the patient of the launch', () => {
    const access = accessTo(
      caller('clinician', [scope('patient', 'Observation')], 'wren'),
      'Observation',
      'search',
    )

    expect(access).toMatchObject({ patientId: 'wren', needsPatient: false })
  })

  test('with both keeps apart what each is about', () => {
    const scopes = [scope('patient', 'Observation'), scope('user', 'Observation', { filter: laboratory })]
    const access = accessTo(caller('clinician', scopes, 'wren'), 'Observation', 'search')

    expect(access.grants).toEqual([
      { patientId: 'wren', filter: null },
      { patientId: null, filter: laboratory },
    ])
    expect(access.needsPatient).toBe(true)
  })
})

test('only backends see groups, and only by their own scopes', () => {
  expect(findAccess(caller('backend', [scope('system', 'Group')]), 'Group', 'search')).not.toBeNull()
  expect(findAccess(caller('backend', [scope('user', 'Group')]), 'Group', 'search')).toBeNull()
  expect(findAccess(caller('clinician', [scope('user', 'Group')]), 'Group', 'search')).toBeNull()
  expect(findAccess(caller('patient', [scope('patient', '*')], 'wren'), 'Group', 'search')).toBeNull()
})

test('reading and searching are granted apart', () => {
  const reader = caller('backend', [scope('system', 'Condition', { search: false })])

  expect(findAccess(reader, 'Condition', 'read')).not.toBeNull()
  expect(findAccess(reader, 'Condition', 'search')).toBeNull()
})

test('a filter that a type cannot be narrowed by grants nothing of it', () => {
  const narrow = caller('backend', [scope('system', '*', { filter: laboratory })])

  expect(findAccess(narrow, 'Observation', 'read')?.grants).toEqual([{ patientId: null, filter: laboratory }])
  expect(findAccess(narrow, 'Encounter', 'read')).toBeNull()
  expect(findAccess(narrow, 'Practitioner', 'read')).toBeNull()
})

test('what the practice’s policy keeps in is not granted by any scope', () => {
  const policed = { ...caller('backend', [scope('system', '*')]), typesAllowed: ['Patient'] }

  expect(findAccess(policed, 'Patient', 'read')).not.toBeNull()
  expect(findAccess(policed, 'Observation', 'read')).toBeNull()
})

test('a refusal names the type and nobody', () => {
  expect(() => accessTo(caller('patient', [], 'wren'), 'Goal', 'search')).toThrow(
    expect.objectContaining({ kind: 'forbidden', message: 'This token does not allow searching Goal.' }),
  )
})
