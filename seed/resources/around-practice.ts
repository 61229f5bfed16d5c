/** What stands around a practice: payers, the pharmacy, the roles of its clinicians, its address for machines. */
import type { Endpoint, Organization, PractitionerRole } from 'fhir/r4.js'
import { testDataLabel } from '../../server/contract/fhir/codes.ts'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'
import { endpointCodes, organizationKinds, specialties } from '../codes/codes.ts'
import { npi, phoneNumber } from '../people/identifiers.ts'
import type { Clinician } from '../people/person.ts'
import type { PracticeRow } from '../practices.ts'
import { payerIds } from './around-patient.ts'
import { practitioner } from './clinical-elements.ts'
import { concept, contactPoint, meta, npiIdentifier, workAddress } from './elements.ts'
import { pharmacyId } from './medication.ts'
import { organizationId } from './practice.ts'

const endpointId = 'ep-fhir'

/** @param practiceIndex place in the table of practices; makes the NPIs. */
export function neighbourResources(practice: PracticeRow, practiceIndex: number): Organization[] {
  const kinds = [
    [pharmacyId, 'Mockford Corner Pharmacy', organizationKinds.provider],
    [payerIds.commercial, 'Placeholder Mutual Health', organizationKinds.payer],
    [payerIds.public, 'Sample State Health Programme', organizationKinds.payer],
  ] as const
  return kinds.map(([id, name, kind], index) => ({
    resourceType: 'Organization',
    id,
    meta: meta('Organization'),
    identifier: [npiIdentifier(npi(practiceIndex * 100 + 90 + index))],
    active: true,
    type: [concept(kind)],
    name,
    telecom: [
      { system: 'phone', use: 'work', value: phoneNumber(practice.town.areaCode, 90 + index) },
      { system: 'email', use: 'work', value: `office@${id}.example` },
    ],
    address: [workAddress(`${90 + index} Sample Street`, practice.town)],
  }))
}

export function endpointResource(practice: PracticeRow): Endpoint {
  return {
    resourceType: 'Endpoint',
    id: endpointId,
    meta: { security: [{ ...testDataLabel }] },
    status: 'active',
    connectionType: { ...endpointCodes.fhirRest },
    name: `${practice.name}, records for apps`,
    managingOrganization: { reference: `Organization/${organizationId}` },
    payloadType: [concept(endpointCodes.anyPayload)],
    payloadMimeType: ['application/fhir+json'],
    address: basePlaceholder,
  }
}

/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-practitionerrole.html */
export function practitionerRoleResource(clinician: Clinician): PractitionerRole {
  const specialty = concept(specialties[clinician.specialty])
  return {
    resourceType: 'PractitionerRole',
    id: practitionerRoleId(clinician.id),
    meta: meta('PractitionerRole'),
    active: true,
    practitioner: practitioner(clinician.id),
    organization: { reference: `Organization/${organizationId}` },
    code: [specialty],
    specialty: [specialty],
    location: [{ reference: 'Location/loc-main' }],
    // One of each: pd-1, `telecom or endpoint`, is an error over several.
    telecom: clinician.telecom.slice(0, 1).map(contactPoint),
    endpoint: [{ reference: `Endpoint/${endpointId}` }],
  }
}

export function practitionerRoleId(clinicianId: string): string {
  return clinicianId.replace(/^pr-/, 'prr-')
}
