/**
 * What a search must bring by the facts of US Core, found without the server.
 * https://hl7.org/fhir/R4/search.html
 */
import facts from '../conformance/facts/us-core-searches.json' with { type: 'json' }
import {
  matchesDate,
  matchesReference,
  matchesString,
  matchesToken,
  spans,
  valuesAt,
} from './search-semantics.ts'
import type { Found } from './us-core-profiles.ts'

interface ParameterFacts {
  readonly type: 'token' | 'reference' | 'date' | 'string'
  readonly expression: string
}

const types = facts.types as unknown as Readonly<
  Record<string, { parameters: Readonly<Record<string, ParameterFacts>> }>
>

export function parameterOf(type: string, name: string): ParameterFacts {
  const found = types[type]?.parameters[name]
  if (found === undefined) throw new Error(`the facts know no ${type}.${name}`)
  return found
}

/** The values of a parameter in a resource. */
export const valuesOf = (resource: Found, name: string) =>
  valuesAt(resource, parameterOf(resource.resourceType, name).expression)

/** Whether the resource belongs into the response to `name=value`. */
export function matches(resource: Found, name: string, value: string): boolean {
  const values = valuesOf(resource, name)
  const { type } = parameterOf(resource.resourceType, name)
  return value.split(',').some((each) => {
    switch (type) {
      case 'token':
        return matchesToken(values, each)
      case 'reference':
        return matchesReference(values, each)
      case 'date':
        return matchesDate(values, each)
      default:
        return matchesString(values, each)
    }
  })
}

const dayMs = 86_400_000
const toMoment = (at: number) => new Date(at).toISOString().replace('Z', '+00:00')

/** A moment before the value begins, for a comparison that certainly holds. */
export const dayBefore = (value: unknown) => toMoment((spans([value])[0]?.from ?? 0) - dayMs)

/** A moment after the value has ended; null for a period that never ends. */
export function dayAfter(value: unknown): string | null {
  const end = spans([value])[0]?.to ?? 0
  return Number.isFinite(end) ? toMoment(end + dayMs) : null
}
