/**
 * JSON whose meaning cannot depend on who reads it: no name twice in one object, no `__proto__`, no number that
 * would be another one here, nesting bounded. https://www.rfc-editor.org/rfc/rfc7493 (I-JSON)
 */
import { endOfString, jsonBoundsFault } from '../contract/http/json-bounds.ts'
import { Problem } from '../contract/http/problems.ts'

/** None of sense is longer. */
const numberCharactersMax = 400
const number = /-?\d[\d.eE+-]*/y

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

/** @param text known to be JSON, so that its signs tell all there is. Character by character: it may be a megabyte. */
function checkTokens(text: string): void {
  /** Of every object that is open the names so far; null for an array. */
  const open: (Set<string> | null)[] = []
  let last = { start: 0, end: 0 }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (sign === '"') {
      last = { start: at, end: endOfString(text, at) + 1 }
      at = last.end - 1
    } else if (sign === '{' || sign === '[') open.push(sign === '{' ? new Set() : null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === ':') checkName(stringOf(text.slice(last.start, last.end)), open.at(-1) ?? null)
    else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      number.lastIndex = at
      const [token = sign] = number.exec(text) ?? []
      checkNumber(token)
      at += token.length - 1
    }
  }
}

const stringOf = (token: string) =>
  token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)

function checkName(name: string, names: Set<string> | null): void {
  // An own property of this name would change the prototype of whatever it is merged into.
  if (name === '__proto__') throw refused('The body contains a key named __proto__.')
  if (names?.has(name)) throw refused('The body contains an object with the same key twice.')
  names?.add(name)
}

/** Whole numbers up to 2^53 and finite ones of 15 digits are the same for every reader. */
function checkNumber(token: string): void {
  if (token.length > numberCharactersMax) throw longNumber()
  const value = Number(token)
  const digits = token.replace(/[eE].*$/, '').replace(/^[-0.]+|\D/g, '').length
  if (!Number.isFinite(value) || (digits > 15 && !Number.isSafeInteger(value))) {
    throw longNumber()
  }
}

const longNumber = () => refused('The body contains a number that is too large or too long.')

function refused(message: string): Problem {
  return new Problem('malformed_json', { message })
}
