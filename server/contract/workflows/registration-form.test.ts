import { expect, test } from 'vitest'
import { registrationForm } from './registration-form.ts'

const typed = {
  name: '  Tidepath \n Health ',
  description: 'Shows lab results.\r\nNothing else.',
  redirectUris: 'https://app.tidepath.example/callback\r\n\r\n https://app.tidepath.example/second \n',
  scope: 'openid  openid patient/Patient.rs',
  audience: 'patient',
  attestAuthority: 'on',
}

test('what a browser sends and what JSON says are the same registration', () => {
  const form = registrationForm.parse(typed)

  expect(form).toMatchObject({
    name: 'Tidepath Health',
    description: 'Shows lab results.\nNothing else.',
    redirectUris: ['https://app.tidepath.example/callback', 'https://app.tidepath.example/second'],
    scope: 'openid patient/Patient.rs',
    attestAuthority: true,
    attestChanges: false,
    jwks: '',
  })
  expect(registrationForm.parse(form)).toEqual(form)
  expect(registrationForm.parse(JSON.parse(JSON.stringify(form)))).toEqual(form)
})

test('a field that is too long or holds control characters is named', () => {
  const { error } = registrationForm.safeParse({
    name: 'x'.repeat(101),
    website: 'https://a.example/\u0000',
    redirectUris: Array.from({ length: 21 }, (_, place) => `https://a.example/${place}`),
    audience: 'everybody',
  })

  expect(error?.issues.map(({ path }) => path[0])).toEqual(['name', 'website', 'audience', 'redirectUris'])
})
