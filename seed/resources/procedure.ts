/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-procedure.html */
import type { Procedure } from 'fhir/r4.js'
import { profiles } from '../codes/codes.ts'
import type { ProcedureEvent } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  encounterOf,
  practitioner,
  reasons,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

export function procedureResource(event: ProcedureEvent, context: Context): Procedure {
  return {
    resourceType: 'Procedure',
    id: context.id,
    meta: clinicalMeta(profiles.procedure, event.sensitive),
    ...(event.basedOn ? { basedOn: [context.reference(event.basedOn)] } : {}),
    status: event.status ?? 'completed',
    code: concept(event.code),
    subject: subject(context),
    ...encounterOf(event, context),
    ...(event.end
      ? { performedPeriod: { start: event.at, end: event.end } }
      : { performedDateTime: event.at }),
    performer: [{ actor: practitioner(event.clinicianId) }],
    ...reasons(event.reason, context),
  }
}
