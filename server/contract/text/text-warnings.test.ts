import { describe, expect, test } from 'vitest'
import {
  findTextWarning,
  keepReasonLength,
  keptTextForm,
  type TextWarning,
  textWarnings,
} from './text-warnings.ts'

/** Texts that are warned about, and texts that are not. */
const texts: Readonly<Record<TextWarning, { given: readonly string[]; not: readonly string[] }>> = {
  secret_value: {
    given: [
      'client_secret is Kx7pQ9vTz2Lm4',
      'the form has client_secret=Zm9vYmFyYmF6 in it',
      '{"client_secret": "Zm9vYmFyYmF6"}',
      'Password: hunter22',
      'the password is “correcthorse”',
      'API key → 9f8e7d6c5b4a3210',
      'Use the token: 4f1c-99ab-7e20-55d1.',
      'client secret\nis\nKx7pQ9vTz2Lm4',
      'Client secret:\r\n  Kx7pQ9vTz2Lm4',
      'Client secret\n\nKx7pQ9vTz2Lm4',
      'ｃｌｉｅｎｔ＿ｓｅｃｒｅｔ　ｉｓ　Ｋｘ７ｐＱ９ｖＴｚ２',
      'client\u200b_sec\u00adret is Kx7p\u2060Q9vTz2Lm4',
      'client\u00a0secret\u2028is Kx7pQ9vTz2Lm4',
      '**password**: s3cr3t!value',
    ],
    not: [
      'The client secret is stored in Vault.',
      'Our client secret is kept in a vault and rotated every 90 days.',
      'The password is required, and has at least 12 characters.',
      'client_secret=<your secret>',
      'client_secret = ********',
      'password: %PASSWORD%',
      'API key: YOUR_API_KEY',
      'token is {{token}}',
      'No client secret: we use PKCE.',
      'Token: none. Client secret: not needed for a public client.',
      'The token is base64url-encoded and signed with RS256.',
      'The access token is 32 bytes long, and the refresh token is valid for 90 days.',
      'We read the API key from a secret store on the server.',
      'Passwords are hashed with argon2id. Tokens are opaque.',
      'We send client_id and client_secret with private_key_jwt or client_secret_basic.',
      'Secret rotation: every 30 days. Key handling is described at https://docs.samplewood.example/keys2.',
    ],
  },
  patient_details: {
    given: [
      'Name: Robin Testwell, DOB: 03/14/1958, MRN: 0044812',
      'patient name is Robin Testwell and date of birth is 14 March 1958',
      'The patient’s MRN is 0044812 and she was born on March 14, 1958.',
      'name: robin testwell\ndob 1958-03-14',
      'MRN is\n0044812, DOB is\n1958-03-14',
      'she is in the chart as MRN: 0044812',
      'DOB: 1958-03-14',
      'medical record number # A-100233',
      'Ｎａｍｅ： Ｒｏｂｉｎ Ｔｅｓｔｗｅｌｌ， ＤＯＢ １９５８－０３－１４',
      'M\u200bRN: 0044812',
      'Patient: Ñandú Ößmann, D.O.B. 14.03.1958',
      'Name: 試太郎, date of birth 1958-03-14',
    ],
    not: [
      'We store DOB and MRN.',
      'We search by name, MRN and date of birth.',
      'MRN: 0000000 and DOB: YYYY-MM-DD are placeholders.',
      'The field for the date of birth is optional since 2026-01-01.',
      'The app was born in 2019. Its name is Sample Intake.',
      'Release 2026-11-23: the MRN is now searchable.',
      'Call us on 555-0199; the patient list has 40 names.',
    ],
  },
}
const kinds = Object.keys(textWarnings) as TextWarning[]

describe.each(kinds)('the warning %s', (kind) => {
  const { given: examples, not: counterExamples } = texts[kind]
  const { message } = textWarnings[kind]

  test.each(examples)('is given for %j', (text) => {
    expect(findTextWarning(text)).toBe(kind)
  })

  test.each(examples)('is given for %j in capitals, and within other text', (text) => {
    expect(findTextWarning(text.toUpperCase())).toBe(kind)
    expect(findTextWarning(`We build an intake form.\n\n${text}\n\nThank you.`)).toBe(kind)
  })

  test.each(counterExamples)('is not given for %j', (text) => {
    expect(findTextWarning(text)).toBeNull()
  })

  test('says what was seen in words that no example holds', () => {
    expect(message).toMatch(/^This looks like .+\.$/u)
    for (const text of examples) expect(message).not.toContain(text)
  })
})

test('a text of 20,000 characters is read in one pass, whatever is in it', () => {
  for (const part of ['token ', 'name: a ', 'password is ', 'MRN - ', 'x', ' ', '"', 'dob 1 '])
    expect(() => findTextWarning(part.repeat(20_000 / part.length))).not.toThrow()
})

const kept = (keepReason: string) => keptTextForm.safeParse({ keepText: ['description'], keepReason })

describe('the reason for keeping a text', () => {
  test('has a least and a greatest length, without the spaces around', () => {
    expect(kept('x'.repeat(keepReasonLength.min)).success).toBe(true)
    expect(kept(`${'x'.repeat(keepReasonLength.min - 1)}   `).success).toBe(false)
    expect(kept('x'.repeat(keepReasonLength.max)).success).toBe(true)
    expect(kept('x'.repeat(keepReasonLength.max + 1)).success).toBe(false)
  })

  test('repeats no value', () => {
    expect(kept('It is the sample: password is Kx7pQ9vTz2').success).toBe(false)
    expect(kept('It is a sample value of our public documentation.').success).toBe(true)
  })
})
