import { expect, test } from 'vitest'
import { parseInstantMicros } from './since.ts'

test.each([
  ['1970-01-01T00:00:00Z', 0n],
  ['1970-01-01T01:00:00+01:00', 0n],
  ['1970-01-01T01:00:00 01:00', 0n],
  ['1969-12-31T23:00:00.5-01:00', 500_000n],
  ['2026-11-20T12:00:00.123456789Z', 1_795_176_000_123_456n],
])('the instant %s is %s microseconds', (text, micros) => {
  expect(parseInstantMicros(text)).toBe(micros)
})

test.each([
  '2026-11-20',
  '2026-11-20T12:00:00',
  '2026-02-30T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T12:00:00+15:00',
  'yesterday',
  '',
])('%s is no instant', (text) => {
  expect(parseInstantMicros(text)).toBeNull()
})
