/** The Parameters resource of an operation's POST, https://hl7.org/fhir/R4/operations.html#request */
import { Problem } from '../contract/http/problems.ts'
import { decodeUtf8 } from '../http/body.ts'
import { parseStrictJson } from '../http/strict-json.ts'

/**
 * As a form would say it, so that there is one way to read parameters.
 * @throws Problem `malformed_json` or `validation`
 */
export function toForm(body: Uint8Array): string {
  const { resourceType, parameter = [] } = objectOf(parseStrictJson(decodeUtf8(body)))
  if (resourceType !== 'Parameters' || !Array.isArray(parameter))
    throw refused('The body must be a Parameters resource.')
  return parameter.map((each) => toPair(objectOf(each))).join('&')
}

function toPair({ name, ...element }: Record<string, unknown>): string {
  const values = Object.entries(element).filter(([key]) => key !== 'id' && key !== 'extension')
  const [[key = '', value] = []] = values
  const text = textOf(key, value)
  if (typeof name !== 'string' || name === '' || values.length !== 1 || text === null)
    throw refused('Every parameter must have a name and one value of a simple type.')
  try {
    return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`
  } catch {
    throw refused('A parameter contains half of a surrogate pair.')
  }
}

/** In the words of a search: a concept is a list of tokens. */
function textOf(key: string, value: unknown): string | null {
  if (key === 'valueCodeableConcept') {
    const { coding } = objectOf(value)
    const tokens = Array.isArray(coding) ? coding.map(tokenOf) : []
    return tokens.length === 0 || tokens.includes(null) ? null : tokens.join(',')
  }
  if (key === 'valueCoding') return tokenOf(value)
  const simple = key === 'valueReference' ? objectOf(value).reference : value
  return key.startsWith('value') && ['string', 'number', 'boolean'].includes(typeof simple)
    ? String(simple)
    : null
}

function tokenOf(coding: unknown): string | null {
  const { system, code } = objectOf(coding)
  if (typeof code !== 'string' || (system !== undefined && typeof system !== 'string')) return null
  return system === undefined ? escapeValue(code) : `${escapeValue(system)}|${escapeValue(code)}`
}

/** https://hl7.org/fhir/R4/search.html#escaping */
function escapeValue(text: string): string {
  return text.replace(/[\\,|$]/g, '\\$&')
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function refused(message: string): Problem {
  return new Problem('validation', { message, field: 'parameters', fhirIssue: 'structure' })
}
