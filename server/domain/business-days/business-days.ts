/**
 * The business clock, in dates: a business day is Monday to Friday and no federal holiday; the day of receipt counts
 * as none; what is due on a date is due at its end. Pure: the caller gives the date.
 */
import { addDays, type CalendarDate, dateIn, endIn, hourIn, weekdayOf } from './calendar-date.ts'
import { findHoliday } from './federal-holidays.ts'

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
export function remainingDays(clock: RunningClock, on: CalendarDate): number {
  return clock.remaining ?? countBusinessDays(on, clock.dueOn)
}

/** Business days used by a date, pauses not counted; more than it allows once it is overdue. */
export function usedDays(clock: RunningClock, on: CalendarDate): number {
  const at = clock.pausedOn ?? on
  return clock.days - remainingDays(clock, on) + countBusinessDays(clock.dueOn, at)
}

/** Percent of the days it allows that are used up. */
export function usedPercent(clock: RunningClock, on: CalendarDate): number {
  return (usedDays(clock, on) / clock.days) * 100
}

export function isOverdue(clock: RunningClock, on: CalendarDate): boolean {
  return (clock.pausedOn ?? on) > clock.dueOn
}

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
