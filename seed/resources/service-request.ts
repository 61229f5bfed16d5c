/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-servicerequest.html */
import type { ServiceRequest } from 'fhir/r4.js'
import { profiles } from '../codes/codes.ts'
import type { OrderEvent } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  concepts,
  encounterOf,
  practitioner,
  reasons,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

export function serviceRequestResource(event: OrderEvent, context: Context): ServiceRequest {
  return {
    resourceType: 'ServiceRequest',
    id: context.id,
    meta: clinicalMeta(profiles.serviceRequest, event.sensitive),
    status: event.status ?? 'completed',
    intent: 'order',
    category: [concept(event.category)],
    code: concepts([event.code], event.text),
    subject: subject(context),
    ...encounterOf(event, context),
    occurrencePeriod: { start: event.at, ...(event.until ? { end: event.until } : {}) },
    authoredOn: event.at,
    requester: practitioner(context.clinicianId),
    ...reasons(event.reason, context),
  }
}
