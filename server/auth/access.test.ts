import { describe, expect, test } from 'vitest'
import { type FhirType, fhirRegistry } from '../contract/fhir/registry.ts'
import type { ResourceScope } from '../contract/smart/scopes.ts'
import { findAccess } from './access.ts'

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
})

test('a filter that a type cannot be narrowed by grants nothing of it', () => {
  const narrow = caller('backend', [scope('system', '*', { filter: laboratory })])

  expect(findAccess(narrow, 'Observation', 'read')?.grants).toEqual([{ patientId: null, filter: laboratory }])
  expect(findAccess(narrow, 'Encounter', 'read')).toBeNull()
  expect(findAccess(narrow, 'Practitioner', 'read')).toBeNull()
})
