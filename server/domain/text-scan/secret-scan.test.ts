import { expect, test } from 'vitest'
import { findSecretText } from './check-text.ts'

const planted = [
  ['private_key', 'our key is -----BEGIN RSA PRIVATE KEY----- MIIE'],
  ['api_key', `we use svc_t${'a'.repeat(46)} today`],
  ['token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXZhbHVl'],
  ['private_key', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
  ['social_security_number', 'SSN 123456789'],
  ['social_security_number', 'our test person is 123-45-6789 in Ohio'],
] as const

test.each(planted)('a text with a %s is refused without repeating it', (finding, text) => {
  const found = findSecretText(text)

  expect(found?.finding).toBe(finding)
  expect(text).not.toContain(found?.message)
  expect(found?.message).not.toMatch(/svc_|eyJ|6789/)
})

test('an ordinary description of a project passes', () => {
  const text =
    'We move lab results into an intake form. Call us on 555-0199 or 202-555-0143; we search by MRN and date of birth. No client secret: we use PKCE.'

  expect(findSecretText(text)).toBeNull()
})
