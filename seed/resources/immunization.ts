/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-immunization.html */
import type { Immunization } from 'fhir/r4.js'
import { absentReasons, extensionUrls, profiles, vaccines } from '../codes/codes.ts'
import type { ImmunizationEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, encounterOf, practitioner, subject } from './clinical-elements.ts'
import { concept } from './elements.ts'

/** https://hl7.org/fhir/R4/extension-data-absent-reason.html */
const unknown = {
  extension: [{ url: extensionUrls.absentReason, valueCode: absentReasons.unknown.code }],
}

export function immunizationResource(event: ImmunizationEvent, context: Context): Immunization {
  return {
    resourceType: 'Immunization',
    id: context.id,
    meta: clinicalMeta(profiles.immunization),
    status: event.refused ? 'not-done' : 'completed',
    ...(event.refused ? { statusReason: concept(event.refused) } : {}),
    vaccineCode: concept(vaccines[event.vaccine].coding),
    patient: subject(context),
    ...encounterOf(event, context),
    occurrenceDateTime: event.at,
    primarySource: event.seen,
    ...(event.lot ? { lotNumber: event.lot } : event.refused ? {} : { _lotNumber: unknown }),
    ...(event.seen && !event.refused ? { performer: [{ actor: practitioner(context.clinicianId) }] } : {}),
  }
}
