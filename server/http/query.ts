/** Parses query strings strictly: each parameter once, valid UTF-8, no NUL. */
import { z } from 'zod'
import { decodePair } from '../contract/http/form-encoding.ts'
import { Problem } from '../contract/http/problems.ts'

/** Values by name. A value is a number if the schema expects one and the text is one. */
type RawQuery = Record<string, string | number>

/**
 * @param search the query string without `?`
 * @throws Problem `validation`
 */
export function parseQuery(search: string, schema: z.ZodObject): RawQuery {
  const numeric = numericNames(schema)
  const query: RawQuery = Object.create(null)
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const [name, value] = decodePair(pair, 'The query string')
    if (name in query) throw refused(`${truncate(name)} is given twice.`, name, schema)
    query[name] = numeric.has(name) && /^-?\d{1,9}$/.test(value) ? Number(value) : value
  }
  return query
}

/**
 * Checks the parameters against the schema. Errors name unknown or invalid parameters.
 * @throws Problem `validation`
 */
export function checkQuery<Schema extends z.ZodObject>(query: RawQuery, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  const unknown = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  )
  if (unknown.length > 0) {
    const names = unknown.slice(0, 5).map(truncate).join(', ')
    throw refused(`Unknown query parameter${unknown.length > 1 ? 's' : ''}: ${names}.`, undefined, schema)
  }
  const messages = [...new Set(parsed.error.issues.map(({ message }) => message))]
  throw refused(`${messages.join('; ')}.`, String(parsed.error.issues[0]?.path[0]), schema)
}

/** The query string without `?`. */
export function searchOf(request: Request): string {
  const at = request.url.indexOf('?')
  return at < 0 ? '' : request.url.slice(at + 1).replace(/#.*$/s, '')
}

/** Makes a name from a caller safe for our messages: short and without control characters. */
export function truncate(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '?')
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain
}

/** The field is logged, so it must be a known name or `unknown_parameter`. */
function refused(message: string, name: string | undefined, schema: z.ZodObject): Problem {
  const known = name !== undefined && Object.hasOwn(schema.shape, name)
  return new Problem('validation', { message, field: known ? name : 'unknown_parameter' })
}

const numericNamesOf = new WeakMap<z.ZodObject, ReadonlySet<string>>()

function numericNames(schema: z.ZodObject): ReadonlySet<string> {
  let names = numericNamesOf.get(schema)
  if (names === undefined) {
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
    const numbers = Object.entries(properties).filter(
      ([, property]) => typeof property === 'object' && ['integer', 'number'].includes(String(property.type)),
    )
    names = new Set(numbers.map(([name]) => name))
    numericNamesOf.set(schema, names)
  }
  return names
}
