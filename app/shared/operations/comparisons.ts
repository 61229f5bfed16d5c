/** How a value is compared: prefixes of dates, modifiers of the rest, and whether there is any value at all. */
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

/** Without a value: the question is whether there is one. */
const whether: Partial<Record<Comparison, 'true' | 'false'>> = { missing: 'true', present: 'false' }

/** The name and value to send in the query, or null if the parameter has no value. */
export function comparedPair(name: string, comparison: Comparison, value: string): [string, string] | null {
  const asked = whether[comparison]
  if (asked !== undefined) return [`${name}:missing`, asked]
  if (value === '') return null
  if (comparison === 'eq') return [name, value]
  return datePrefixes.some((each) => each === comparison)
    ? [name, comparison + value]
    : [`${name}:${comparison}`, value]
}
