import { expect, test } from 'vitest'
import { keyRequestForm, revokeKeyForm } from './keys.ts'

const complete = {
  name: 'Intake prototype',
  projectDescription: 'Reads synthetic patients to try out an intake form for a small office.',
  technicalContact: ' Dev@Samplewood.example ',
  level: 'read_only',
  acceptTerms: true,
  termsVersion: '1.0',
  termsSha256: 'a'.repeat(64),
  idempotencyKey: '0193a4c2-0000-7000-8000-000000000000',
}

function complaints(form: Record<string, unknown>) {
  const parsed = keyRequestForm.safeParse(form)
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'))
}

test('a complete request is taken and its address kept in one spelling', () => {
  expect(keyRequestForm.parse(complete).technicalContact).toBe('dev@samplewood.example')
})

test('a description of 49 characters is too short, of 50 long enough, in any script', () => {
  expect(complaints({ ...complete, projectDescription: '檢'.repeat(49) })).toEqual(['projectDescription'])
  expect(complaints({ ...complete, projectDescription: '檢'.repeat(50) })).toEqual([])
  expect(complaints({ ...complete, projectDescription: '🩺'.repeat(50) })).toEqual([])
})

test('spaces do not make a description longer', () => {
  expect(complaints({ ...complete, projectDescription: `short${' '.repeat(60)}` })).toEqual([
    'projectDescription',
  ])
})

test('nothing is accepted for the person: unticked terms and no level are refused', () => {
  expect(complaints({ ...complete, acceptTerms: undefined, level: undefined })).toEqual([
    'level',
    'acceptTerms',
  ])
})

test('a NUL in a text is refused', () => {
  expect(
    complaints({ ...complete, name: 'Intake\u0000', projectDescription: `${'x'.repeat(60)}\u0000` }),
  ).toEqual(['name', 'projectDescription'])
})

test('a reason for revoking may be missing', () => {
  expect(revokeKeyForm.parse({})).toEqual({})
})

test('a reason holds 200 characters and no NUL', () => {
  expect(revokeKeyForm.safeParse({ reason: 'x'.repeat(200) }).success).toBe(true)
  expect(revokeKeyForm.safeParse({ reason: 'x'.repeat(201) }).success).toBe(false)
  expect(revokeKeyForm.safeParse({ reason: 'moved\u0000' }).success).toBe(false)
})
