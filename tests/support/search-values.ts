/** Search values that a resource is found by, taken from the resource as a test suite takes them. */

import { dayAfter, dayBefore, parameterOf, valuesOf } from './search-oracle.ts'
import { codings, texts } from './search-semantics.ts'
import type { Found } from './us-core-profiles.ts'

export type Parameter = readonly [name: string, value: string]

/** The plainest value by which this resource is found. */
export function plainValue(resource: Found, name: string): string | undefined {
  const [value] = valuesOf(resource, name)
  if (value === undefined) return undefined
  switch (parameterOf(resource.resourceType, name).type) {
    case 'token':
      return codings([value])[0]?.code
    case 'reference':
      return typeof value === 'string'
        ? value
        : String((value as { reference: string }).reference)
            .split('/')
            .pop()
    case 'date':
      return typeof value === 'string' ? value : (value as { start?: string }).start
    default:
      return texts([value])[0]
  }
}

/** As `plainValue`, but of a period: after the day before it, for no single instant finds it. */
export function suiteValue(resource: Found, name: string): string | undefined {
  const [value] = valuesOf(resource, name)
  if (typeof value !== 'object' || parameterOf(resource.resourceType, name).type !== 'date')
    return plainValue(resource, name)
  return (value as { start?: string }).start === undefined ? undefined : `gt${dayBefore(value)}`
}

/** `system|code` of a token; undefined for a code without a system. */
export function valueWithSystem(resource: Found, name: string): string | undefined {
  const coded = codings(valuesOf(resource, name)).find(({ system }) => system !== '')
  return coded && `${coded.system}|${coded.code}`
}

/** One value for each of the prefixes that certainly finds the date; a period that never ends has no end to compare. */
export function comparedValues(resource: Found, name: string, prefixes: readonly string[]): string[] {
  const [value] = valuesOf(resource, name)
  const after = dayAfter(value)
  const values: Record<string, string | null> = {
    gt: dayBefore(value),
    ge: dayBefore(value),
    lt: after,
    le: after,
  }
  return prefixes.flatMap((prefix) => (values[prefix] ? [`${prefix}${values[prefix]}`] : []))
}

export const queryOf = (parameters: readonly Parameter[]) =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
