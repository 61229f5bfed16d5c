import { expect, test } from 'vitest'
import { refusalPace } from '../contract/http/limits.ts'
import { createRefusalPace } from './refusal-pace.ts'

const { atOncePerSecond, delayMs } = refusalPace

test('refusals to one address are delayed from the first too many until the second ends, those to others are not', () => {
  let now = 5_000
  const pace = createRefusalPace(() => now)
  const atOnce = Array.from({ length: atOncePerSecond }, () => pace('198.51.100.7'))

  expect(new Set(atOnce)).toEqual(new Set([0]))
  expect(pace('198.51.100.7')).toBe(delayMs)
  expect(pace('198.51.100.8')).toBe(0)
  now = 5_999
  expect(pace('198.51.100.7')).toBe(delayMs)
  now = 6_000
  expect(pace('198.51.100.7')).toBe(0)
})
