import { expect, test } from 'vitest'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { indexRows } from './index-rows.ts'

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
