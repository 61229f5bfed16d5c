/** Calculates with calendar dates as ISO texts in UTC. The seed does not depend on a clock or time zone. */

/** `2026-11-15` minus 14 days is `2026-11-01`. */
export function addDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

/** 29 February becomes 1 March in a common year. */
export function addYears(date: string, years: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCFullYear(moved.getUTCFullYear() + years)
  return moved.toISOString().slice(0, 10)
}

/** Whole days; negative when `to` comes first. */
export function daysBetween(from: string, to: string): number {
  return Math.round(
    (Date.parse(`${to.slice(0, 10)}T00:00:00Z`) - Date.parse(`${from.slice(0, 10)}T00:00:00Z`)) / 86_400_000,
  )
}

/** 31 January plus one month is the last of February. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

/** The number of birthdays between the dates. */
export function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4))
  return to.slice(5, 10) < from.slice(5, 10) ? years - 1 : years
}

/**
 * A dateTime in US Eastern Time with its offset. Daylight time is from the second Sunday of March to the first Sunday of
 * November (https://www.law.cornell.edu/uscode/text/15/260a).
 * @param minutes since midnight
 */
export function easternTime(date: string, minutes: number): string {
  const year = Number(date.slice(0, 4))
  const sunday = (month: number, nth: number) => {
    const first = new Date(Date.UTC(year, month, 1)).getUTCDay()
    return new Date(Date.UTC(year, month, 1 + ((7 - first) % 7) + (nth - 1) * 7)).toISOString().slice(0, 10)
  }
  const daylight = date >= sunday(2, 2) && date < sunday(10, 1)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00${daylight ? '-04:00' : '-05:00'}`
}

/** Monday to Friday: a Saturday moves to the Friday before it, a Sunday to the Monday after. */
export function weekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  return day === 6 ? addDays(date, -1) : day === 0 ? addDays(date, 1) : date
}

/** The laboratory reports two hours after the blood was drawn. An instant needs its seconds and offset. */
export function issuedAt(at: string): string {
  const hour = Number(at.slice(11, 13)) + 2
  return `${at.slice(0, 11)}${String(Math.min(hour, 23)).padStart(2, '0')}${at.slice(13)}`
}

/** The later of two dates. */
export function laterOf(one: string, other: string): string {
  if (one > other) return one
  return other
}
