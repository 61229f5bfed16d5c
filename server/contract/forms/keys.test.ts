import { expect, test } from 'vitest'
import { keyRequestForm, revokeKeyForm } from './keys.ts'

const complete = {
  name: 'Intake prototype',
  projectDescription: 'Reads synthetic patients to try out an intake form for a small office.',
  technicalContact: ' Dev@Samplewood.example ',
  level: 'read_only',
  acceptTerms: 'on',
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

test.each<[what: string, changes: object, fields: string[]]>([
  ['49 characters', { projectDescription: '檢'.repeat(49) }, ['projectDescription']],
  ['50 characters of any script', { projectDescription: '🩺'.repeat(50) }, []],
  ['spaces that make it longer', { projectDescription: `short${' '.repeat(60)}` }, ['projectDescription']],
  ['no level and unticked terms', { acceptTerms: undefined, level: undefined }, ['level', 'acceptTerms']],
  ['a NUL', { name: 'Intake\u0000' }, ['name']],
])('%s', (_what, changes, fields) => {
  expect(complaints({ ...complete, ...changes })).toEqual(fields)
})

test('a reason for revoking may be missing, holds 200 characters and no NUL', () => {
  expect(revokeKeyForm.parse({})).toEqual({})
  expect(revokeKeyForm.safeParse({ reason: 'x'.repeat(200) }).success).toBe(true)
  for (const reason of ['x'.repeat(201), 'moved\u0000'])
    expect(revokeKeyForm.safeParse({ reason }).success).toBe(false)
})
