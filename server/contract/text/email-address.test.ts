import { expect, test } from 'vitest'
import { emailAddress } from './email-address.ts'

test.each([
  ['  Wren@Clinic.Example ', 'wren@clinic.example'],
  ['wren@münchen.example', 'wren@xn--mnchen-3ya.example'],
  ['wren@例え.example', 'wren@xn--r8jz45g.example'],
  ['wren@ＣＬＩＮＩＣ.example', 'wren@clinic.example'],
])('%s is kept as %s', (typed, kept) => {
  expect(emailAddress.parse(typed)).toBe(kept)
})

test.each([
  'wren@mün chen.example',
  'wren@münchen.example/x',
  'wren@mün:80.example',
  'wrén@clinic.example',
  'wren@-ü',
])('%s is refused', (typed) => {
  expect(emailAddress.safeParse(typed).success).toBe(false)
})
