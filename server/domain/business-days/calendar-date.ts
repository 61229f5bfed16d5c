/** Calendar dates as `yyyy-mm-dd`, without time and zone. They can be compared as text. */

export type CalendarDate = string

const dayMs = 86_400_000

export const toDate = (year: number, month: number, day: number): CalendarDate =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The weekday, from 0 for Sunday to 6 for Saturday. */
export const weekdayOf = (date: CalendarDate): number => new Date(`${date}T00:00:00Z`).getUTCDay()

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** The date in a zone at an instant. */
export function dateIn(zone: string, instant: Date): CalendarDate {
  const format =
    dateFormats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  dateFormats.set(zone, format)
  return format.format(instant)
}

/** The last second of a date in a zone, also on days when its clocks change. */
export function endIn(zone: string, date: CalendarDate): Date {
  // Every zone is less than 26 hours from UTC, so the date ends between these two instants.
  let before = Date.parse(`${date}T00:00:00Z`) - dayMs
  let after = before + 4 * dayMs
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000
    if (dateIn(zone, new Date(middle)) <= date) before = middle
    else after = middle
  }
  return new Date(before)
}

const timeFormats = new Map<string, Intl.DateTimeFormat>()

/** Minutes since midnight on a zone's clocks. */
export function minutesIn(zone: string, instant: Date): number {
  const format =
    timeFormats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  timeFormats.set(zone, format)
  const [hours = 0, minutes = 0] = format.format(instant).split(':').map(Number)
  return hours * 60 + minutes
}

export function hourIn(zone: string, instant: Date): number {
  return Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(instant),
  )
}
