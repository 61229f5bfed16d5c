import { expect, test } from 'vitest'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { identifierSystems } from '../contract/fhir/codes.ts'
import { compartmentOwner, indexRows } from './index-rows.ts'

const wren = {
  ...examplePatient({ id: 'pt-wren', family: 'Testwell', mrn: 'SYN-004217', born: '1971-04-09' }),
  name: [
    { use: 'old', family: 'Exemplar', given: ['Wren'] },
    { use: 'official', family: 'de la Testwell', given: ['Wren', 'Zoë'], suffix: ['Jr.'] },
  ],
  deceasedDateTime: '2026-11-04T10:20:00-05:00',
  managingOrganization: { reference: 'Organization/org-1' },
  generalPractitioner: [
    { reference: 'Practitioner/pr-1' },
    { reference: 'https://elsewhere.example/Practitioner/2' },
  ],
}

test('a patient is its own compartment, and an organization has none', () => {
  expect(compartmentOwner('Patient', wren)).toBe('pt-wren')
  expect(compartmentOwner('Organization', { resourceType: 'Organization', id: 'o' })).toBeNull()
})

test('names, identifiers, dates, codes and references are found by the paths of the registry', () => {
  const rows = indexRows('Patient', wren)

  expect(rows.names).toContainEqual({ parameter: 1, value: 'de la testwell' })
  expect(rows.names).toContainEqual({ parameter: 2, value: 'zoe' })
  expect(rows.names).toContainEqual({ parameter: 3, value: 'jr' })
  expect(rows.names.filter(({ parameter, value }) => parameter === 2 && value === 'wren')).toHaveLength(1)
  expect(rows.identifiers).toEqual([{ system: identifierSystems.medicalRecordNumber, value: 'SYN-004217' }])
  expect(rows.moments).toEqual([
    { parameter: 5, low: '1971-04-09T00:00:00Z', high: '1971-04-10T00:00:00Z' },
    { parameter: 6, low: '2026-11-04T15:20:00Z', high: '2026-11-04T15:20:01Z' },
  ])
  expect(rows.tokens).toEqual([
    { parameter: 7, system: 'http://hl7.org/fhir/administrative-gender', code: 'female' },
  ])
  expect(rows.links).toEqual([
    { kind: 12, targetType: 18, target: 'org-1' },
    { kind: 13, targetType: 20, target: 'pr-1' },
  ])
})

test('the roster orders by the name in use and begins at every word of a name', () => {
  const { roster } = indexRows('Patient', wren)

  expect(roster?.sort).toBe('de la testwell\u0001wren zoe')
  expect(roster?.born).toBe('1971-04-09')
  expect(roster?.keys).toEqual(
    expect.arrayContaining([
      'de la testwell wren zoe',
      'wren zoe de la testwell',
      'wren de la testwell',
      'testwell',
      'zoe',
      'exemplar wren',
      '#syn 004217',
    ]),
  )
})

test('a resource without what is indexed still stands in the list', () => {
  const rows = indexRows('Patient', { resourceType: 'Patient', id: 'x', identifier: [null, 7] })

  expect(rows).toMatchObject({ names: [], identifiers: [], moments: [], tokens: [], links: [] })
  expect(rows.roster).toEqual({ sort: '', keys: [''], born: null })
})
