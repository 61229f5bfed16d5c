/** Dates of FHIR as time stamps of CDA: as precise as they are known, never more. */
import type * as fhir from 'fhir/r4.js'
import { el, type Xml } from './xml.ts'

const parts =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/

/** `2026-08-17T09:45:00-04:00` as `20260817094500-0400`; null for what is no date. */
export function timestamp(date: string | undefined): string | null {
  if (date === undefined) return null
  if (date !== last.date) last = { date, stamp: stampOf(date) }
  return last.stamp
}

/** What was found together has one date, which is asked for many times in a row. */
let last: { date: string; stamp: string | null } = { date: '', stamp: null }

function stampOf(date: string): string | null {
  const match = parts.exec(date)
  if (match === null) return null
  const [, year = '', month = '', day = '', hour, minute = '', second = '00', zone] = match
  if (hour === undefined) return `${year}${month}${day}`
  const offset = zone === undefined || zone === 'Z' ? '+0000' : zone.replace(':', '')
  return `${year}${month}${day}${hour}${minute}${second}${offset}`
}

export const instant = (date: Date): string => timestamp(date.toISOString()) as string

/** A point in time; unknown when there is none. */
export function time(name: string, date: string | undefined): Xml {
  const value = timestamp(date)
  return el(name, value === null ? { nullFlavor: 'UNK' } : { value })
}

export interface Span {
  readonly start?: string | undefined
  readonly end?: string | undefined
}

/**
 * An interval. `low` is always said, unknown where it is; `high` only when it is known or `ended`.
 */
export function interval(name: string, { start, end }: Span, { ended = false, typed = false } = {}): Xml {
  const high = timestamp(end)
  return el(
    name,
    typed ? { 'xsi:type': 'IVL_TS' } : {},
    time('low', start),
    (high !== null || ended) && time('high', end),
  )
}

/** A date and time for people: as it was written down, without the letter between and the zone. */
export function shownTime(date: string | undefined): string {
  if (timestamp(date) === null) return ''
  const [day = '', clock] = (date as string).split('T')
  return clock === undefined ? day : `${day} ${clock.slice(0, 5)}`
}

export function shownSpan({ start, end }: Span): string {
  const [from, to] = [shownTime(start), shownTime(end)]
  if (to === '') return from
  return from === '' ? `until ${to}` : `${from} to ${to}`
}

type Dated = {
  effectiveDateTime?: string
  effectivePeriod?: fhir.Period
  effectiveInstant?: string
  performedDateTime?: string
  performedPeriod?: fhir.Period
  occurrenceDateTime?: string
  occurrencePeriod?: fhir.Period
}

/** When something happened, whichever of FHIR's ways says it. */
export function spanOf(resource: object): Span {
  const its = resource as Dated
  const period = its.effectivePeriod ?? its.performedPeriod ?? its.occurrencePeriod
  if (period !== undefined) return { start: period.start, end: period.end }
  const at = its.effectiveDateTime ?? its.effectiveInstant ?? its.performedDateTime ?? its.occurrenceDateTime
  return { start: at, end: at }
}
