/**
 * Parses query strings and form bodies strictly: valid UTF-8, no NUL, limited length.
 * https://url.spec.whatwg.org/#application/x-www-form-urlencoded
 */
import { decodePair } from '../contract/http/form-encoding.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Parameter } from './compile.ts'

/** A longer search is a mistake or an attack. */
const encodedLengthMax = 24_000
const decodedLengthMax = 6_000
const parametersMax = 60

/**
 * @param encoded a query string without `?`, or a form body
 * @returns all parameters in order, without empty pairs
 * @throws Problem `validation`
 */
export function parseParameters(encoded: string): Parameter[] {
  if (encoded.length > encodedLengthMax) throw tooLong()
  const pairs = encoded.split('&').filter((pair) => pair !== '')
  if (pairs.length > parametersMax) {
    throw new Problem('validation', {
      field: 'parameters',
      message: `A search has at most ${parametersMax} parameters.`,
    })
  }
  const parameters: Parameter[] = pairs.map((pair) => decodePair(pair, 'The search'))
  const length = parameters.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > decodedLengthMax) throw tooLong()
  return parameters
}

function tooLong(): Problem {
  return new Problem('validation', {
    field: 'parameters',
    message: `The parameters of a search can have at most ${decodedLengthMax} characters in total.`,
  })
}
