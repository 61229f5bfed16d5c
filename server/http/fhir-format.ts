/**
 * The one format that is spoken. `_format` wins over `Accept`; `_pretty` is taken and changes nothing, since
 * texts leave as they are stored. https://hl7.org/fhir/R4/http.html#mime-type
 */
import { Problem } from '../contract/http/problems.ts'
import type { Parameter } from '../search/compile.ts'

export const fhirJson = { 'Content-Type': 'application/fhir+json; charset=utf-8' } as const

const formats = new Set(['json', 'application/json', 'application/fhir+json', 'text/json'])
const ranges = new Set([...formats, 'application/*', '*/*'])
const ours = new Set(['_format', '_pretty'])

/**
 * @returns the parameters without those of the format
 * @throws Problem `not_acceptable`
 */
export function takeFormat(parameters: readonly Parameter[], accept: string | null): Parameter[] {
  const asked = parameters.filter(([name]) => name === '_format')
  // A plus that was not encoded has become a space.
  const accepted =
    asked.length > 0
      ? asked.every(([, value]) => formats.has(mediaType(value).replace(' ', '+')))
      : accept === null || accept.trim() === '' || accept.split(',').some(isOurs)
  if (!accepted) throw new Problem('not_acceptable')
  return parameters.filter(([name]) => !ours.has(name))
}

/** `q=0` refuses; a version of FHIR that is not this one is another format. */
function isOurs(range: string): boolean {
  if (!ranges.has(mediaType(range))) return false
  return range
    .split(';')
    .slice(1)
    .map((parameter) => parameter.trim().toLowerCase().replaceAll('"', '').split('='))
    .every(([name, value = '']) => {
      if (name === 'q') return Number(value) > 0
      return name !== 'fhirversion' || value === '4.0'
    })
}

function mediaType(text: string): string {
  return (text.split(';')[0] ?? '').trim().toLowerCase()
}
