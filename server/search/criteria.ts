/** Compiles the criteria of a search, by kind of parameter. https://hl7.org/fhir/R4/search.html#ptypes */

import { type DateInterval, parseDateInterval } from '../contract/fhir/date-interval.ts'
import {
  type FhirType,
  fhirTypeNumbers,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { modifiersOf } from '../contract/fhir/type-row.ts'
import { fold, foldedLengthMax } from '../contract/text/fold.ts'
import type { Criterion, DateBounds, StringValue, TokenValue } from './plan.ts'
import {
  notSupported,
  parseReference,
  parseToken,
  splitList,
  truncate,
  unescapeValue,
  wrongValue,
} from './result-parameters.ts'

interface CriterionContext {
  readonly base: string
  readonly now: Date
}

type Kind = Exclude<SearchParameterRow['kind'], 'patient'>

/** @throws Problem `validation` */
export function checkModifier(parameter: SearchParameterRow, modifier: string | null): void {
  const offered = modifiersOf[parameter.kind]
  if (modifier === null || offered.includes(modifier)) return
  const instead =
    offered.length === 0
      ? 'This parameter has no modifiers.'
      : `Supported here: ${offered.map((each) => `:${each}`).join(', ')}.`
  throw notSupported(
    `The modifier :${truncate(modifier)} of ${parameter.name} is not supported. ${instead}`,
    parameter.name,
  )
}

/** Splits a value into its alternatives. @throws Problem `validation` for an empty one */
export function alternatives(parameter: SearchParameterRow, value: string): string[] {
  const values = splitList(value)
  if (values.some((each) => each === '')) throw wrongValue(`${parameter.name} needs a value.`, parameter.name)
  return values
}

/** @throws Problem `validation` */
export function compileCriterion(
  parameter: SearchParameterRow,
  modifier: string | null,
  value: string,
  context: CriterionContext,
): Criterion {
  checkModifier(parameter, modifier)
  if (modifier === 'missing') return missing(parameter, value)
  return compilers[parameter.kind as Kind](parameter, alternatives(parameter, value), modifier, context)
}

type Compiler = (
  parameter: SearchParameterRow,
  values: readonly string[],
  modifier: string | null,
  context: CriterionContext,
) => Criterion

const compilers: Readonly<Record<Kind, Compiler>> = {
  id: (_, values) => ({ kind: 'ids', ids: [...new Set(values.map(unescapeValue))] }),
  updated: (parameter, values, _, context) => dates('updated', parameter, values, context),
  date: (parameter, values, _, context) =>
    dates(parameter.sorts ? 'sort' : 'moment', parameter, values, context),
  string: (parameter, values, modifier) => {
    const match = modifier === 'contains' || modifier === 'exact' ? modifier : 'prefix'
    return {
      kind: 'strings',
      parameter: searchParameterNumbers[parameter.name],
      match,
      values: values.map((value) => stringValue(parameter, value, match)),
      paths: parameter.paths,
    }
  },
  identifier: (parameter, values, modifier) => ({
    kind: 'identifiers',
    values: tokens(parameter, values),
    negated: modifier === 'not',
  }),
  token: (parameter, values, modifier) => ({
    kind: 'tokens',
    parameter: searchParameterNumbers[parameter.name],
    values: tokens(parameter, values),
    negated: modifier === 'not',
    exact: false,
  }),
  canonical: (parameter, values) => ({
    kind: 'tokens',
    parameter: searchParameterNumbers[parameter.name],
    values: values.map((value) => ({ system: '', code: unescapeValue(value) })),
    negated: false,
    exact: true,
  }),
  reference: (parameter, values, _, { base }) => ({
    kind: 'links',
    parameter: searchParameterNumbers[parameter.name],
    targets: values.flatMap((value) => targetsOf(parameter, value, base)),
  }),
}

function dates(
  column: 'sort' | 'updated' | 'moment',
  parameter: SearchParameterRow,
  values: readonly string[],
  { now }: CriterionContext,
): Criterion {
  const bounds = values.flatMap((value) => {
    const parsed = parseDateBounds(unescapeValue(value), now)
    if (parsed !== null) return parsed
    throw wrongValue(
      `${parameter.name} must be a date: yyyy, yyyy-mm, yyyy-mm-dd or yyyy-mm-ddThh:mm:ssZ, ` +
        'optionally with one of the prefixes eq, ne, gt, ge, lt, le, sa, eb, ap.',
      parameter.name,
    )
  })
  return { kind: 'dates', of: column, parameter: searchParameterNumbers[parameter.name], bounds }
}

/** The index truncates texts, so a longer value could match wrongly and is refused. */
function stringValue(parameter: SearchParameterRow, value: string, match: StringValue['match']): StringValue {
  const text = unescapeValue(value)
  const folded = fold(text)
  if (folded === '') throw wrongValue(`${parameter.name} must contain a letter or a digit.`, parameter.name)
  if (text.length > foldedLengthMax) {
    throw wrongValue(`${parameter.name} takes at most ${foldedLengthMax} characters.`, parameter.name)
  }
  return { match, folded, text }
}

function tokens(parameter: SearchParameterRow, values: readonly string[]): TokenValue[] {
  return values.map((value) => {
    const token = parseToken(value)
    if (token !== null) return token
    throw wrongValue(`${parameter.name} needs a code, system|code, |code or system|.`, parameter.name)
  })
}

const allTypes = Object.keys(fhirTypeNumbers) as FhirType[]

function targetsOf(parameter: SearchParameterRow, value: string, base: string) {
  const reference = parseReference(value, base)
  if (reference === null) {
    throw wrongValue(
      `${parameter.name} needs an ID, Type/id or a URL on this base. Resources elsewhere can’t be searched.`,
      parameter.name,
    )
  }
  const { type, id } = reference
  return (type === null ? (parameter.targets ?? allTypes) : [type]).map((each) => ({ type: each, id }))
}

const missingOf = {
  string: 'strings',
  identifier: 'identifiers',
  token: 'tokens',
  canonical: 'tokens',
  reference: 'links',
} as const

function missing(parameter: SearchParameterRow, value: string): Criterion {
  if (value !== 'true' && value !== 'false') {
    throw wrongValue(`${parameter.name}:missing must be true or false.`, parameter.name)
  }
  const of =
    parameter.kind === 'date'
      ? parameter.sorts
        ? 'sort'
        : 'moment'
      : missingOf[parameter.kind as keyof typeof missingOf]
  return {
    kind: 'missing',
    of,
    parameter: searchParameterNumbers[parameter.name],
    missing: value === 'true',
  }
}

// Prefixes of date searches on intervals, https://hl7.org/fhir/R4/search.html#prefix

const datePrefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const
type Prefix = (typeof datePrefixes)[number]

const anywhere: DateBounds = {
  lowMin: '-infinity',
  lowMax: 'infinity',
  highMin: '-infinity',
  highMax: 'infinity',
}

/**
 * Parses a date of any precision with an optional prefix. A time without an offset is UTC.
 * @returns bounds, one of which a resource must match; null if it is not a date
 */
function parseDateBounds(value: string, now: Date): readonly DateBounds[] | null {
  const [, prefix = 'eq', text = ''] = /^(eq|ne|gt|ge|lt|le|sa|eb|ap)?(.*)$/s.exec(value) ?? []
  const interval = parseSearchDate(text)
  return interval && boundsOf(prefix as Prefix, interval, now)
}

/** Parses a date from a query, where an unencoded `+` was decoded as a space. */
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

/** Matches resources whose interval overlaps this one. */
export function overlapping({ low, high }: DateInterval): DateBounds {
  return { ...anywhere, lowMax: high, highMin: low }
}

/** Moves a time by a tenth of its distance from now. */
function widened(text: string, now: Date, direction: 1 | -1): string {
  const at = Date.parse(text)
  // `infinity` stays as it is.
  if (Number.isNaN(at)) return 'infinity'
  const moved = new Date(at + (direction * Math.abs(now.getTime() - at)) / 10)
  const year = moved.getUTCFullYear()
  if (year < 1) return '-infinity'
  return year > 9999 ? 'infinity' : moved.toISOString()
}
