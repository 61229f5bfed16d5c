import { describe, expect, test } from 'vitest'
import { emailForm, organizationForm, signUpForm } from './account.ts'

const whole = { name: 'Robin Testwell', email: 'robin@samplewood.example', password: 'teal heron over marsh' }
const faults = (form: object) =>
  signUpForm.safeParse({ ...whole, ...form }).error?.issues.map((issue) => issue.path[0])

describe('the sign-up form', () => {
  test('one address has one spelling', () => {
    expect(emailForm.parse({ email: '  Robin@Samplewood.EXAMPLE ' }).email).toBe('robin@samplewood.example')
    expect(emailForm.parse({ email: 'ｒobin@samplewood.example' }).email).toBe('robin@samplewood.example')
  })

  test.each([
    'svc_tAbCdEfGh1234@samplewood.example',
    'SVC_LABCDEFGH1234@samplewood.example',
    'ｓｖｃ_tAbCdEfGh1234@samplewood.example',
    'robin@samplewood.svc_tAbCdEfGh1234.example',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmVk@samplewood.example',
  ])('says that %j reads like a key', (email) => {
    expect(emailForm.safeParse({ email }).error?.issues.map(({ message }) => message)).toEqual([
      'This looks like a key or a token. Enter an email address without one.',
    ])
  })

  test.each([
    '',
    'robin',
    'robin@',
    '@samplewood.example',
    'a@b',
    'robin@sample wood.example',
    `${'x'.repeat(250)}@a.example`,
    'a,b@c.example',
  ])('refuses the address %j', (email) => {
    expect(faults({ email })?.[0]).toBe('email')
  })

  test('refuses the address as a password and says so at the password', () => {
    expect(
      faults({ email: 'robin.testwell@samplewood.example', password: 'Robin.Testwell@samplewood.example' }),
    ).toEqual(['password'])
    expect(faults({ email: 'robin.testwell@samplewood.example', password: 'robin.testwell' })).toEqual([
      'password',
    ])
  })
})

test.each([
  'svc_tABCDEFG',
  'Keys of svc_l0000000x Ltd',
  '-----BEGIN KEY-----',
  'eyJhbGciOi.eyJzdWIi.c2lnbmF0',
])('nobody may be called %j, with which no mail about them would leave', (name) => {
  expect(faults({ name })).toEqual(['name'])
  expect(organizationForm.safeParse({ name }).success).toBe(false)
})
