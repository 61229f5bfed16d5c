/**
 * https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-diagnosticreport-lab.html and
 * https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-diagnosticreport-note.html
 */
import type { Attachment, DiagnosticReport } from 'fhir/r4.js'
import { profiles } from '../codes/codes.ts'
import type { ReportEvent } from '../timeline/events.ts'
import {
  type Context,
  clinicalMeta,
  concepts,
  encounterOf,
  practitioner,
  subject,
} from './clinical-elements.ts'
import { concept } from './elements.ts'

/** @param attachments of the document that holds the report as written, the very same. */
export function reportResource(
  event: ReportEvent,
  context: Context,
  attachments: readonly Attachment[],
): DiagnosticReport {
  return {
    resourceType: 'DiagnosticReport',
    id: context.id,
    meta: clinicalMeta(event.profile === 'lab' ? profiles.reportLab : profiles.reportNote, event.sensitive),
    ...(event.basedOn ? { basedOn: [context.reference(event.basedOn)] } : {}),
    status: 'final',
    category: [concept(event.category)],
    code: concepts([event.code], event.text),
    subject: subject(context),
    ...encounterOf(event, context),
    effectiveDateTime: event.at,
    issued: event.issued,
    performer: [practitioner(context.clinicianId), { reference: `Organization/${context.organizationId}` }],
    ...(event.specimen ? { specimen: [context.reference(event.specimen)] } : {}),
    ...(event.results.length > 0 ? { result: event.results.map(context.reference) } : {}),
    ...(event.conclusion ? { conclusion: event.conclusion } : {}),
    ...(attachments.length > 0 ? { presentedForm: [...attachments] } : {}),
  }
}
