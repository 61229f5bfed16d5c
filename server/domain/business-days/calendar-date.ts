/** Calendar dates as `yyyy-mm-dd`: they compare as text, and have no time and no zone. */

export type CalendarDate = string

const dayMs = 86_400_000

export function toDate(year: number, month: number, day: number): CalendarDate {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: CalendarDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date that an instant has in a zone. */
export function dateIn(zone: string, instant: Date): CalendarDate {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(zone, format)
  return format.format(instant)
}

/** The last second, 23:59:59, that a date has in a zone, whatever its clocks do on it. */
export function endIn(zone: string, date: CalendarDate): Date {
  // The next date begins between 26 hours before and 26 hours after its beginning in UTC.
  let before = Date.parse(`${date}T00:00:00Z`) - dayMs
  let after = before + 4 * dayMs
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000
    if (dateIn(zone, new Date(middle)) <= date) before = middle
    else after = middle
  }
  return new Date(before)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Minutes after midnight that the clocks of a zone show. */
export function minutesIn(zone: string, instant: Date): number {
  const format =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  clocks.set(zone, format)
  const [hours = 0, minutes = 0] = format.format(instant).split(':').map(Number)
  return hours * 60 + minutes
}

export function hourIn(zone: string, instant: Date): number {
  return Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(instant),
  )
}

/** The moment at which a date has that full hour in a zone; the hour after it where clocks skip that one. */
export function instantIn(zone: string, date: CalendarDate, hour: number): Date {
  const begin = endIn(zone, addDays(date, -1)).getTime() + 1_000
  for (const shift of [0, -1, 1]) {
    const instant = new Date(begin + (hour + shift) * 3_600_000)
    if (hourIn(zone, instant) === hour && dateIn(zone, instant) === date) return instant
  }
  return new Date(begin + hour * 3_600_000)
}
