/** How a search compares a value: prefixes of dates, modifiers, and whether there is a value at all. */
export const comparisons = {
  eq: 'is',
  ne: 'is not',
  gt: 'after',
  ge: 'from',
  lt: 'before',
  le: 'until',
  sa: 'starts after',
  eb: 'ends before',
  ap: 'about',
  not: 'is not',
  exact: 'is exactly',
  contains: 'contains',
  missing: 'is missing',
  present: 'is present',
} as const

export type Comparison = keyof typeof comparisons

export const datePrefixes = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const

/** The `:missing` value of comparisons that take no value of their own. */
const missingValues: Partial<Record<Comparison, 'true' | 'false'>> = { missing: 'true', present: 'false' }

/** The name and value to send in the query, or null if the parameter has no value. */
export function comparedPair(name: string, comparison: Comparison, value: string): [string, string] | null {
  const missing = missingValues[comparison]
  if (missing !== undefined) return [`${name}:missing`, missing]
  if (value === '') return null
  if (comparison === 'eq') return [name, value]
  return datePrefixes.some((prefix) => prefix === comparison)
    ? [name, comparison + value]
    : [`${name}:${comparison}`, value]
}
