import { expect, test } from 'vitest'
import { productionPartial } from '../forms/production-keys.ts'
import {
  diffProductionDrafts,
  fieldsOfProductionStep,
  findProductionLacks,
  firstOpenProductionStep,
  productionFields,
  productionStepAfter,
  productionStepNames,
} from './production-key-steps.ts'

const begun = productionPartial.parse({ practiceSlug: 'fennmoor' })
const complete = {
  ...begun,
  name: 'Nightly import',
  justification: 'Reads visits every night so that the reminder calls are right.',
  purposes: ['operations' as const],
  dataClasses: ['visits' as const],
  signatoryId: '018f0000-0000-7000-8000-000000000001',
  signatoryName: 'Robin Testwell',
  signatoryTitle: 'Chief Executive',
}

test('every field is in one step, and the steps follow each other', () => {
  expect(productionStepNames.flatMap((step) => [...fieldsOfProductionStep(step)]).sort()).toEqual(
    [...productionFields].sort(),
  )
  expect(productionStepNames.map(productionStepAfter)).toEqual([...productionStepNames.slice(1), null])
})

test('a draft needs a practice and nothing else', () => {
  expect(begun).toMatchObject({ name: '', level: 'read_only', purposes: [], termDays: 90, signatoryId: null })
  expect(productionPartial.safeParse({}).success).toBe(false)
})

test('a draft may hold less than is asked for, but nothing that could never be sent', () => {
  const withText = (changes: object) => productionPartial.safeParse({ practiceSlug: 'fennmoor', ...changes })
  expect(withText({ name: 'N', justification: 'Too short.', termDays: '' }).success).toBe(true)
  for (const changes of [
    { name: 'a'.repeat(81) },
    { name: 'see https://evil.example' },
    { justification: 'a'.repeat(2_001) },
    { termDays: '400' },
    { purposes: ['anything'] },
    { signatoryId: 'somebody' },
  ])
    expect(withText(changes).success, JSON.stringify(changes).slice(0, 60)).toBe(false)
})

test('what is lacking is named by field and says where to go on', () => {
  expect(Object.keys(findProductionLacks(begun))).toEqual([
    'name',
    'justification',
    'purposes',
    'dataClasses',
    'signatoryId',
    'signatoryName',
    'signatoryTitle',
  ])
  expect(firstOpenProductionStep(findProductionLacks(begun))).toBe('use')
  const unsigned = findProductionLacks({ ...complete, signatoryTitle: '' })
  expect(unsigned).toEqual({ signatoryTitle: 'Enter the title.' })
  expect(firstOpenProductionStep(unsigned)).toBe('signing')
  expect(findProductionLacks(complete)).toEqual({})
  expect(firstOpenProductionStep({})).toBe('signing')
})

test('drafts differ in the fields that were changed', () => {
  expect(diffProductionDrafts(complete, { ...complete, level: 'full', purposes: [] })).toEqual([
    'level',
    'purposes',
  ])
})
