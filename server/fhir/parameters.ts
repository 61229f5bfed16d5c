/** Reads the parameters of a request from the URL and, for a POST, also from the body. */
import { Problem } from '../contract/http/problems.ts'
import { decodeUtf8, parseStrictJson, readBody } from '../http/body.ts'
import type { Parameter } from '../search/compile.ts'
import { parseParameters } from '../search/query-string.ts'
import type { Route } from './routes.ts'

const formType = /^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i
const jsonType = /^application\/(fhir\+)?json *(; *(charset="?utf-8"?|fhirversion="?4\.0"?) *)*$/i
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses the query string. @throws Problem `validation` */
export const queryParameters = (request: Request): Parameter[] => parseParameters(queryOf(request))

/**
 * Parameters of the URL come before those of the body. The body is a form or, for an operation, a Parameters resource.
 * @throws Problem `unsupported_media_type`, `payload_too_large`, `malformed_json` or `validation`
 */
export async function readParameters(request: Request, { kind }: Route): Promise<Parameter[]> {
  if (request.method !== 'POST') return queryParameters(request)
  const type = request.headers.get('content-type')
  const bytes = await readBody(request)
  return parseParameters([queryOf(request), formOf()].join('&'))

  function formOf(): string {
    if (type === null ? bytes.length === 0 : formType.test(type)) return textOf(bytes)
    const isOperation = kind === 'operation'
    if (isOperation && jsonType.test(type ?? '')) return bytes.length === 0 ? '' : toForm(bytes)
    const resource = isOperation ? ', or application/fhir+json with a Parameters resource' : ''
    throw new Problem('unsupported_media_type', {
      message: `The body must be application/x-www-form-urlencoded${resource}.`,
    })
  }
}

function queryOf({ url }: Request): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1).replace(/#.*$/s, '')
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('validation', { message: 'The form is not UTF-8.', field: 'encoding' })
  }
}

/** Formats parameters as a query string. Characters that FHIR uses and URLs allow stay readable. */
export const formatParameters = (parameters: readonly Parameter[]): string =>
  parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(2C|3A|2F|24)/g, (escaped) => decodeURIComponent(escaped))

// The Parameters resource of an operation's POST, https://hl7.org/fhir/R4/operations.html#request

/**
 * Converts a Parameters resource to a form, so that one parser reads all parameters.
 * @throws Problem `malformed_json` or `validation`
 */
function toForm(body: Uint8Array): string {
  const { resourceType, parameter = [] } = objectOf(parseStrictJson(decodeUtf8(body)))
  if (resourceType !== 'Parameters' || !Array.isArray(parameter))
    throw refused('The body must be a Parameters resource.')
  return parameter.map((part) => toPair(objectOf(part))).join('&')
}

function toPair({ name, ...element }: Record<string, unknown>): string {
  const values = Object.entries(element).filter(([key]) => key !== 'id' && key !== 'extension')
  const [[key = '', value] = []] = values
  const text = primitiveText(key, value)
  if (typeof name !== 'string' || name === '' || values.length !== 1 || text === null)
    throw refused('Every parameter must have a name and one value of a simple type.')
  try {
    return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`
  } catch {
    throw refused('A parameter contains half of a surrogate pair.')
  }
}

/** Writes a value as a search parameter would: a concept is a list of tokens. */
function primitiveText(key: string, value: unknown): string | null {
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
const escapeValue = (text: string): string => text.replace(/[\\,|$]/g, '\\$&')

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const refused = (message: string): Problem =>
  new Problem('validation', { message, field: 'parameters', fhirIssue: 'structure' })
