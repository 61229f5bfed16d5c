/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-encounter.html */
import type { Encounter } from 'fhir/r4.js'
import { namingSystems, participantTypes, profiles } from '../codes/codes.ts'
import type { EncounterEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, practitioner, reasons, subject } from './clinical-elements.ts'
import { concept } from './elements.ts'

export function encounterResource(event: EncounterEvent, context: Context): Encounter {
  const period = { start: event.at, end: event.end }
  return {
    resourceType: 'Encounter',
    id: context.id,
    meta: clinicalMeta(profiles.encounter, event.sensitive),
    identifier: [{ use: 'official', system: namingSystems.encounter, value: context.id.toUpperCase() }],
    status: 'finished',
    class: { ...event.class },
    type: [concept(event.type)],
    subject: subject(context),
    participant: [
      {
        type: [concept(participantTypes.primaryPerformer)],
        period,
        individual: practitioner(event.clinicianId),
      },
    ],
    period,
    ...reasons(event.reason, context),
    ...(event.discharge ? { hospitalization: { dischargeDisposition: concept(event.discharge) } } : {}),
    location: [{ location: { reference: `Location/${event.locationId}` } }],
    serviceProvider: { reference: `Organization/${context.organizationId}` },
  }
}
