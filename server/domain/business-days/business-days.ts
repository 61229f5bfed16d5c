/**
 * Clocks in business days: Monday to Friday, without federal holidays. The day of receipt does not count, and a due date
 * ends at its end. The functions are pure: the caller passes the date.
 */
import { addDays, type CalendarDate, dateIn, endIn, hourIn, toDate, weekdayOf } from './calendar-date.ts'

export type RunningClock = Readonly<{
  /** The number of business days allowed. */
  days: number
  receivedOn: CalendarDate
  dueOn: CalendarDate
  /** The date of the pause; null while it runs. */
  pausedOn: CalendarDate | null
  /** The business days that were left at the pause. */
  remaining: number | null
}>

export function isBusinessDay(date: CalendarDate): boolean {
  const weekday = weekdayOf(date)
  return weekday !== 0 && weekday !== 6 && findHoliday(date) === null
}

/** The n-th business day after a date; the date itself for 0. */
export function addBusinessDays(date: CalendarDate, days: number): CalendarDate {
  let [reached, left] = [date, days]
  while (left > 0) {
    reached = addDays(reached, 1)
    if (isBusinessDay(reached)) left -= 1
  }
  return reached
}

/** The number of business days after one date, up to and including another; 0 if that is not later. */
function countBusinessDays(after: CalendarDate, through: CalendarDate): number {
  let count = 0
  for (let date = addDays(after, 1); date <= through; date = addDays(date, 1))
    if (isBusinessDay(date)) count += 1
  return count
}

export function startClock(receivedOn: CalendarDate, days: number): RunningClock {
  return { days, receivedOn, dueOn: addBusinessDays(receivedOn, days), pausedOn: null, remaining: null }
}

/** Pauses a clock. A paused clock stays as it is, and an overdue one is not paused. */
export function pauseClock(clock: RunningClock, on: CalendarDate): RunningClock {
  if (clock.pausedOn !== null || on > clock.dueOn) return clock
  return { ...clock, pausedOn: on, remaining: countBusinessDays(on, clock.dueOn) }
}

/** Resumes a clock with its remaining days. The due date is always a business day. */
export function resumeClock(clock: RunningClock, on: CalendarDate): RunningClock {
  const { pausedOn, remaining } = clock
  if (pausedOn === null || remaining === null) return clock
  const running = { ...clock, pausedOn: null, remaining: null }
  if (on === pausedOn) return running
  const dueOn = remaining > 0 || isBusinessDay(on) ? addBusinessDays(on, remaining) : addBusinessDays(on, 1)
  return { ...running, dueOn }
}

/** The business days left at the end of a date; for a paused clock, those left at the pause. */
export const remainingDays = (clock: RunningClock, on: CalendarDate): number =>
  clock.remaining ?? countBusinessDays(on, clock.dueOn)

/** The business days used by a date, without pauses; more than allowed once the clock is overdue. */
export function usedDays(clock: RunningClock, on: CalendarDate): number {
  const at = clock.pausedOn ?? on
  return clock.days - remainingDays(clock, on) + countBusinessDays(clock.dueOn, at)
}

/** The used share of the allowed days, in percent. */
export const usedPercent = (clock: RunningClock, on: CalendarDate): number =>
  (usedDays(clock, on) / clock.days) * 100

export const isOverdue = (clock: RunningClock, on: CalendarDate): boolean =>
  (clock.pausedOn ?? on) > clock.dueOn

/** Converts between instants and dates in the office's zone. */
export function createOfficeCalendar(zone: string) {
  return {
    zone,
    dateOf: (instant: Date): CalendarDate => dateIn(zone, instant),
    endOf: (date: CalendarDate): Date => endIn(zone, date),
    /** The hour of the day, from 0 to 23. */
    hourOf: (instant: Date): number => hourIn(zone, instant),
  }
}

export type OfficeCalendar = ReturnType<typeof createOfficeCalendar>

// Federal holidays, on the dates on which they are observed. https://www.opm.gov/policy-data-oversight/pay-leave/federal-holidays/ and 5 U.S.C. 6103

type Holiday = Readonly<{ name: string; since?: number; on(year: number): CalendarDate }>

const [monday, thursday, saturday, sunday] = [1, 4, 6, 0]

const holidays: readonly Holiday[] = [
  { name: 'New Year’s Day', on: (year) => toDate(year, 1, 1) },
  { name: 'Birthday of Martin Luther King, Jr.', since: 1986, on: (year) => nth(year, 1, monday, 3) },
  { name: 'Washington’s Birthday', on: (year) => nth(year, 2, monday, 3) },
  { name: 'Memorial Day', on: (year) => last(year, 5, monday) },
  { name: 'Juneteenth', since: 2021, on: (year) => toDate(year, 6, 19) },
  { name: 'Independence Day', on: (year) => toDate(year, 7, 4) },
  { name: 'Labor Day', on: (year) => nth(year, 9, monday, 1) },
  { name: 'Columbus Day', on: (year) => nth(year, 10, monday, 2) },
  { name: 'Veterans Day', on: (year) => toDate(year, 11, 11) },
  { name: 'Thanksgiving Day', on: (year) => nth(year, 11, thursday, 4) },
  { name: 'Christmas Day', on: (year) => toDate(year, 12, 25) },
]

const observedIn = new Map<number, ReadonlyMap<CalendarDate, string>>()

/** The name of the holiday that is observed on a date; null if there is none. */
export function findHoliday(date: CalendarDate): string | null {
  const year = Number(date.slice(0, 4))
  return holidaysOf(year).get(date) ?? null
}

/** The holidays observed within a year, by date. The next year's New Year's Day may be among them. */
export function holidaysOf(year: number): ReadonlyMap<CalendarDate, string> {
  const known = observedIn.get(year)
  if (known) return known
  const found = new Map<CalendarDate, string>()
  for (const holidayYear of [year, year + 1]) {
    for (const { name, since = 0, on } of holidays) {
      if (holidayYear < since) continue
      const date = observed(on(holidayYear))
      if (Number(date.slice(0, 4)) === year) found.set(date, name)
    }
  }
  observedIn.set(year, found)
  return found
}

/** A holiday on a Saturday is observed on the Friday before; one on a Sunday on the Monday after. */
function observed(date: CalendarDate): CalendarDate {
  const weekday = weekdayOf(date)
  if (weekday === saturday) return addDays(date, -1)
  return weekday === sunday ? addDays(date, 1) : date
}

function nth(year: number, month: number, weekday: number, count: number): CalendarDate {
  const first = toDate(year, month, 1)
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7)
}

function last(year: number, month: number, weekday: number): CalendarDate {
  const end = addDays(toDate(year, month + 1, 1), -1)
  return addDays(end, -((weekdayOf(end) - weekday + 7) % 7))
}
