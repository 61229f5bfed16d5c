/** The REST record of an encounter, from the stored FHIR text. https://hl7.org/fhir/R4/encounter.html */
import type * as fhir from 'fhir/r4.js'
import type { EncounterRecord } from '../../contract/rest/records.ts'
import { conceptCoding, idIn, toCoding } from '../../search/fhir-elements.ts'

export function toEncounter(content: string): EncounterRecord {
  const encounter = JSON.parse(content) as fhir.Encounter
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
