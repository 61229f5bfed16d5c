/** Values of search parameters: lists, escapes, tokens, references. https://hl7.org/fhir/R4/search.html#escaping */
import { type FhirType, isFhirType } from '../contract/fhir/registry.ts'
import type { TokenValue } from './plan.ts'

/** The alternatives of a list, escapes left in. */
export function splitList(value: string): string[] {
  return split(value, ',')
}

/** `\,` `\|` `\$` `\\` stand for themselves; any other backslash is one. */
export function unescapeValue(value: string): string {
  return value.replace(/\\([,|$\\])/g, '$1')
}

/** `code`, `system|code`, `|code`, `system|`; null for a value without either. */
export function parseToken(value: string): TokenValue | null {
  const [first = '', ...rest] = split(value, '|')
  if (rest.length === 0) return first === '' ? null : { system: null, code: unescapeValue(first) }
  const code = rest.join('|')
  if (first === '' && code === '') return null
  return { system: unescapeValue(first), code: code === '' ? null : unescapeValue(code) }
}

/**
 * `ID`, `Type/ID`, or absolute on this base.
 * @returns null for anything else: another base, a version, a type that is not stored
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
