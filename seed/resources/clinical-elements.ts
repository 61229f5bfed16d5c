/** Pieces of clinical resources, and what every builder of them gets. */
import type { CodeableConcept, Coding as FhirCoding, Meta, Narrative, Quantity, Reference } from 'fhir/r4.js'
import { type Coding, testDataLabel } from '../../server/contract/fhir/codes.ts'
import { namingSystems, sensitivityLabels } from '../codes/codes.ts'
import type { Quantity as Measured, Reason } from '../timeline/events.ts'
import { concept } from './elements.ts'

/** What a builder may know beyond its event. */
export interface Context {
  readonly patientId: string
  /** What to call the patient in a narrative. */
  readonly patientName: string
  readonly organizationId: string
  /** Of the patient's own clinician. */
  readonly clinicianId: string
  readonly id: string
  /** Address of another event's resource. @throws when the key is nobody's */
  readonly reference: (key: string) => Reference
}

export function clinicalMeta(profile: string, sensitive = false): Meta {
  const quiet: FhirCoding[] = sensitive
    ? [{ ...sensitivityLabels.restricted }, { ...sensitivityLabels.psychiatry }]
    : []
  return { profile: [profile], security: [{ ...testDataLabel }, ...quiet] }
}

export function subject({ patientId }: Context): Reference {
  return { reference: `Patient/${patientId}` }
}

export function practitioner(id: string): Reference {
  return { reference: `Practitioner/${id}` }
}

export function encounterOf(event: { readonly visit?: string }, { reference }: Context) {
  return event.visit === undefined ? {} : { encounter: reference(event.visit) }
}

export function concepts(codings: readonly Coding[], text?: string): CodeableConcept {
  const shown = text ?? codings[0]?.display
  return { coding: codings.map((coding) => ({ ...coding })), ...(shown ? { text: shown } : {}) }
}

export function quantity({ value, unit }: Measured): Quantity {
  return { value, unit, system: namingSystems.ucum, code: unit }
}

export function reasons(reason: Reason | undefined, { reference }: Context) {
  if (reason === undefined) return {}
  if ('condition' in reason) return { reasonReference: [reference(reason.condition)] }
  return { reasonCode: [concept(reason.coding)] }
}

/** Generated from the structured parts, as FHIR's narrative status says. */
export function narrative(title: string, lines: readonly string[]): Narrative {
  const items = lines.map((line) => `<li>${escaped(line)}</li>`).join('')
  return {
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml"><p><b>${escaped(title)}</b></p>${items ? `<ul>${items}</ul>` : ''}</div>`,
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
