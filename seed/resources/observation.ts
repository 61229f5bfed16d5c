/** One builder for the 21 Observation profiles: what differs between them lies in the event. */
import type { Observation, ObservationComponent } from 'fhir/r4.js'
import { observationProfiles } from '../codes/codes.ts'
import { issuedAt } from '../people/calendar.ts'
import type { ObservationEvent, ObservedComponent, ObservedValue } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  concepts,
  encounterOf,
  practitioner,
  quantity,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

export function observationResource(event: ObservationEvent, context: Context): Observation {
  const { range } = event
  return {
    resourceType: 'Observation',
    id: context.id,
    meta: clinicalMeta(observationProfiles[event.profile], event.sensitive),
    status: event.status ?? 'final',
    category: event.categories.map((category) => concept(category)),
    code: concepts(event.codes, event.text),
    subject: subject(context),
    ...encounterOf(event, context),
    ...(event.since ? { effectivePeriod: { start: event.since } } : { effectiveDateTime: event.at }),
    ...(event.profile === 'lab' ? { issued: issuedAt(event.at) } : {}),
    performer: [practitioner(context.clinicianId)],
    ...(event.value ? value(event.value) : {}),
    ...(event.absent ? { dataAbsentReason: concept(event.absent) } : {}),
    ...(event.interpretation ? { interpretation: [concept(event.interpretation)] } : {}),
    ...(event.specimen ? { specimen: context.reference(event.specimen) } : {}),
    ...(range
      ? {
          referenceRange: [
            {
              ...(range.low === undefined ? {} : { low: quantity({ value: range.low, unit: range.unit }) }),
              ...(range.high === undefined
                ? {}
                : { high: quantity({ value: range.high, unit: range.unit }) }),
            },
          ],
        }
      : {}),
    ...(event.members ? { hasMember: event.members.map(context.reference) } : {}),
    ...(event.derivedFrom ? { derivedFrom: event.derivedFrom.map(context.reference) } : {}),
    ...(event.components ? { component: event.components.map(component) } : {}),
  }
}

function component({ code, value: observed, absent }: ObservedComponent): ObservationComponent {
  return {
    code: concept(code),
    ...(observed ? value(observed) : {}),
    ...(absent ? { dataAbsentReason: concept(absent) } : {}),
  }
}

function value(observed: ObservedValue) {
  if ('quantity' in observed) return { valueQuantity: quantity(observed.quantity) }
  if ('codings' in observed) return { valueCodeableConcept: concepts(observed.codings, observed.text) }
  return 'text' in observed ? { valueString: observed.text } : { valueBoolean: observed.boolean }
}
