/** The practice itself, and what stands around it, by their US Core 6.1.0 profiles. */
import type {
  Endpoint,
  FhirResource,
  Location,
  Organization,
  Practitioner,
  PractitionerRole,
} from 'fhir/r4.js'
import { practiceOrganizationId, testDataLabel } from '../../server/contract/fhir/codes.ts'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'
import { terms } from '../codes/codes.ts'
import { npi, phoneNumber } from '../people/draw.ts'
import type { Clinician } from '../people/person.ts'
import type { PracticeRow } from '../practices.ts'
import {
  concept,
  contactPoint,
  humanName,
  meta,
  npiIdentifier,
  practitioner,
  workAddress,
} from './elements.ts'
import { listedMedications, medicationResource, pharmacyId } from './medication.ts'

export const payerIds = { commercial: 'org-payer-commercial', public: 'org-payer-public' } as const
export const organization = { reference: `Organization/${practiceOrganizationId}` }
const endpointId = 'ep-fhir'

/** @param practiceIndex place in the table of practices; makes the NPIs. */
export function practiceResources(
  practice: PracticeRow,
  practiceIndex: number,
  clinicians: readonly Clinician[],
): FhirResource[] {
  return [
    organizationResource(practice, practiceIndex),
    ...neighbourResources(practice, practiceIndex),
    locationResource(practice, 'loc-main', `${practice.name}, main office`, '1 Example Square', 0),
    locationResource(practice, 'loc-annex', `${practice.name}, annex`, '22 Sample Street', 1),
    endpointResource(practice),
    ...clinicians.map((clinician) => practitionerResource(clinician, practice)),
    ...clinicians.map(practitionerRoleResource),
    ...listedMedications.map(medicationResource),
  ]
}

function organizationResource(practice: PracticeRow, practiceIndex: number): Organization {
  return {
    resourceType: 'Organization',
    id: practiceOrganizationId,
    meta: meta('Organization'),
    identifier: [npiIdentifier(npi(practiceIndex * 100))],
    active: true,
    type: [concept(terms.organizationTypes.provider)],
    name: practice.name,
    telecom: [
      { system: 'phone', use: 'work', value: phoneNumber(practice.town.areaCode, 0) },
      { system: 'email', use: 'work', value: `office@${practice.slug}.example` },
    ],
    address: [workAddress('1 Example Square', practice.town)],
  }
}

/** The pharmacy and those who pay. */
function neighbourResources(practice: PracticeRow, practiceIndex: number): Organization[] {
  const neighbours = [
    [pharmacyId, 'Mockford Corner Pharmacy', terms.organizationKinds.provider],
    [payerIds.commercial, 'Placeholder Mutual Health', terms.organizationKinds.payer],
    [payerIds.public, 'Sample State Health Programme', terms.organizationKinds.payer],
  ] as const
  return neighbours.map(([id, name, kind], index) => ({
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

function locationResource(
  practice: PracticeRow,
  id: string,
  name: string,
  street: string,
  line: number,
): Location {
  return {
    resourceType: 'Location',
    id,
    meta: meta('Location'),
    status: 'active',
    name,
    mode: 'instance',
    telecom: [{ system: 'phone', use: 'work', value: phoneNumber(practice.town.areaCode, line) }],
    address: workAddress(street, practice.town),
    managingOrganization: organization,
  }
}

/** The practice's address for machines. */
function endpointResource({ name }: PracticeRow): Endpoint {
  return {
    resourceType: 'Endpoint',
    id: endpointId,
    meta: { security: [{ ...testDataLabel }] },
    status: 'active',
    connectionType: { ...terms.endpointCodes.fhirRest },
    name: `${name}, records for apps`,
    managingOrganization: organization,
    payloadType: [concept(terms.endpointCodes.anyPayload)],
    payloadMimeType: ['application/fhir+json'],
    address: basePlaceholder,
  }
}

function practitionerResource(clinician: Clinician, practice: PracticeRow): Practitioner {
  return {
    resourceType: 'Practitioner',
    id: clinician.id,
    meta: meta('Practitioner'),
    identifier: [npiIdentifier(clinician.npi)],
    active: true,
    name: [humanName(clinician.name)],
    telecom: clinician.telecom.map(contactPoint),
    address: [workAddress('1 Example Square', practice.town)],
  }
}

/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-practitionerrole.html */
function practitionerRoleResource(clinician: Clinician): PractitionerRole {
  const specialty = concept(terms.specialties[clinician.specialty])
  return {
    resourceType: 'PractitionerRole',
    id: practitionerRoleId(clinician.id),
    meta: meta('PractitionerRole'),
    active: true,
    practitioner: practitioner(clinician.id),
    organization,
    code: [specialty],
    specialty: [specialty],
    location: [{ reference: 'Location/loc-main' }],
    // One of each: pd-1, `telecom or endpoint`, is an error over several.
    telecom: clinician.telecom.slice(0, 1).map(contactPoint),
    endpoint: [{ reference: `Endpoint/${endpointId}` }],
  }
}

export const practitionerRoleId = (clinicianId: string): string => clinicianId.replace(/^pr-/, 'prr-')
