/** Prefixes of date searches on intervals, https://hl7.org/fhir/R4/search.html#prefix */
import { type DateInterval, parseDateInterval } from '../contract/fhir/date-interval.ts'
import type { DateBounds } from './plan.ts'

const datePrefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const
type Prefix = (typeof datePrefixes)[number]

const anywhere: DateBounds = {
  lowMin: '-infinity',
  lowMax: 'infinity',
  highMin: '-infinity',
  highMax: 'infinity',
}

/**
 * A date of any precision with a prefix or none; a time without an offset is UTC.
 * @returns bounds, any of which a matching resource fulfils; null when it is no date
 */
export function parseDateBounds(value: string, now: Date): readonly DateBounds[] | null {
  const [, prefix = 'eq', text = ''] = /^(eq|ne|gt|ge|lt|le|sa|eb|ap)?(.*)$/s.exec(value) ?? []
  const interval = parseSearchDate(text)
  return interval && boundsOf(prefix as Prefix, interval, now)
}

/** As it comes in a query, where a `+` may have become a space. */
export function parseSearchDate(text: string): DateInterval | null {
  const dateTime = /^(\d{4}-\d{2}-\d{2}T[\d:.]+?)(?:(Z)|([ +-])(\d{2}:\d{2}))?$/.exec(text)
  if (dateTime === null) return parseDateInterval(text)
  const [, moment = '', , sign, offset] = dateTime
  return parseDateInterval(
    offset === undefined ? `${moment}Z` : `${moment}${sign === ' ' ? '+' : sign}${offset}`,
  )
}

function boundsOf(prefix: Prefix, { low, high }: DateInterval, now: Date): readonly DateBounds[] {
  const contained = { ...anywhere, lowMin: low, highMax: high }
  const beginsBefore = { ...anywhere, lowMax: low }
  const endsAfter = { ...anywhere, highMin: high }
  switch (prefix) {
    case 'eq':
      return [contained]
    case 'ne':
      return [beginsBefore, endsAfter]
    case 'gt':
      return [endsAfter]
    case 'ge':
      return [endsAfter, contained]
    case 'lt':
      return [beginsBefore]
    case 'le':
      return [beginsBefore, contained]
    case 'sa':
      return [{ ...anywhere, lowMin: high }]
    case 'eb':
      return [{ ...anywhere, highMax: low }]
    case 'ap':
      return [overlapping({ low: widened(low, now, -1), high: widened(high, now, 1) })]
  }
}

/** Whatever has a moment in common. */
export function overlapping({ low, high }: DateInterval): DateBounds {
  return { ...anywhere, lowMax: high, highMin: low }
}

/** By a tenth of the way from now. */
function widened(text: string, now: Date, direction: 1 | -1): string {
  const at = Date.parse(text)
  // The end of the last year that can be written.
  if (Number.isNaN(at)) return 'infinity'
  const moved = new Date(at + (direction * Math.abs(now.getTime() - at)) / 10)
  const year = moved.getUTCFullYear()
  if (year < 1) return '-infinity'
  return year > 9999 ? 'infinity' : moved.toISOString()
}
