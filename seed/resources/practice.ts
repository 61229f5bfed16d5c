/** The practice itself: its Organization, its places and its clinicians, by their US Core 6.1.0 profiles. */
import type { Location, Organization, Practitioner } from 'fhir/r4.js'
import { practiceOrganizationId } from '../../server/contract/fhir/codes.ts'
import { organizationTypes } from '../codes/codes.ts'
import { npi, phoneNumber } from '../people/identifiers.ts'
import type { Clinician } from '../people/person.ts'
import type { PracticeRow } from '../practices.ts'
import { concept, contactPoint, humanName, meta, npiIdentifier, workAddress } from './elements.ts'

export { practiceOrganizationId as organizationId }

/** @param practiceIndex place in the table of practices; makes the NPI. */
export function organizationResource(practice: PracticeRow, practiceIndex: number): Organization {
  return {
    resourceType: 'Organization',
    id: practiceOrganizationId,
    meta: meta('Organization'),
    identifier: [npiIdentifier(npi(practiceIndex * 100))],
    active: true,
    type: [concept(organizationTypes.provider)],
    name: practice.name,
    telecom: [
      { system: 'phone', use: 'work', value: phoneNumber(practice.town.areaCode, 0) },
      { system: 'email', use: 'work', value: `office@${practice.slug}.example` },
    ],
    address: [workAddress('1 Example Square', practice.town)],
  }
}

export function locationResources(practice: PracticeRow): Location[] {
  return [
    location(practice, 'loc-main', `${practice.name}, main office`, '1 Example Square', 0),
    location(practice, 'loc-annex', `${practice.name}, annex`, '22 Sample Street', 1),
  ]
}

function location(practice: PracticeRow, id: string, name: string, street: string, line: number): Location {
  return {
    resourceType: 'Location',
    id,
    meta: meta('Location'),
    status: 'active',
    name,
    mode: 'instance',
    telecom: [{ system: 'phone', use: 'work', value: phoneNumber(practice.town.areaCode, line) }],
    address: workAddress(street, practice.town),
    managingOrganization: { reference: `Organization/${practiceOrganizationId}` },
  }
}

export function practitionerResource(clinician: Clinician, practice: PracticeRow): Practitioner {
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
