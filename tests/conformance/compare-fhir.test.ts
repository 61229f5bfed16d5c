import { describe, expect, test } from 'vitest'
import { castSeed } from '../../seed/options.ts'
import { practiceRecords } from '../../seed/practice-records.ts'
import { getPractice } from '../../seed/practices.ts'
import { compareFhir } from '../support/compare-fhir.ts'
import type { Found } from '../support/us-core-profiles.ts'

const resources = [...practiceRecords(getPractice('sandbox-template'), castSeed)] as readonly Found[]
const condition = {
  resourceType: 'Condition',
  id: 'c1',
  meta: {
    profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-encounter-diagnosis'],
  },
  category: [
    {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/condition-category',
          code: 'encounter-diagnosis',
        },
      ],
    },
  ],
  code: { text: 'Cough' },
  subject: { reference: 'Patient/p1' },
}

test('every resource of the cast is as R4 and US Core say', () => {
  expect(resources.flatMap(compareFhir)).toEqual([])
})

describe('a difference is named where it is', () => {
  test.each([
    ['an element R4 does not have', { ...condition, mood: 'calm' }, ['extra Condition/c1.mood']],
    [
      'one deeper down',
      { ...condition, code: { coding: [{ cod: 'x' }] } },
      ['extra Condition/c1.code.coding[0].cod'],
    ],
    ['a required element', { ...condition, subject: undefined }, ['missing Condition/c1.subject']],
    ['one that only the profile requires', { ...condition, code: undefined }, ['missing Condition/c1.code']],
    [
      'a list that is none',
      { ...condition, category: {} },
      ['different Condition/c1.category', 'missing Condition/c1.category:us-core'],
    ],
    ['a value that is a list', { ...condition, code: [{ text: 'x' }] }, ['different Condition/c1.code']],
    ['a text for an object', { ...condition, code: 'Cough' }, ['different Condition/c1.code']],
    [
      'a date that is none',
      { ...condition, recordedDate: '2026-13-01' },
      ['different Condition/c1.recordedDate'],
    ],
    ['extensions of no element', { ...condition, _mood: {} }, ['extra Condition/c1._mood']],
    ['an empty list', { ...condition, note: [] }, ['different Condition/c1.note']],
  ])('%s', (_what, resource, named) => {
    const found = compareFhir(JSON.parse(JSON.stringify(resource)))

    expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual(named)
  })

  test('two values where one may be chosen', () => {
    const observation = resources.find((each) => 'valueQuantity' in each)

    expect(compareFhir({ ...observation, valueString: 'x' } as Found)).toHaveLength(1)
  })
})
