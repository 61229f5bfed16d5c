/** Elements that several resources share. Undefined parts are removed later. */
import type {
  Address,
  CodeableConcept,
  ContactPoint,
  Coding as FhirCoding,
  HumanName,
  Identifier,
  Meta,
  Narrative,
  Quantity,
  Reference,
} from 'fhir/r4.js'
import {
  type Coding,
  identifierSystems,
  identifierTypes,
  testDataLabel,
} from '../../server/contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import { terms } from '../codes/codes.ts'
import type { Contact, PersonAddress, PersonName } from '../people/person.ts'
import type { Town } from '../practices.ts'
import type { Quantity as Measured, ObservedValue, Reason } from '../timeline/events.ts'

/** Information for builders beside the event. */
export interface Context {
  readonly patientId: string
  /** The patient's name in narratives. */
  readonly patientName: string
  /** The clinician of the visit, or else the patient's own. */
  readonly clinicianId: string
  readonly id: string
  /** A reference to another event's resource. @throws if no event has the key */
  readonly reference: (key: string) => Reference
}

/** The type's profile and the label for synthetic data. */
export function meta(type: FhirType): Meta {
  return { profile: [...registryRow(type).profiles], security: [{ ...testDataLabel }] }
}

export function clinicalMeta(profile: string, sensitive = false): Meta {
  const { restricted, psychiatry } = terms.sensitivityLabels
  const quiet: FhirCoding[] = sensitive ? [{ ...restricted }, { ...psychiatry }] : []
  return { profile: [profile], security: [{ ...testDataLabel }, ...quiet] }
}

export const patient = ({ patientId }: Context): Reference => ({ reference: `Patient/${patientId}` })

export const practitioner = (id: string): Reference => ({ reference: `Practitioner/${id}` })

/** An optional reference to another event. */
export const optional = (key: string | undefined, { reference }: Context): Reference | undefined =>
  key === undefined ? undefined : reference(key)

/** Undefined for an empty list, which FHIR does not allow. */
export const references = (keys: readonly string[] = [], { reference }: Context): Reference[] | undefined =>
  keys.length > 0 ? keys.map((key) => reference(key)) : undefined

export function reasons(reason: Reason | undefined, { reference }: Context) {
  if (reason === undefined) return {}
  if ('condition' in reason) return { reasonReference: [reference(reason.condition)] }
  return { reasonCode: [concept(reason.coding)] }
}

export const concept = (coding: Coding, text = coding.display): CodeableConcept => concepts([coding], text)

export function concepts(codings: readonly Coding[], text = codings[0]?.display): CodeableConcept {
  return { coding: codings.map((coding) => ({ ...coding })), text: text || undefined }
}

export function quantity({ value, unit }: Measured): Quantity {
  return { value, unit, system: terms.namingSystems.ucum, code: unit }
}

export function observedValue(observed: ObservedValue | undefined) {
  if (observed === undefined) return {}
  if ('quantity' in observed) return { valueQuantity: quantity(observed.quantity) }
  if ('codings' in observed) return { valueCodeableConcept: concepts(observed.codings) }
  return 'text' in observed ? { valueString: observed.text } : { valueBoolean: observed.boolean }
}

export function humanName(name: PersonName): HumanName {
  return {
    use: name.use,
    text: [...(name.prefix ?? []), ...name.given, name.family, ...(name.suffix ?? [])].join(' '),
    family: name.family,
    given: [...name.given],
    prefix: name.prefix && [...name.prefix],
    suffix: name.suffix && [...name.suffix],
    period: name.ended ? { end: name.ended } : undefined,
  }
}

export function address({ use, line, city, state, postalCode, ended }: PersonAddress): Address {
  const period = ended ? { end: ended } : undefined
  return { use, line: [...line], city, state, postalCode, country: 'US', period }
}

export function workAddress(street: string, { city, state, postalCode }: Town): Address {
  return { use: 'work', line: [street], city, state, postalCode, country: 'US' }
}

export const contactPoint = ({ system, use, value }: Contact): ContactPoint => ({ system, use, value })

export function mrnIdentifier(value: string): Identifier {
  const type = concept(identifierTypes.medicalRecordNumber)
  return { use: 'usual', type, system: identifierSystems.medicalRecordNumber, value }
}

export function npiIdentifier(value: string): Identifier {
  return { system: identifierSystems.nationalProvider, value }
}

/** Generated from the structured parts, as FHIR's narrative status says. */
export function narrative(title: string, lines: readonly string[]): Narrative {
  const items = lines.map((line) => `<li>${escapeXml(line)}</li>`).join('')
  return {
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml"><p><b>${escapeXml(title)}</b></p>${items ? `<ul>${items}</ul>` : ''}</div>`,
  }
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
