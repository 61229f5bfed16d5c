/** Person → Patient, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-patient.html */
import type { Extension, Patient } from 'fhir/r4.js'
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { terms } from '../codes/codes.ts'
import type { Person } from '../people/person.ts'
import { address, concept, contactPoint, humanName, meta, mrnIdentifier, practitioner } from './elements.ts'
import { organization } from './practice.ts'

export function patientResource(person: Person): Patient {
  const { maritalStatus, nextOfKin, generalPractitionerId } = person
  const link = linkOf(person)
  return {
    resourceType: 'Patient',
    id: person.id,
    meta: meta('Patient'),
    extension: extensions(person),
    identifier: [mrnIdentifier(person.mrn)],
    active: person.deceasedAt === undefined && person.replacedById === undefined,
    name: person.names.map(humanName),
    telecom: person.telecom.length > 0 ? person.telecom.map(contactPoint) : undefined,
    gender: person.sex,
    birthDate: person.birthDate,
    deceasedDateTime: person.deceasedAt,
    address: person.addresses.length > 0 ? person.addresses.map(address) : undefined,
    maritalStatus: maritalStatus && concept(maritalStatus),
    contact: nextOfKin && [
      {
        relationship: [concept(terms.contactRelationships.nextOfKin)],
        name: humanName(nextOfKin.name),
        telecom: [{ system: 'phone', use: 'mobile', value: nextOfKin.phone }],
      },
    ],
    communication: person.languages.map((language, index) => ({
      language: concept(language),
      preferred: index === 0,
    })),
    generalPractitioner: generalPractitionerId ? [practitioner(generalPractitionerId)] : undefined,
    managingOrganization: organization,
    link: link && [link],
  }
}

/** https://hl7.org/fhir/R4/patient-definitions.html#Patient.link: how a mother's record leads to her newborn's, too. */
function linkOf({ replacedById, seenAsRelatedId }: Person) {
  if (replacedById) return { other: { reference: `Patient/${replacedById}` }, type: 'replaced-by' as const }
  if (seenAsRelatedId)
    return { other: { reference: `RelatedPerson/${seenAsRelatedId}` }, type: 'seealso' as const }
  return undefined
}

function extensions(person: Person): Extension[] {
  const { ethnicity, detailedEthnicity, tribe, sex } = person
  const affiliation = tribe && [{ url: 'tribalAffiliation', valueCodeableConcept: concept(tribe) }]
  return [
    categories(terms.extensionUrls.race, person.races, person.detailedRaces ?? []),
    categories(terms.extensionUrls.ethnicity, [ethnicity], detailedEthnicity ? [detailedEthnicity] : []),
    ...(affiliation ? [{ url: terms.extensionUrls.tribalAffiliation, extension: affiliation }] : []),
    { url: terms.extensionUrls.birthSex, valueCode: terms.birthSexCodes[sex] },
    { url: terms.extensionUrls.sex, valueCode: terms.sexCodes[sex] },
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
