/** Pieces that several resources are made of. */
import type { Address, CodeableConcept, ContactPoint, HumanName, Identifier, Meta } from 'fhir/r4.js'
import {
  type Coding,
  identifierSystems,
  identifierTypes,
  testDataLabel,
} from '../../server/contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import type { PersonName } from '../people/names.ts'
import type { Contact, PersonAddress } from '../people/person.ts'
import type { Town } from '../practices.ts'

/** The type's profile, and the label that says: nobody's real record. */
export function meta(type: FhirType): Meta {
  return { profile: [...registryRow(type).profiles], security: [{ ...testDataLabel }] }
}

export function humanName(name: PersonName): HumanName {
  return {
    use: name.use,
    text: [...(name.prefix ?? []), ...name.given, name.family, ...(name.suffix ?? [])].join(' '),
    family: name.family,
    given: [...name.given],
    ...(name.prefix ? { prefix: [...name.prefix] } : {}),
    ...(name.suffix ? { suffix: [...name.suffix] } : {}),
    ...(name.ended ? { period: { end: name.ended } } : {}),
  }
}

export function address({ use, line, city, state, postalCode, ended }: PersonAddress): Address {
  return {
    use,
    line: [...line],
    city,
    state,
    postalCode,
    country: 'US',
    ...(ended ? { period: { end: ended } } : {}),
  }
}

export function workAddress(street: string, { city, state, postalCode }: Town): Address {
  return { use: 'work', line: [street], city, state, postalCode, country: 'US' }
}

export function contactPoint({ system, use, value }: Contact): ContactPoint {
  return { system, use, value }
}

export function concept(coding: Coding, text = coding.display): CodeableConcept {
  return { coding: [{ ...coding }], ...(text ? { text } : {}) }
}

export function mrnIdentifier(value: string): Identifier {
  return {
    use: 'usual',
    type: concept(identifierTypes.medicalRecordNumber),
    system: identifierSystems.medicalRecordNumber,
    value,
  }
}

export function npiIdentifier(value: string): Identifier {
  return { system: identifierSystems.nationalProvider, value }
}
