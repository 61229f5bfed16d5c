/** Converts stored FHIR resources to REST records. https://hl7.org/fhir/R4/documentreference.html */
import type * as fhir from 'fhir/r4.js'
import type { DocumentRecord, EncounterRecord, PractitionerRecord } from '../contract/rest/records.ts'
import {
  conceptCoding,
  currentName,
  identifierIn,
  idIn,
  type JsonText,
  toAddresses,
  toCoding,
  toTelecom,
} from '../search/fhir-elements.ts'

export function toDocument(content: JsonText): DocumentRecord {
  const document = JSON.parse(content.toString()) as fhir.DocumentReference
  const attachment = document.content[0]?.attachment
  return {
    id: document.id ?? '',
    patientId: idIn(document.subject, 'Patient') ?? '',
    encounterId: idIn(document.context?.encounter?.[0], 'Encounter'),
    title: attachment?.title ?? document.description ?? null,
    type: conceptCoding(document.type),
    contentType: attachment?.contentType ?? null,
    size: attachment?.size ?? null,
    sha256: hashIn(identifierIn(document.identifier, 'uri')),
    authoredAt: attachment?.creation ?? document.date ?? null,
    authorId: idIn(document.author?.[0], 'Practitioner'),
    status: document.status,
    lastUpdated: document.meta?.lastUpdated ?? '',
  }
}

/** https://www.rfc-editor.org/rfc/rfc6920#section-3 */
function hashIn(uri: string | null): string | null {
  const [, hash] = /^ni:\/\/\/sha-256;([\w-]{43})$/.exec(uri ?? '') ?? []
  return hash === undefined ? null : Buffer.from(hash, 'base64url').toString('hex')
}

// The REST record of an encounter, from the stored FHIR text. https://hl7.org/fhir/R4/encounter.html

export function toEncounter(content: JsonText): EncounterRecord {
  const encounter = JSON.parse(content.toString()) as fhir.Encounter
  const [reason] = encounter.reasonCode ?? []
  return {
    id: encounter.id ?? '',
    patientId: idIn(encounter.subject, 'Patient') ?? '',
    practitionerId: idIn(encounter.participant?.[0]?.individual, 'Practitioner'),
    locationId: idIn(encounter.location?.[0]?.location, 'Location'),
    status: encounter.status,
    class: toCoding(encounter.class),
    type: conceptCoding(encounter.type?.[0]),
    reason: reason?.text ?? reason?.coding?.[0]?.display ?? null,
    start: encounter.period?.start ?? null,
    end: encounter.period?.end ?? null,
    lastUpdated: encounter.meta?.lastUpdated ?? '',
  }
}

// The REST record of a provider, from FHIR's Practitioner and PractitionerRoles. https://hl7.org/fhir/R4/practitionerrole.html

/** @returns active roles by the practitioner's id */
export function rolesByPractitioner(contents: readonly JsonText[]): Map<string, fhir.PractitionerRole[]> {
  const byPractitioner = new Map<string, fhir.PractitionerRole[]>()
  for (const content of contents) {
    const role = JSON.parse(content.toString()) as fhir.PractitionerRole
    const id = idIn(role.practitioner, 'Practitioner')
    if (id === null || role.active === false) continue
    byPractitioner.set(id, [...(byPractitioner.get(id) ?? []), role])
  }
  return byPractitioner
}

export function toPractitioner(
  content: JsonText,
  roles: readonly fhir.PractitionerRole[],
): PractitionerRecord {
  const practitioner = JSON.parse(content.toString()) as fhir.Practitioner
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
