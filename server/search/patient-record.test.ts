import { describe, expect, test } from 'vitest'
import { identifierSystems } from '../contract/fhir/codes.ts'
import { patientSchema } from '../contract/rest/records.ts'
import { toPatient } from './patient-record.ts'

const project = (fields: object) =>
  toPatient(JSON.stringify({ resourceType: 'Patient', id: 'pt-1', meta: { lastUpdated: 'then' }, ...fields }))

describe('the record of a patient', () => {
  test('of whom nothing is known has every field all the same', () => {
    const record = project({})

    expect(patientSchema.parse(record)).toEqual(record)
    expect(record).toMatchObject({
      mrn: null,
      name: { family: null, given: [] },
      birthDate: null,
      sex: 'unknown',
      telecom: [],
      address: [],
      language: null,
      active: true,
      deceased: false,
      deceasedAt: null,
    })
  })

  test('shows the name in use, not an earlier one', () => {
    const { name } = project({
      name: [
        { use: 'old', family: 'Exampleton', given: ['Otis'] },
        { use: 'usual', given: ['Oti'] },
        { use: 'official', family: 'Samplewood', given: ['Otis', 'Lee'] },
      ],
    })

    expect(name).toEqual({ family: 'Samplewood', given: ['Otis', 'Lee'] })
    expect(project({ name: [{ use: 'old', family: 'Exampleton' }] }).name.family).toBe('Exampleton')
  })

  test('takes the practice’s number for the MRN and no other', () => {
    const record = project({
      identifier: [
        { system: 'http://hl7.org/fhir/sid/us-ssn', value: '000-00-0000' },
        { system: identifierSystems.medicalRecordNumber, value: 'SYN-1' },
      ],
    })

    expect(record.mrn).toBe('SYN-1')
  })

  test('puts the preferred way to reach somebody first, and the address in use', () => {
    const record = project({
      telecom: [
        { system: 'phone', value: '(207) 555-0101' },
        { system: 'email', value: 'a@people.example', rank: 1 },
        { system: 'phone' },
      ],
      address: [
        { use: 'old', city: 'Mockford' },
        { use: 'home', city: 'Samplehaven', line: ['1 Sample Street'] },
      ],
    })

    expect(record.telecom.map(({ value }) => value)).toEqual(['a@people.example', '(207) 555-0101'])
    expect(record.address.map(({ city }) => city)).toEqual(['Samplehaven', 'Mockford'])
  })

  test('says that somebody died, with or without the day', () => {
    expect(project({ deceasedBoolean: true })).toMatchObject({ deceased: true, deceasedAt: null })
    expect(project({ deceasedDateTime: '2025-11-30' })).toMatchObject({
      deceased: true,
      deceasedAt: '2025-11-30',
    })
    expect(project({ deceasedBoolean: false })).toMatchObject({ deceased: false, deceasedAt: null })
  })

  test('names the preferred language, else the first', () => {
    const speaks = (...languages: [string, boolean?][]) =>
      project({
        communication: languages.map(([code, preferred]) => ({
          language: { coding: [{ code }] },
          ...(preferred && { preferred }),
        })),
      }).language

    expect(speaks(['en'], ['es', true])).toBe('es')
    expect(speaks(['en'], ['es'])).toBe('en')
  })
})
