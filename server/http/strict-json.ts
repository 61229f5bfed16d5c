/**
 * JSON whose meaning cannot depend on who reads it: no name twice in one object, no `__proto__`, no number that
 * would be another one here, nesting bounded. https://www.rfc-editor.org/rfc/rfc7493 (I-JSON)
 */
import { jsonBoundsFault } from '../contract/http/json-bounds.ts'
import { Problem } from '../contract/http/problems.ts'

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|-?\d[\d.eE+-]*/g

/** @throws Problem `malformed_json`, whose sentence repeats nothing of what was sent */
export function parseStrictJson(text: string): unknown {
  const fault = jsonBoundsFault(text)
  if (fault !== null) throw refused(`The body ${fault}.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message repeats what was sent.
    throw new Problem('malformed_json')
  }
  checkTokens(text)
  return value
}

/** @param text known to be JSON, so that tokens tell all there is */
function checkTokens(text: string): void {
  /** Of every object that is open the names so far; null for an array. */
  const open: (Set<string> | null)[] = []
  let last: string | null = null
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') checkName(JSON.parse(last ?? '""') as string, open.at(-1) ?? null)
    else if (token !== ',' && !token.startsWith('"')) checkNumber(token)
    last = token
  }
}

function checkName(name: string, names: Set<string> | null): void {
  // An own property of this name would change the prototype of whatever it is merged into.
  if (name === '__proto__') throw refused('The body contains a key named __proto__.')
  if (names?.has(name)) throw refused('The body contains an object with the same key twice.')
  names?.add(name)
}

/** Whole numbers up to 2^53 and finite ones of 15 digits are the same for every reader. */
function checkNumber(token: string): void {
  const value = Number(token)
  const digits = token.replace(/[eE].*$/, '').replace(/^[-0.]+|\D/g, '').length
  if (!Number.isFinite(value) || (digits > 15 && !Number.isSafeInteger(value))) {
    throw refused('The body contains a number that is too large or too long.')
  }
}

function refused(message: string): Problem {
  return new Problem('malformed_json', { message })
}
