/** Person → Patient, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-patient.html */
import type { Extension, Patient } from 'fhir/r4.js'
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { birthSexCodes, contactRelationships, extensionUrls, sexCodes } from '../codes/codes.ts'
import type { Person } from '../people/person.ts'
import { address, concept, contactPoint, humanName, meta, mrnIdentifier } from './elements.ts'

/** @param organizationId the practice's Organization. */
export function patientResource(person: Person, organizationId: string): Patient {
  const telecom = person.telecom.map(contactPoint)
  const addresses = person.addresses.map(address)
  return {
    resourceType: 'Patient',
    id: person.id,
    meta: meta('Patient'),
    extension: extensions(person),
    identifier: [mrnIdentifier(person.mrn)],
    active: person.deceasedAt === undefined && person.replacedById === undefined,
    name: person.names.map(humanName),
    ...(telecom.length > 0 ? { telecom } : {}),
    gender: person.sex,
    birthDate: person.birthDate,
    ...(person.deceasedAt ? { deceasedDateTime: person.deceasedAt } : {}),
    ...(addresses.length > 0 ? { address: addresses } : {}),
    ...(person.maritalStatus ? { maritalStatus: concept(person.maritalStatus) } : {}),
    ...(person.nextOfKin ? { contact: [nextOfKin(person.nextOfKin)] } : {}),
    communication: person.languages.map((language, index) => ({
      language: concept(language),
      preferred: index === 0,
    })),
    ...(person.generalPractitionerId
      ? { generalPractitioner: [{ reference: `Practitioner/${person.generalPractitionerId}` }] }
      : {}),
    managingOrganization: { reference: `Organization/${organizationId}` },
    ...(person.replacedById
      ? { link: [{ other: { reference: `Patient/${person.replacedById}` }, type: 'replaced-by' as const }] }
      : {}),
    // https://hl7.org/fhir/R4/patient-definitions.html#Patient.link: how a mother's record leads to her newborn's.
    ...(person.seenAsRelatedId
      ? {
          link: [
            { other: { reference: `RelatedPerson/${person.seenAsRelatedId}` }, type: 'seealso' as const },
          ],
        }
      : {}),
  }
}

function nextOfKin({ name, phone }: NonNullable<Person['nextOfKin']>) {
  return {
    relationship: [concept(contactRelationships.nextOfKin)],
    name: humanName(name),
    telecom: [{ system: 'phone' as const, use: 'mobile' as const, value: phone }],
  }
}

function extensions(person: Person): Extension[] {
  return [
    categories(extensionUrls.race, person.races, person.detailedRaces ?? []),
    categories(
      extensionUrls.ethnicity,
      [person.ethnicity],
      person.detailedEthnicity ? [person.detailedEthnicity] : [],
    ),
    ...(person.tribe
      ? [
          {
            url: extensionUrls.tribalAffiliation,
            extension: [{ url: 'tribalAffiliation', valueCodeableConcept: concept(person.tribe) }],
          },
        ]
      : []),
    { url: extensionUrls.birthSex, valueCode: birthSexCodes[person.sex] },
    { url: extensionUrls.sex, valueCode: sexCodes[person.sex] },
  ]
}

/** Race and ethnicity have the same parts: OMB categories, detailed codes, a text. */
function categories(url: string, omb: readonly Coding[], detailed: readonly Coding[]): Extension {
  const coded = (part: string) => (coding: Coding) => ({ url: part, valueCoding: { ...coding } })
  return {
    url,
    extension: [
      ...omb.map(coded('ombCategory')),
      ...detailed.map(coded('detailed')),
      { url: 'text', valueString: omb.map((coding) => coding.display).join(', ') },
    ],
  }
}
