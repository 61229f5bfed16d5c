/**
 * JSON whose numbers keep the digits they were written with: 1.10 is a measurement of another precision than 1.1,
 * https://hl7.org/fhir/R4/datatypes.html#decimal. A number that JavaScript would write otherwise is carried as a
 * marked text between `parseExact` and `stringifyExact`.
 */
import { randomUUID } from 'node:crypto'

/** Of this process alone, so that no text from outside can pass for a number. */
const mark = `\uE000${randomUUID()}:`
const marked = new RegExp(`"${mark}([^"]+)"`, 'g')

/**
 * A number whose digits may not survive: 1.10, 1.0, 1e3, more than 15 digits, -0, very small. Most resources have
 * none; one that only looks like it, in a text, costs time and nothing else.
 */
const suspicious =
  /(?:^|[:[,])\s*-?(?:[\d.]{16}|0\.0{6}|\d+\.\d*0(?=[\s,}\]]|$)|\d+(?:\.\d+)?[eE][+-]?\d|(?<=-)0(?![.\d]))/
const stringOrNumber = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** @throws SyntaxError on what is no JSON */
export function parseExact(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text)
  return JSON.parse(
    text.replace(stringOrNumber, (part) =>
      part.startsWith('"') || String(Number(part)) === part || !isNumber(part) ? part : `"${mark}${part}"`,
    ),
  )
}

/** One line. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes(mark) ? text.replace(marked, '$1') : text
}

/** JSON has no 01; the parser shall say so. */
function isNumber(part: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.|[eE]|$)/.test(part)
}
