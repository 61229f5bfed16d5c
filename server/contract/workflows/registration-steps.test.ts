import { expect, test } from 'vitest'
import { emptyRegistration, registrationFields } from './registration-form.ts'
import {
  fieldsOfOtherSteps,
  fieldsOfStep,
  firstOpenStep,
  registrationStepNames,
  stepAfter,
  withStep,
} from './registration-steps.ts'

test('every field is in one step', () => {
  expect(registrationStepNames.flatMap((step) => [...fieldsOfStep(step)]).sort()).toEqual(
    [...registrationFields].sort(),
  )
  for (const step of registrationStepNames)
    expect([...fieldsOfStep(step), ...fieldsOfOtherSteps(step)].sort()).toEqual(
      [...registrationFields].sort(),
    )
})

test('the steps follow each other to the end', () => {
  const walked = ['app']
  for (let next = stepAfter('app'); next !== null; next = stepAfter(next)) walked.push(next)
  expect(walked).toEqual(registrationStepNames)
})

test('somebody goes on at the first step that lacks something', () => {
  const finding = (field: 'scope' | 'privacyUrl', severity: 'error' | 'hint') => ({
    ...{ rule: 'r', check: 'form' as never, field, severity, stage: 'production' as const },
    ...{ missing: true, reason: '', fix: '' },
  })
  expect(firstOpenStep({ findings: [] })).toBe('app')
  expect(firstOpenStep({ findings: [finding('privacyUrl', 'hint'), finding('scope', 'error')] })).toBe(
    'scopes',
  )
  expect(firstOpenStep({ findings: [finding('scope', 'error'), finding('privacyUrl', 'error')] })).toBe(
    'policies',
  )
})

test('a step changes its own fields only', () => {
  const stored = {
    ...emptyRegistration,
    name: 'Tidepath',
    website: 'https://tidepath.example/',
    scope: 'openid',
  }
  const typed = { ...emptyRegistration, name: 'Tidepath Two' }
  expect(withStep(stored, typed, 'app')).toEqual({ ...stored, name: 'Tidepath Two', website: '' })
})
