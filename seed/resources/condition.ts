/**
 * https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-condition-problems-health-concerns.html and
 * https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-condition-encounter-diagnosis.html
 */
import type { Condition } from 'fhir/r4.js'
import {
  conditionCategories,
  conditionStatuses,
  conditions,
  conditionVerifications,
  extensionUrls,
  profiles,
} from '../codes/codes.ts'
import type { ConditionEvent } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  concepts,
  encounterOf,
  practitioner,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

export function conditionResource(event: ConditionEvent, context: Context): Condition {
  const { codings, text } = conditions[event.code]
  const mistaken = event.verification === 'mistaken'
  return {
    resourceType: 'Condition',
    id: context.id,
    meta: clinicalMeta(event.role === 'diagnosis' ? profiles.diagnosis : profiles.problem, event.sensitive),
    // What is recorded at a visit is asserted there. What is known from before has only its onset.
    ...(event.visit === undefined
      ? {}
      : { extension: [{ url: extensionUrls.assertedDate, valueDateTime: event.recorded }] }),
    // con-5: nothing entered in error has a clinical status.
    ...(mistaken
      ? {}
      : { clinicalStatus: concept(event.abated ? conditionStatuses.resolved : conditionStatuses.active) }),
    verificationStatus: concept(conditionVerifications[event.verification ?? 'confirmed']),
    category: [
      concept(conditionCategories[event.role]),
      ...(event.screening ? [concept(event.screening)] : []),
    ],
    code: concepts(codings, text),
    subject: subject(context),
    ...encounterOf(event, context),
    ...(event.onset ? { onsetDateTime: event.onset } : {}),
    ...(event.abated ? { abatementDateTime: event.abated } : {}),
    recordedDate: event.recorded,
    recorder: practitioner(context.clinicianId),
  }
}
