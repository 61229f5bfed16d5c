/** Resources for the tests of the store; synthetic, small. */
import { identifierSystems, testDataLabel } from '../../server/contract/fhir/codes.ts'
import type { Resource } from '../../server/store/index-rows.ts'

export interface ExamplePatient {
  id: string
  family: string
  given?: string[]
  mrn?: string
  born?: string
  gender?: string
}

export function examplePatient({
  id,
  family,
  given = ['Wren'],
  mrn,
  born,
  gender = 'female',
}: ExamplePatient): Resource {
  return {
    resourceType: 'Patient',
    id,
    meta: {
      profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-patient'],
      security: [testDataLabel],
    },
    identifier: [{ system: identifierSystems.medicalRecordNumber, value: mrn ?? `SYN-${id}` }],
    name: [{ use: 'official', family, given }],
    gender,
    ...(born === undefined ? {} : { birthDate: born }),
  }
}

export function exampleOrganization(id: string, name: string): Resource {
  return { resourceType: 'Organization', id, meta: { security: [testDataLabel] }, active: true, name }
}
