import { expect, test } from 'vitest'
import { parseDateInterval, periodInterval } from './date-interval.ts'

test.each([
  ['1971', '1971-01-01T00:00:00Z', '1972-01-01T00:00:00Z'],
  ['1971-12', '1971-12-01T00:00:00Z', '1972-01-01T00:00:00Z'],
  ['1971-04-09', '1971-04-09T00:00:00Z', '1971-04-10T00:00:00Z'],
  ['2000-02-29', '2000-02-29T00:00:00Z', '2000-03-01T00:00:00Z'],
  ['1999-12-31', '1999-12-31T00:00:00Z', '2000-01-01T00:00:00Z'],
  ['9999', '9999-01-01T00:00:00Z', '10000-01-01T00:00:00Z'],
  ['2026-11-04T10:20-05:00', '2026-11-04T15:20:00Z', '2026-11-04T15:21:00Z'],
  ['2026-11-04T23:59:59-05:00', '2026-11-05T04:59:59Z', '2026-11-05T05:00:00Z'],
  ['2026-11-04T10:20:30.5Z', '2026-11-04T10:20:30.500000Z', '2026-11-04T10:20:30.600000Z'],
  ['2026-11-04T10:20:30.999Z', '2026-11-04T10:20:30.999000Z', '2026-11-04T10:20:31Z'],
  ['2026-11-04T10:20:30.123456789Z', '2026-11-04T10:20:30.123456Z', '2026-11-04T10:20:30.123457Z'],
])('%s covers its whole precision', (text, low, high) => {
  expect(parseDateInterval(text)).toEqual({ low, high })
})

test.each([
  '',
  '1985-13',
  '1985-00',
  '1985-02-30',
  '1900-02-29',
  '0000',
  '85',
  '1985-1-1',
  '1985-01-01T10',
  '1985-01-01T24:00Z',
  '1985-01-01T10:00',
  '1985-01-01T10:00+15:00',
  'today',
])('%j is no date', (text) => {
  expect(parseDateInterval(text)).toBeNull()
})

test('a period without an end goes on for ever, and without a start from ever', () => {
  expect(periodInterval('2020', undefined)).toEqual({ low: '2020-01-01T00:00:00Z', high: 'infinity' })
  expect(periodInterval(undefined, '2020')).toEqual({ low: '-infinity', high: '2021-01-01T00:00:00Z' })
  expect(periodInterval(undefined, 'never')).toBeNull()
})
