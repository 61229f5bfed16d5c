import { expect, test } from 'vitest'
import {
  type FhirType,
  fhirRegistry,
  fhirTypeNumbers,
  isFhirType,
  searchParameterNumbers,
} from './registry.ts'

test('no two types and no two search parameters share a number', () => {
  for (const numbers of [Object.values(fhirTypeNumbers), Object.values(searchParameterNumbers)]) {
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.every((number) => number > 0 && number < 32_768)).toBe(true)
  }
})

// Stored rows carry these numbers: a change here is data loss. Add lines, never edit one.
test('the numbers that stand in stored rows have not moved', () => {
  expect(
    Object.entries(fhirTypeNumbers)
      .map(([name, number]) => `${number} ${name}`)
      .join(', '),
  ).toBe(
    '1 AllergyIntolerance, 2 CarePlan, 3 CareTeam, 4 Condition, 5 Coverage, 6 Device, 7 DiagnosticReport, ' +
      '8 DocumentReference, 9 Encounter, 10 Endpoint, 11 Goal, 12 Immunization, 13 Location, 14 Medication, ' +
      '15 MedicationDispense, 16 MedicationRequest, 17 Observation, 18 Organization, 19 Patient, 20 Practitioner, ' +
      '21 PractitionerRole, 22 Procedure, 23 Provenance, 24 QuestionnaireResponse, 25 RelatedPerson, ' +
      '26 ServiceRequest, 27 Specimen, 28 Group',
  )
  expect(Object.entries(searchParameterNumbers).map(([name, number]) => `${number} ${name}`)).toEqual(
    expect.arrayContaining([
      '1 family',
      '4 identifier',
      '5 birthdate',
      '7 gender',
      '14 link',
      '17 patient',
      '19 category',
      '20 code',
      '46 target',
      '51 refers',
    ]),
  )
})

test('a type names each of its search parameters once, and at most one date sorts it', () => {
  for (const row of Object.values(fhirRegistry)) {
    const names = row.parameters.map((parameter) => parameter.name)

    expect(new Set(names).size).toBe(names.length)
    expect(row.parameters.filter((parameter) => parameter.sorts).length).toBeLessThanOrEqual(1)
  }
})

test('every type has a row, an id and a time of change, and its includes name its own references', () => {
  expect(Object.keys(fhirRegistry).sort()).toEqual(Object.keys(fhirTypeNumbers).sort())
  for (const [type, row] of Object.entries(fhirRegistry)) {
    const offered = row.parameters.filter((parameter) => parameter.offered !== false)
    const references = row.parameters.filter((parameter) => parameter.kind === 'reference')

    expect(offered.map((parameter) => parameter.name)).toEqual(
      expect.arrayContaining(['_id', '_lastUpdated']),
    )
    for (const include of row.includes) {
      const [source, name, target] = include.split(':')
      expect(source).toBe(type)
      expect(references.map((parameter) => parameter.name)).toContain(name)
      if (target !== undefined) expect(isFhirType(target)).toBe(true)
    }
    for (const include of row.revIncludes) {
      const [source = '', name] = include.split(':')
      expect(fhirRegistry[source as FhirType].parameters.map((parameter) => parameter.name)).toContain(name)
    }
  }
})

test('a chart is asked for by patient wherever a type lies in one, and nowhere else', () => {
  for (const [type, row] of Object.entries(fhirRegistry)) {
    const patient = row.parameters.find((parameter) => parameter.kind === 'patient')
    if (Array.isArray(row.compartment)) expect(patient?.paths).toEqual(row.compartment)
    else expect(patient, type).toBeUndefined()
  }
})
