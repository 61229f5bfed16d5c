import { expect, test } from 'vitest'
import { productionPartial } from '../forms/production-keys.ts'
import {
  fieldsOfProductionStep,
  productionFields,
  productionStepAfter,
  productionStepNames,
} from './production-key-steps.ts'

test('every field is in one step, and the steps follow each other', () => {
  expect(productionStepNames.flatMap((step) => [...fieldsOfProductionStep(step)]).sort()).toEqual(
    [...productionFields].sort(),
  )
  expect(productionStepNames.map(productionStepAfter)).toEqual([...productionStepNames.slice(1), null])
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
