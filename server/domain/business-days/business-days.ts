/**
 * The business clock, in dates: a business day is Monday to Friday and no federal holiday; the day of receipt counts
 * as none; what is due on a date is due at its end. Pure: the caller gives the date.
 */
import { addDays, type CalendarDate, dateIn, endIn, hourIn, toDate, weekdayOf } from './calendar-date.ts'

export type RunningClock = Readonly<{
  /** Business days it allows. */
  days: number
  receivedOn: CalendarDate
  dueOn: CalendarDate
  /** Since when it stands still. */
  pausedOn: CalendarDate | null
  /** Business days that were left when it was paused. */
  remaining: number | null
}>

export function isBusinessDay(date: CalendarDate): boolean {
  const weekday = weekdayOf(date)
  return weekday !== 0 && weekday !== 6 && findHoliday(date) === null
}

/** The n-th business day after a date; the date itself for none. */
export function addBusinessDays(date: CalendarDate, days: number): CalendarDate {
  let [reached, left] = [date, days]
  while (left > 0) {
    reached = addDays(reached, 1)
    if (isBusinessDay(reached)) left -= 1
  }
  return reached
}

/** Business days after one date, up to and including another; 0 when that is not later. */
function countBusinessDays(after: CalendarDate, through: CalendarDate): number {
  let count = 0
  for (let date = addDays(after, 1); date <= through; date = addDays(date, 1))
    if (isBusinessDay(date)) count += 1
  return count
}

export function startClock(receivedOn: CalendarDate, days: number): RunningClock {
  return { days, receivedOn, dueOn: addBusinessDays(receivedOn, days), pausedOn: null, remaining: null }
}

/** Stands still from a date on. One that stands still already goes on doing so; what is overdue does not stop. */
export function pauseClock(clock: RunningClock, on: CalendarDate): RunningClock {
  if (clock.pausedOn !== null || on > clock.dueOn) return clock
  return { ...clock, pausedOn: on, remaining: countBusinessDays(on, clock.dueOn) }
}

/** Goes on with what was left; nothing falls due on a day without business. */
export function resumeClock(clock: RunningClock, on: CalendarDate): RunningClock {
  const { pausedOn, remaining } = clock
  if (pausedOn === null || remaining === null) return clock
  const running = { ...clock, pausedOn: null, remaining: null }
  if (on === pausedOn) return running
  const dueOn = remaining > 0 || isBusinessDay(on) ? addBusinessDays(on, remaining) : addBusinessDays(on, 1)
  return { ...running, dueOn }
}

/** Business days left at the end of a date; of a clock that stands still, those it will go on with. */
export const remainingDays = (clock: RunningClock, on: CalendarDate): number =>
  clock.remaining ?? countBusinessDays(on, clock.dueOn)

/** Business days used by a date, pauses not counted; more than it allows once it is overdue. */
export function usedDays(clock: RunningClock, on: CalendarDate): number {
  const at = clock.pausedOn ?? on
  return clock.days - remainingDays(clock, on) + countBusinessDays(clock.dueOn, at)
}

/** Percent of the days it allows that are used up. */
export const usedPercent = (clock: RunningClock, on: CalendarDate): number =>
  (usedDays(clock, on) / clock.days) * 100

export const isOverdue = (clock: RunningClock, on: CalendarDate): boolean =>
  (clock.pausedOn ?? on) > clock.dueOn

/** The calendar of one office: what date it is there, and when a date ends there. */
export function createOfficeCalendar(zone: string) {
  return {
    zone,
    dateOf: (instant: Date): CalendarDate => dateIn(zone, instant),
    endOf: (date: CalendarDate): Date => endIn(zone, date),
    /** 0 to 23. */
    hourOf: (instant: Date): number => hourIn(zone, instant),
  }
}

export type OfficeCalendar = ReturnType<typeof createOfficeCalendar>

// The federal holidays on the days they are observed. https://www.opm.gov/policy-data-oversight/pay-leave/federal-holidays/ and 5 U.S.C. 6103

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

/** Name of the holiday observed on a date; null on any other. */
export function findHoliday(date: CalendarDate): string | null {
  const year = Number(date.slice(0, 4))
  return holidaysOf(year).get(date) ?? null
}

/** The holidays observed within a year by date: New Year's Day of the next one may be among them. */
export function holidaysOf(year: number): ReadonlyMap<CalendarDate, string> {
  const known = observedIn.get(year)
  if (known) return known
  const found = new Map<CalendarDate, string>()
  for (const of of [year, year + 1]) {
    for (const { name, since = 0, on } of holidays) {
      if (of < since) continue
      const date = observed(on(of))
      if (Number(date.slice(0, 4)) === year) found.set(date, name)
    }
  }
  observedIn.set(year, found)
  return found
}

/** On a Saturday: the Friday before. On a Sunday: the Monday after. */
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
