import { expect, test } from 'vitest'
import { findPasswordFault, normalizePassword } from './password-rules.ts'

test('a few words in a row make a password, in any script', () => {
  for (const password of [
    'teal heron over marsh',
    'grüne vögel über wasser',
    '水鳥が湖の上を静かに飛んでいます',
    'a1!'.padEnd(12, 'qZ7#kw9'),
  ]) {
    expect(findPasswordFault(password, 'robin@samplewood.example'), password).toBeNull()
  }
})

test('length is counted in characters, not in bytes or code units', () => {
  expect(findPasswordFault('🐦🐧🦆🦉🦅🐦🐧🦆🦉🦅🐤')).toMatch(/at least 12/)
  expect(findPasswordFault('🐦🐧🦆🦉🦅🐦🐧🦆🦉🦅🐤🐣')).toBeNull()
  expect(findPasswordFault('heron '.repeat(21).concat('ab'))).toBeNull()
  expect(findPasswordFault('heron over '.repeat(12))).toMatch(/at most 128/)
})

test.each([
  ['', /at least 12/],
  ['short', /at least 12/],
  ['password1234', /too common/],
  ['Password2026!', /too common/],
  ['QWERTYUIOP12', /too common/],
  ['passwordpassword', /too common/],
  ['aaaaaaaaaaaaaaaa', /repetition or a sequence/],
  ['abababababab', /repetition or a sequence/],
  ['abcdabcdabcd', /repetition or a sequence/],
  ['123456789012', /repetition or a sequence/],
  ['robin@samplewood.example', /mail address/],
  ['ROBIN@samplewood.example', /mail address/],
])('%j is refused with a sentence that says why', (password, reason) => {
  expect(findPasswordFault(password, 'robin@samplewood.example')).toMatch(reason)
})

test('one password has one form, however it was typed', () => {
  expect(normalizePassword('über den fluß')).toBe(normalizePassword('u\u0308ber den fluß'))
})
