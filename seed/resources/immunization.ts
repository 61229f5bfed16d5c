/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-immunization.html */
import type { Immunization } from 'fhir/r4.js'
import { profiles } from '../codes/profiles.ts'
import { vaccines } from '../codes/vaccines.ts'
import type { ImmunizationEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, encounterOf, practitioner, subject } from './clinical-elements.ts'
import { concept } from './elements.ts'

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
    ...(event.lot ? { lotNumber: event.lot } : {}),
    ...(event.seen && !event.refused ? { performer: [{ actor: practitioner(context.clinicianId) }] } : {}),
  }
}
