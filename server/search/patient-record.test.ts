import { describe, expect, test } from 'vitest'
import { identifierSystems } from '../contract/fhir/codes.ts'
import { toPatient } from './patient-record.ts'

const project = (fields: object) =>
  toPatient(JSON.stringify({ resourceType: 'Patient', id: 'pt-1', meta: { lastUpdated: 'then' }, ...fields }))

describe('the record of a patient', () => {
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
})
