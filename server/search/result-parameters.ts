/** Parses parameters of the page, and values of search parameters. https://hl7.org/fhir/R4/search.html#return */
import { type FhirType, type FhirTypeRow, isFhirType } from '../contract/fhir/registry.ts'
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import type { TimeSort, TokenValue } from './plan.ts'

/** Larger values mean the maximum; 0 requests only the total. */
export function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw wrongValue('_count must be a whole number, 0 or more.', '_count')
  return Math.min(Number(value), limits.fhirPageSizeMax)
}

/** Sorts by the type's date, under its name or `date`, or by lastUpdated; `-` means descending. */
export function parseSort(row: FhirTypeRow, type: FhirType, value: string): TimeSort {
  const [, minus, name] = /^(-?)(.*)$/s.exec(value) ?? []
  const descending = minus === '-'
  if (name === '_lastUpdated') return { by: 'updated', descending }
  const date = row.parameters.find(({ sorts }) => sorts === true)
  if (date !== undefined && (name === 'date' || (name === date.name && date.offered !== false))) {
    return { by: 'date', descending }
  }
  const offered = [...(date ? ['date', '-date'] : []), '_lastUpdated', '-_lastUpdated']
  throw notSupported(
    `This sort order is not supported on ${type}. Supported: ${offered.join(', ')}.`,
    '_sort',
  )
}

// Values of search parameters: lists, escapes, tokens, references. https://hl7.org/fhir/R4/search.html#escaping

/** Splits a list into alternatives, without unescaping them. */
export const splitList = (value: string): string[] => split(value, ',')

/** Unescapes `\,` `\|` `\$` `\\`. Other backslashes stay. */
export const unescapeValue = (value: string): string => value.replace(/\\([,|$\\])/g, '$1')

/** Parses `code`, `system|code`, `|code` or `system|`; null if both parts are empty. */
export function parseToken(value: string): TokenValue | null {
  const [first = '', ...rest] = split(value, '|')
  if (rest.length === 0) return first === '' ? null : { system: null, code: unescapeValue(first) }
  const code = rest.join('|')
  if (first === '' && code === '') return null
  return { system: unescapeValue(first), code: code === '' ? null : unescapeValue(code) }
}

/**
 * Parses `ID`, `Type/ID` or an absolute URL on this base.
 * @returns null for anything else: another base, a version, or an unknown type
 */
export function parseReference(value: string, base: string): { type: FhirType | null; id: string } | null {
  const reference = unescapeValue(value)
  const relative = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference
  const [, type, id = ''] = /^(?:([A-Za-z]+)\/)?([A-Za-z0-9.-]{1,64})$/.exec(relative) ?? []
  if (id === '') return null
  if (type === undefined) return relative === reference ? { type: null, id } : null
  return isFhirType(type) ? { type, id } : null
}

function split(value: string, separator: ',' | '|'): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < value.length; at++) {
    const character = value[at]
    if (character === '\\' && at + 1 < value.length) part += `\\${value[++at]}`
    else if (character === separator) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part]
}

// Errors of a search. They repeat names of parameters, but never values.

/** The parameter is not supported, so lenient handling ignores it. `field` is a known name or `unknown_parameter`. */
export const notSupported = (message: string, field: string): Problem =>
  new Problem('validation', { message, field, fhirIssue: 'not-supported' })

/** The value is invalid, so lenient handling refuses it, too. */
export const wrongValue = (message: string, field: string): Problem =>
  new Problem('validation', { message, field, fhirIssue: 'value' })

/** Makes a name from a caller safe for our messages: short and without control characters. */
export function truncate(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?')
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain
}
