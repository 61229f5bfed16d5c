import { describe, expect, test } from 'vitest'
import { emailForm, organizationForm, signUpForm } from './account.ts'

const whole = { name: 'Robin Testwell', email: 'robin@samplewood.example', password: 'teal heron over marsh' }
const faults = (form: object) =>
  signUpForm.safeParse({ ...whole, ...form }).error?.issues.map((issue) => issue.path[0])

describe('the sign-up form', () => {
  test('refuses a name of a megabyte', () => {
    expect(faults({ name: 'a.'.repeat(500_000) })).toEqual(['name'])
  })

  test('takes names of every script and tidies their spaces', () => {
    for (const name of [
      'Zoë O’Samplewood-Nuñez',
      '試 太郎',
      'Robin  Testwell\u00a0',
      'X Æ',
      'Dr. Testwell Jr.',
      'می\u200cنا نمونه',
    ]) {
      expect(signUpForm.safeParse({ ...whole, name }).success, name).toBe(true)
    }
    expect(signUpForm.parse({ ...whole, name: ' Robin \t Testwell ' }).name).toBe('Robin Testwell')
  })

  test.each([
    '',
    '   ',
    'x'.repeat(81),
    'Robin\r\nBcc: all@victim.example'.replace(/\s+/g, '\u0000'),
    'Win at https://evil.example',
    'www.evil.example',
    'evil.example/win',
    '<b>Robin</b>',
    'mail me@evil.example',
    'Robin\u202eTestwell',
  ])('refuses the name %j', (name) => {
    expect(new Set(faults({ name }))).toEqual(new Set(['name']))
  })

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

test('an organization may be called in any script but not like a link', () => {
  expect(organizationForm.safeParse({ name: 'Samplewood Health Apps, Inc.' }).success).toBe(true)
  expect(organizationForm.safeParse({ name: 'free money http://x.example' }).success).toBe(false)
})
