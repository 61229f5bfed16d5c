import { expect, test } from 'vitest'
import { ago, dateTime, dateTimeSeconds, daysLeft, recordDate, timeLeft, waitFor } from './dates.ts'

const office = 'America/New_York'
const now = '2026-11-20T14:14:00Z'

test('a date names its weekday, hour and zone', () => {
  expect(dateTime('2026-12-01T04:59:00Z', office)).toBe('Mon 30 Nov 2026, 23:59 EST')
  expect(dateTimeSeconds('2026-12-01T04:59:07Z', office)).toBe('Mon 30 Nov 2026, 23:59:07 EST')
})

test('midnight is 00:00 of the day that begins', () => {
  expect(dateTime('2026-11-20T05:00:00Z', office)).toBe('Fri 20 Nov 2026, 00:00 EST')
})

test('a date of a record is said as far as it goes', () => {
  expect(['1971-04-09', '1971-04', '1971'].map(recordDate)).toEqual(['9 Apr 1971', 'Apr 1971', '1971'])
})

test.each([
  ['2026-11-20T14:13:30Z', 'just now'],
  ['2026-11-20T14:20:00Z', 'just now'],
  ['2026-11-20T14:12:00Z', '2 min ago'],
  ['2026-11-20T13:14:00Z', '1 hour ago'],
  ['2026-11-20T07:00:00Z', '7 hours ago'],
  ['2026-11-19T14:14:00Z', '1 day ago'],
])('%s is said as “%s”', (instant, said) => {
  expect(ago(instant, now)).toBe(said)
})

test('what is left is counted in days and, on the last day, in hours', () => {
  expect(timeLeft('2026-11-24T15:31:00Z', now)).toBe('5 days left')
  expect(timeLeft('2026-11-20T19:20:00Z', now)).toBe('5 hours left')
  expect(timeLeft('2026-11-20T14:14:30Z', now)).toBe('1 hour left')
  expect(timeLeft('2026-11-20T14:14:00Z', now)).toBe('ended')
  expect(daysLeft('2026-11-01T00:00:00Z', now)).toBe(0)
})

test('a wait is rounded up', () => {
  expect([waitFor(0.2), waitFor(61.5), waitFor(90), waitFor(5_400)]).toEqual([
    '1 second',
    '62 seconds',
    '2 minutes',
    '2 hours',
  ])
})
