/**
 * Bounds of JSON that comes from outside, checked before it is parsed: the parser builds everything first, and a
 * megabyte of brackets or keys would hold up every other request for a tenth of a second or more.
 */
import { limits } from './limits.ts'

/** JSON that is too deep or has too many values. */
class JsonBoundsError extends Error {}

/**
 * Linear, and ends at the first excess. Text that is no JSON may pass: the parser refuses it.
 * @returns what is wrong, to be completed to a sentence with the name of the text; null when it may be parsed
 */
export function jsonBoundsFault(text: string): string | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case openBracket:
      case openBrace:
        values++
        if (++depth > limits.jsonDepthMax) return `is nested more than ${limits.jsonDepthMax} levels deep`
        break
      case closeBracket:
      case closeBrace:
        depth--
        break
      case comma:
        values++
    }
    if (values > limits.jsonValuesMax)
      return `contains more than ${limits.jsonValuesMax.toLocaleString('en-US')} values`
  }
  return null
}

/** @throws JsonBoundsError before anything is parsed; SyntaxError, whose message repeats the text */
export function parseBoundedJson(text: string): unknown {
  const fault = jsonBoundsFault(text)
  if (fault !== null) throw new JsonBoundsError(`The JSON ${fault}.`)
  return JSON.parse(text)
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** The place of the closing quote; the end of a text that has none. */
export function endOfString(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === quote) break
    if (code === backslash) end++
  }
  return end
}
