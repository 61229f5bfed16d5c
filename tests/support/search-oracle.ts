/**
 * What a search must bring, found without the server: values by FHIRPath from the specification's own expressions,
 * compared as the specification says. https://hl7.org/fhir/R4/search.html
 */
import fhirpath from 'fhirpath'
import r4 from 'fhirpath/fhir-context/r4'
import facts from '../conformance/facts/us-core-searches.json' with { type: 'json' }
import type { Found } from './us-core-profiles.ts'

interface ParameterFacts {
  readonly type: 'token' | 'reference' | 'date' | 'string'
  readonly expression: string
  readonly comparators?: readonly string[]
}

interface TypeFacts {
  readonly parameters: Readonly<Record<string, ParameterFacts>>
  readonly revIncludes: readonly string[]
  readonly checked?: readonly string[]
}

export const typeFacts = facts.types as unknown as Readonly<Record<string, TypeFacts>>

export function parameterOf(type: string, name: string): ParameterFacts {
  const found = typeFacts[type]?.parameters[name]
  if (found === undefined) throw new Error(`the facts know no ${type}.${name}`)
  return found
}

const compiled = new Map<string, (resource: unknown) => unknown[]>()

/** Where nothing is resolved every reference of the element is taken: in these records all of them are Patients. */
function evaluatorOf(expression: string): (resource: unknown) => unknown[] {
  const known = compiled.get(expression)
  if (known !== undefined) return known
  const path = expression
    .replaceAll(/\.where\(resolve\(\) is \w+\)/g, '')
    .replaceAll(/\((\S+) as (\w+)\)/g, '$1.ofType($2)')
    .replaceAll(/\.as\((\w+)\)/g, '.ofType($1)')
    .replaceAll('.valueDateTime', '.value.ofType(dateTime)')
  const evaluate = fhirpath.compile(path, r4) as (resource: unknown) => unknown[]
  compiled.set(expression, evaluate)
  return evaluate
}

const valuesOfResource = new WeakMap<Found, Map<string, unknown[]>>()

/** The values of a parameter in a resource. */
export function valuesOf(resource: Found, name: string): unknown[] {
  const known = valuesOfResource.get(resource) ?? new Map<string, unknown[]>()
  valuesOfResource.set(resource, known)
  let values = known.get(name)
  if (values === undefined) {
    const { expression } = parameterOf(resource.resourceType, name)
    values = evaluatorOf(expression)(resource).map((value) =>
      typeof value === 'object' && value !== null && 'asStr' in value ? String(value.asStr) : value,
    )
    known.set(name, values)
  }
  return values
}

/** Whether the resource belongs into the answer to `name=value`. */
export function matches(resource: Found, name: string, value: string): boolean {
  const { type } = parameterOf(resource.resourceType, name)
  const values = valuesOf(resource, name)
  return value.split(',').some((each) => {
    switch (type) {
      case 'token':
        return values.flatMap(codesOf).some((code) => matchesCode(code, each))
      case 'reference':
        return values.some((reference) => matchesReference(reference, each))
      case 'date':
        return values.some((date) => matchesDate(date, each))
      default:
        return values.flatMap(textsIn).some((text) => plain(text).startsWith(plain(each)))
    }
  })
}

interface Code {
  readonly system: string | undefined
  readonly code: string
}

type Json = Readonly<Record<string, unknown>>

export function codesOf(value: unknown): Code[] {
  if (typeof value === 'string' || typeof value === 'boolean')
    return [{ system: undefined, code: String(value) }]
  if (typeof value !== 'object' || value === null) return []
  const { coding, system, code, value: identifier } = value as Json
  if (Array.isArray(coding)) return coding.flatMap(codesOf)
  const text = code ?? identifier
  return text === undefined ? [] : [{ system: system as string | undefined, code: String(text) }]
}

function matchesCode({ system, code }: Code, asked: string): boolean {
  const bar = asked.indexOf('|')
  if (bar < 0) return code.toLowerCase() === asked.toLowerCase()
  return system === asked.slice(0, bar) && code.toLowerCase() === asked.slice(bar + 1).toLowerCase()
}

function matchesReference(value: unknown, asked: string): boolean {
  const reference = typeof value === 'string' ? value : String((value as Json).reference)
  return reference === asked || reference.split('/').pop() === asked.split('/').pop()
}

interface Span {
  readonly low: number
  readonly high: number
}

function matchesDate(value: unknown, asked: string): boolean {
  const [, prefix = '', text = ''] = /^([a-z]{2})?(.*)$/.exec(asked) ?? []
  const theirs = spanOf(value)
  const ours = spanOf(text)
  if (theirs === null || ours === null) return false
  const inside = theirs.low >= ours.low && theirs.high <= ours.high
  switch (prefix) {
    case 'gt':
      return theirs.high > ours.high
    case 'lt':
      return theirs.low < ours.low
    case 'ge':
      return theirs.high > ours.high || inside
    case 'le':
      return theirs.low < ours.low || inside
    default:
      return inside
  }
}

/** From its first to beyond its last millisecond. */
function spanOf(value: unknown): Span | null {
  if (typeof value === 'object' && value !== null) {
    const { start, end } = value as { start?: string; end?: string }
    if (start === undefined && end === undefined) return null
    return {
      low: start === undefined ? Number.NEGATIVE_INFINITY : (spanOf(start)?.low ?? 0),
      high: end === undefined ? Number.POSITIVE_INFINITY : (spanOf(end)?.high ?? 0),
    }
  }
  const text = String(value)
  const [, year, month, day, time] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(T.+)?$/.exec(text) ?? []
  if (year === undefined) return null
  if (time !== undefined) {
    const low = Date.parse(text)
    const step = /T\d{2}:\d{2}(Z|[+-])/.test(text) ? 60_000 : /\.\d/.test(text) ? 1 : 1_000
    return { low, high: low + step }
  }
  const low = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1))
  const high =
    month === undefined
      ? Date.UTC(Number(year) + 1, 0, 1)
      : day === undefined
        ? Date.UTC(Number(year), Number(month), 1)
        : low + 86_400_000
  return { low, high }
}

/** The first instant and the last, for a comparison that certainly holds. */
export function dayBefore(value: unknown): string {
  return new Date((spanOf(value)?.low ?? 0) - 86_400_000).toISOString().replace('Z', '+00:00')
}

export function dayAfter(value: unknown): string | null {
  const high = spanOf(value)?.high ?? 0
  return Number.isFinite(high) ? new Date(high + 86_400_000).toISOString().replace('Z', '+00:00') : null
}

/** Every text of a HumanName or an Address. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  const parts = value as Json
  return [
    'family',
    'given',
    'prefix',
    'suffix',
    'line',
    'city',
    'district',
    'state',
    'postalCode',
    'country',
    'text',
  ].flatMap((part) => textsIn(parts[part] ?? []))
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
