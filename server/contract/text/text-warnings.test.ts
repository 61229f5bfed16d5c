import { describe, expect, test } from 'vitest'
import {
  findTextWarning,
  keepReasonLength,
  keptTextForm,
  type TextWarning,
  textWarnings,
} from './text-warnings.ts'

const kinds = Object.keys(textWarnings) as TextWarning[]

describe.each(kinds)('the warning %s', (kind) => {
  const { examples, counterExamples, message } = textWarnings[kind]

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
