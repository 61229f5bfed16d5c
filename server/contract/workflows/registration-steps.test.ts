import { expect, test } from 'vitest'
import { registrationFields } from './registration-form.ts'
import { fieldsOfOtherSteps, fieldsOfStep, registrationStepNames } from './registration-steps.ts'

test('every field is in one step', () => {
  expect(registrationStepNames.flatMap((step) => [...fieldsOfStep(step)]).sort()).toEqual(
    [...registrationFields].sort(),
  )
  for (const step of registrationStepNames)
    expect([...fieldsOfStep(step), ...fieldsOfOtherSteps(step)].sort()).toEqual(
      [...registrationFields].sort(),
    )
})
