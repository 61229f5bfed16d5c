/** The REST record of a provider, from FHIR's Practitioner and PractitionerRoles. https://hl7.org/fhir/R4/practitionerrole.html */
import type * as fhir from 'fhir/r4.js'
import type { PractitionerRecord } from '../../contract/rest/records.ts'
import {
  conceptCoding,
  currentName,
  identifierIn,
  idIn,
  toAddresses,
  toTelecom,
} from '../../search/fhir-elements.ts'

/** Roles in force, under the practitioner's id. */
export function rolesByPractitioner(contents: readonly string[]): Map<string, fhir.PractitionerRole[]> {
  const byPractitioner = new Map<string, fhir.PractitionerRole[]>()
  for (const content of contents) {
    const role = JSON.parse(content) as fhir.PractitionerRole
    const id = idIn(role.practitioner, 'Practitioner')
    if (id === null || role.active === false) continue
    byPractitioner.set(id, [...(byPractitioner.get(id) ?? []), role])
  }
  return byPractitioner
}

export function toPractitioner(content: string, roles: readonly fhir.PractitionerRole[]): PractitionerRecord {
  const practitioner = JSON.parse(content) as fhir.Practitioner
  const specialties = roles.flatMap(({ specialty = [] }) => specialty.map(conceptCoding))
  const locations = roles.flatMap(({ location = [] }) => location.map((each) => idIn(each, 'Location')))
  return {
    id: practitioner.id ?? '',
    npi: identifierIn(practitioner.identifier, 'nationalProvider'),
    name: currentName(practitioner.name),
    active: practitioner.active ?? true,
    telecom: toTelecom(practitioner.telecom),
    address: toAddresses(practitioner.address),
    specialties: [
      ...new Map(specialties.map((each) => [`${each.system}|${each.code}|${each.display}`, each])).values(),
    ],
    locationIds: [...new Set(locations.filter((id) => id !== null))],
    lastUpdated: practitioner.meta?.lastUpdated ?? '',
  }
}
