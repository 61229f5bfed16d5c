/** One field of the builder, as the page and the server know it: no table of the server travels with it. */
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

/** Where the value is of no use: the question is whether there is one. */
export const asksWhether: Partial<Record<Comparison, 'true' | 'false'>> = {
  missing: 'true',
  present: 'false',
}

export interface BuilderField {
  readonly name: string
  /** Of the CapabilityStatement. */
  readonly type: string
  /**
   * `person`: a patient of the practice; `record`: the id of a record or a reference to one; `canonical`: an address
   * that names a definition and leads nowhere.
   */
  readonly input: 'person' | 'record' | 'id' | 'code' | 'date' | 'text' | 'canonical'
  /** The first is the usual one; empty where there is nothing to choose. */
  readonly comparisons: readonly Comparison[]
  /** Shown at once; the others are folded. */
  readonly isMain: boolean
}

/** Names of fields: those of forms begin with a letter and hold no underscore. */
const fieldOf = (parameter: string) => parameter.replace(/^_/, 'meta-')
export const valueField = (parameter: string) => `p-${fieldOf(parameter)}`
export const operationField = (input: string) => `o-${fieldOf(input)}`
export const comparisonField = (parameter: string) => `x-${fieldOf(parameter)}`

/** Of one parameter: all of them hold. */
export const valuesMax = 5

/** A search is about one patient, and of one id: such a parameter is not asked for twice. */
export function canRepeat({ comparisons: offered }: BuilderField): boolean {
  return offered.length > 0
}
