/** Calendar dates as ISO texts in UTC; the seed knows no clock and no zone. */

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
