/** Reads request bodies up to a limit, whatever their Content-Length says. */

import { endOfString, jsonBoundsFault } from '../contract/http/json-bounds.ts'
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'

/** Bytes of bodies that are being received, by client address; '' is the total of the process. */
const held = new Map<string, number>()
const addresses = new WeakMap<Request, string>()

/** The edge sets the client's address of each request. */
export function setBodyAddress(request: Request, ipSubject: string): void {
  addresses.set(request, ipSubject)
}

function hold(address: string, bytes: number): number {
  const total = (held.get(address) ?? 0) + bytes
  if (total === 0) held.delete(address)
  else held.set(address, total)
  return total
}

/**
 * Reads the whole body.
 * @throws Problem `unsupported_media_type` for a compressed one, `payload_too_large` as soon as more than `max` bytes have come, or are announced,
 *   `rate_limited` and `unavailable` while too much is being received from the address, or by this process
 */
export async function readBody(request: Request, max: number = limits.bodyBytesMax): Promise<Uint8Array> {
  if (!/^(identity)?$/i.test(request.headers.get('content-encoding') ?? ''))
    throw new Problem('unsupported_media_type', { message: 'The body must not be compressed.' })
  checkAnnounced(request, max)
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  const address = addresses.get(request) ?? 'unknown'
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.byteLength
      const ofAddress = hold(address, value.byteLength)
      const ofProcess = hold('', value.byteLength)
      if (length > max) throw tooLarge(max)
      if (ofAddress > limits.bodyBytesHeldPerAddress)
        throw new Problem('rate_limited', { retryAfterSeconds: 5 })
      if (ofProcess > limits.bodyBytesHeldPerProcess)
        throw new Problem('unavailable', { retryAfterSeconds: 5 })
      chunks.push(value)
    }
  } catch (error) {
    await reader.cancel().catch(() => {})
    throw error
  } finally {
    hold(address, -length)
    hold('', -length)
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length)
}

/** Does not remove a byte order mark, so that JSON.parse refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads and strictly parses a JSON body.
 * @throws Problem `unsupported_media_type`, `payload_too_large` or `malformed_json`, in this order
 */
export async function readJson(request: Request, max: number = limits.bodyBytesMax): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(type))
    throw new Problem('unsupported_media_type')
  const bytes = await readBody(request, max)
  return parseStrictJson(decodeUtf8(bytes))
}

/** @throws Problem `malformed_json` */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('malformed_json')
  }
}

function checkAnnounced(request: Request, max: number): void {
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > max) throw tooLarge(max)
}

function tooLarge(max: number): Problem {
  return new Problem('payload_too_large', {
    message: `The body is larger than ${max.toLocaleString('en-US')} bytes.`,
  })
}

// Accepts only JSON that every parser reads the same way: no duplicate names, no `__proto__`, no number that would lose
// precision, limited nesting. https://www.rfc-editor.org/rfc/rfc7493 (I-JSON)

/** No useful number is longer. */
const numberCharactersMax = 400
const number = /-?\d[\d.eE+-]*/y

/** @throws Problem `malformed_json`, whose message repeats nothing from the body */
export function parseStrictJson(text: string): unknown {
  const fault = jsonBoundsFault(text)
  if (fault !== null) throw refused(`The body ${fault}.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message repeats parts of the body.
    throw new Problem('malformed_json')
  }
  checkTokens(text)
  return value
}

/** Scans the characters instead of tokenizing, because the text may have a megabyte. @param text valid JSON */
function checkTokens(text: string): void {
  /** For each open object its names so far; null for an array. */
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
  // Merging an object with this name would change the prototype of the target.
  if (name === '__proto__') throw refused('The body contains a key named __proto__.')
  if (names?.has(name)) throw refused('The body contains an object with the same key twice.')
  names?.add(name)
}

/** Integers up to 2^53 and numbers with 15 digits are exact in every parser. */
function checkNumber(token: string): void {
  if (token.length > numberCharactersMax) throw longNumber()
  const value = Number(token)
  const digits = token.replace(/[eE].*$/, '').replace(/^[-0.]+|\D/g, '').length
  if (!Number.isFinite(value) || (digits > 15 && !Number.isSafeInteger(value))) {
    throw longNumber()
  }
}

const longNumber = () => refused('The body contains a number that is too large or too long.')

const refused = (message: string): Problem => new Problem('malformed_json', { message })
