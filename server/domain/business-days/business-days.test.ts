import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createOfficeCalendar,
  findHoliday,
  holidaysOf,
  isBusinessDay,
  isOverdue,
  pauseClock,
  remainingDays,
  resumeClock,
  startClock,
  usedDays,
} from './business-days.ts'
import { addDays, weekdayOf } from './calendar-date.ts'

const date = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days))
const runs = { seed: 20261122, numRuns: 300 }

test.each([
  ['2026-06-12', '2026-06-22', '2026-06-29'],
  ['2026-06-30', '2026-07-08', '2026-07-15'],
  ['2026-11-06', '2026-11-16', '2026-11-23'],
  ['2026-11-20', '2026-11-30', '2026-12-07'],
  ['2026-12-24', '2027-01-04', '2027-01-11'],
  ['2027-06-14', '2027-06-22', '2027-06-29'],
  ['2027-12-23', '2028-01-03', '2028-01-10'],
])('what was received on %s is due on %s in five, on %s in ten business days', (received, five, ten) => {
  expect(startClock(received, 5).dueOn).toBe(five)
  expect(startClock(received, 10).dueOn).toBe(ten)
})

test('a clock that stood still goes on with what was left', () => {
  const clock = startClock('2026-08-03', 5)
  expect(clock.dueOn).toBe('2026-08-10')

  const paused = pauseClock(clock, '2026-08-05')
  expect(paused.remaining).toBe(3)
  expect(resumeClock(paused, '2026-08-11').dueOn).toBe('2026-08-14')
  expect(resumeClock(paused, '2026-08-05')).toEqual(clock)
  expect(pauseClock(paused, '2026-08-06')).toBe(paused)
})

describe('the day of receipt', () => {
  const office = createOfficeCalendar('America/New_York')

  test.each([
    ['2026-08-04T03:59:00Z', '2026-08-03'],
    ['2026-08-04T04:01:00Z', '2026-08-04'],
    ['2026-03-08T04:59:59Z', '2026-03-07'],
    ['2026-03-09T03:59:59Z', '2026-03-08'],
    ['2026-11-01T03:59:59Z', '2026-10-31'],
    ['2026-11-02T04:59:59Z', '2026-11-01'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
  ])('of %s is %s at the office', (instant, day) => {
    expect(office.dateOf(new Date(instant))).toBe(day)
  })

  test('on a Saturday makes Monday the first day', () => {
    expect(startClock('2026-08-01', 1).dueOn).toBe('2026-08-03')
  })

  test.each([
    ['America/New_York', '2026-08-10', '2026-08-11T03:59:59.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-02T04:59:59.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-09T03:59:59.000Z'],
    ['UTC', '2026-03-08', '2026-03-08T23:59:59.000Z'],
    ['Pacific/Kiritimati', '2026-03-08', '2026-03-08T09:59:59.000Z'],
    ['Pacific/Pago_Pago', '2026-03-08', '2026-03-09T10:59:59.000Z'],
  ])('in %s the %s ends at %s', (zone, day, end) => {
    expect(createOfficeCalendar(zone).endOf(day).toISOString()).toBe(end)
  })
})

test('holidays are those observed: eleven names, none on a weekend, across the turn of the year', () => {
  expect(holidaysOf(2026)).toEqual(
    new Map([
      ['2026-01-01', 'New Year’s Day'],
      ['2026-01-19', 'Birthday of Martin Luther King, Jr.'],
      ['2026-02-16', 'Washington’s Birthday'],
      ['2026-05-25', 'Memorial Day'],
      ['2026-06-19', 'Juneteenth'],
      ['2026-07-03', 'Independence Day'],
      ['2026-09-07', 'Labor Day'],
      ['2026-10-12', 'Columbus Day'],
      ['2026-11-11', 'Veterans Day'],
      ['2026-11-26', 'Thanksgiving Day'],
      ['2026-12-25', 'Christmas Day'],
    ]),
  )
  expect(findHoliday('2027-12-31')).toBe('New Year’s Day')
  expect(findHoliday('2021-06-18')).toBe('Juneteenth')
  expect(findHoliday('2020-06-19')).toBeNull()
  for (let year = 1990; year <= 2100; year++) {
    const days = [...holidaysOf(year).keys()]
    for (const day of days) expect([0, 6], day).not.toContain(weekdayOf(day))
    // A New Year's Day on a Saturday belongs to the year before.
    const ofNext = weekdayOf(`${year + 1}-01-01`) === 6 ? 1 : 0
    const ofOwn = weekdayOf(`${year}-01-01`) === 6 ? 1 : 0
    expect(days, String(year)).toHaveLength((year < 2021 ? 10 : 11) + ofNext - ofOwn)
  }
})

test('to pause and go on never shortens what is left, and never makes something overdue', () => {
  const days = fc.integer({ min: 0, max: 25 })
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 10 }), days, days, (received, allowed, worked, waited) => {
      const clock = startClock(received, allowed)
      const on = addDays(received, worked)
      const back = addDays(on, waited)
      const paused = pauseClock(clock, on)
      const resumed = resumeClock(paused, back)

      expect(resumed.dueOn >= clock.dueOn).toBe(true)
      expect(isBusinessDay(resumed.dueOn)).toBe(true)
      if (!isOverdue(clock, on)) {
        expect(remainingDays(resumed, back)).toBeGreaterThanOrEqual(remainingDays(clock, on))
        expect(isOverdue(resumed, back)).toBe(false)
        expect(usedDays(paused, back)).toBe(usedDays(clock, on))
      } else expect(resumed.dueOn).toBe(clock.dueOn)
    }),
    runs,
  )
})

test('after any number of pauses, what is left is what the days on which it ran have not used up', () => {
  const days = fc.integer({ min: 0, max: 9 })
  fc.assert(
    fc.property(date, fc.array(fc.tuple(days, days), { maxLength: 6 }), (received, stretches) => {
      let clock = startClock(received, 10)
      let [day, left] = [received, 10]
      for (const [worked, waited] of stretches) {
        for (let step = 0; step < worked; step++) {
          day = addDays(day, 1)
          if (isBusinessDay(day)) left -= 1
        }
        if (left <= 0) return
        clock = pauseClock(clock, day)
        day = addDays(day, waited)
        clock = resumeClock(clock, day)
      }
      expect(remainingDays(clock, day)).toBe(left)
      expect(usedDays(clock, day)).toBe(10 - left)
      expect(isOverdue(clock, day)).toBe(false)
    }),
    runs,
  )
})
