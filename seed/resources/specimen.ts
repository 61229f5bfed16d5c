/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-specimen.html */
import type { Specimen } from 'fhir/r4.js'
import { profiles } from '../codes/codes.ts'
import type { SpecimenEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, subject } from './clinical-elements.ts'
import { concept } from './elements.ts'

export function specimenResource(event: SpecimenEvent, context: Context): Specimen {
  return {
    resourceType: 'Specimen',
    id: context.id,
    meta: clinicalMeta(profiles.specimen),
    status: 'available',
    type: concept(event.type),
    subject: subject(context),
    collection: { collectedDateTime: event.at },
  }
}
