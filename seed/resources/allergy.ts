/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-allergyintolerance.html */
import type { AllergyIntolerance } from 'fhir/r4.js'
import { allergyStatuses, allergyVerifications, profiles } from '../codes/codes.ts'
import type { AllergyEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, practitioner, subject } from './clinical-elements.ts'
import { concept } from './elements.ts'

export function allergyResource(event: AllergyEvent, context: Context): AllergyIntolerance {
  return {
    resourceType: 'AllergyIntolerance',
    id: context.id,
    meta: clinicalMeta(profiles.allergy),
    clinicalStatus: concept(event.resolved ? allergyStatuses.resolved : allergyStatuses.active),
    verificationStatus: concept(
      event.unconfirmed ? allergyVerifications.unconfirmed : allergyVerifications.confirmed,
    ),
    ...(event.category ? { type: 'allergy', category: [event.category] } : {}),
    ...(event.criticality ? { criticality: event.criticality } : {}),
    code: concept(event.substance),
    patient: subject(context),
    ...(event.onset ? { onsetDateTime: event.onset } : {}),
    recordedDate: event.at,
    recorder: practitioner(context.clinicianId),
    ...(event.reactions.length > 0
      ? {
          reaction: event.reactions.map(({ code, severity }) => ({
            manifestation: [concept(code)],
            severity,
          })),
        }
      : {}),
  }
}
