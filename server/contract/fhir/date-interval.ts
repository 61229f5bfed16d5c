/**
 * FHIR dates as half-open intervals [low, high) in UTC, https://hl7.org/fhir/R4/search.html#date.
 * Both ends are texts that PostgreSQL reads as timestamptz, so that microseconds survive.
 */

export interface DateInterval {
  readonly low: string
  /** Exclusive; `infinity` for a Period without an end. */
  readonly high: string
}

const partial = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/
const instant = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})$/

/** `2020`, `2020-02`, `2020-02-29` or a dateTime with its offset; null when it is no real date. */
export function parseDateInterval(text: string): DateInterval | null {
  const date = partial.exec(text)
  if (date) return wholeDays(Number(date[1]), date[2], date[3])
  const time = instant.exec(text)
  return time ? moments(time) : null
}

/** A Period with at least one end; null when neither end is a date. */
export function periodInterval(start: string | undefined, end: string | undefined): DateInterval | null {
  const from = start === undefined ? null : parseDateInterval(start)
  const to = end === undefined ? null : parseDateInterval(end)
  if (from === null && to === null) return null
  return { low: from?.low ?? '-infinity', high: to?.high ?? 'infinity' }
}

function wholeDays(year: number, monthText?: string, dayText?: string): DateInterval | null {
  if (year < 1) return null
  if (monthText === undefined) return { low: midnight(year, 1, 1), high: midnight(year + 1, 1, 1) }
  const month = Number(monthText)
  if (month < 1 || month > 12) return null
  if (dayText === undefined) {
    return {
      low: midnight(year, month, 1),
      high: month === 12 ? midnight(year + 1, 1, 1) : midnight(year, month + 1, 1),
    }
  }
  const day = Number(dayText)
  if (day < 1 || day > daysIn(year, month)) return null
  return { low: midnight(year, month, day), high: nextDay(year, month, day) }
}

function moments(match: RegExpExecArray): DateInterval | null {
  const [, date = '', hour = '', minute = '', second, fraction, offset = 'Z'] = match
  if (!isRealDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return null
  if (offset !== 'Z' && (Number(offset.slice(1, 3)) > 14 || Number(offset.slice(4)) > 59)) return null
  const epochSeconds = Date.parse(`${date}T${hour}:${minute}:00${offset}`) / 1000 + Number(second ?? 0)
  const [step, start] =
    second === undefined ? [60_000_000, 0] : fraction === undefined ? [1_000_000, 0] : fractionOf(fraction)
  return { low: microseconds(epochSeconds, start), high: microseconds(epochSeconds, start + step) }
}

/** Step and start in microseconds; PostgreSQL keeps no finer. */
function fractionOf(fraction: string): [number, number] {
  const digits = fraction.slice(0, 6)
  return [10 ** (6 - digits.length), Number(digits.padEnd(6, '0'))]
}

function microseconds(epochSeconds: number, micro: number): string {
  const whole = epochSeconds + Math.floor(micro / 1_000_000)
  const rest = micro % 1_000_000
  const seconds = secondsText(whole)
  return rest === 0 ? `${seconds}Z` : `${seconds}.${String(rest).padStart(6, '0')}Z`
}

/** In the years that both FHIR and PostgreSQL can write: an offset may lead out of them at either end. */
function secondsText(epochSeconds: number): string {
  const iso = new Date(epochSeconds * 1000).toISOString()
  // Nearly all: four digits of the year.
  if (iso.length === 24 && !iso.startsWith('0000')) return iso.slice(0, 19)
  const text = iso.replace(/^\+0/, '')
  return text.startsWith('0000') ? '0001-01-01T00:00:00' : text.replace(/\.\d+Z$/, '')
}

const midnight = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T00:00:00Z`

function nextDay(year: number, month: number, day: number): string {
  if (day < daysIn(year, month)) return midnight(year, month, day + 1)
  return month === 12 ? midnight(year + 1, 1, 1) : midnight(year, month + 1, 1)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isRealDate(date: string): boolean {
  const parts = partial.exec(date)
  return parts !== null && wholeDays(Number(parts[1]), parts[2], parts[3]) !== null
}
