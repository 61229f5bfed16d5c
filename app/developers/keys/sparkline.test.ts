import { expect, test } from 'vitest'
import { barHeight, callsOf } from './sparkline.tsx'

test('a single call is still seen beside a busy day', () => {
  expect(barHeight(1, 10_000)).toBe(2)
  expect(barHeight(10_000, 10_000)).toBe(24)
  expect(barHeight(0, 10_000)).toBe(0)
  expect(barHeight(0, 0)).toBe(0)
})

test('calls are said with their refusals', () => {
  expect(callsOf([{ day: '2026-11-20', served: 18_188, refused: 214 }])).toBe('18,402 calls, 214 refused')
  expect(callsOf([{ day: '2026-11-20', served: 1, refused: 0 }])).toBe('1 call, none refused')
  expect(callsOf([])).toBe('No calls')
})
