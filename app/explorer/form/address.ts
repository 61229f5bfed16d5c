/** The URL of a request while its form is filled in. */
import { type Comparison, comparedPair } from '../../shared/operations/comparisons.ts'
import type { RequestField } from '../../shared/operations/operation.ts'

/** The input of the comparison beside a value. */
export const comparisonOf = (input: string) => input.replace(/^p-/, 'x-')

interface AddressPart {
  readonly text: string
  /** Whether the part is a value or its placeholder. */
  readonly isValue: boolean
}

/** @param valuesOf returns the values of an input, in the form's order */
export function addressParts(
  path: string,
  fields: readonly RequestField[],
  valuesOf: (input: string) => readonly string[],
): readonly AddressPart[] {
  const inputOf = (name: string) =>
    fields.find((field) => field.place === 'path' && field.name === name)?.input
  const parts = path.split(/(\{\w+\})/).map((text) => {
    const input = text.startsWith('{') ? inputOf(text.slice(1, -1)) : undefined
    if (input === undefined) return { text, isValue: false }
    const [value = ''] = valuesOf(input)
    return { text: value === '' ? text : encodeURIComponent(value), isValue: true }
  })
  const query = fields.filter(({ place }) => place === 'query').flatMap((field) => pairsOf(field, valuesOf))
  return [
    ...parts,
    ...query.flatMap(([name, value], index) => [
      { text: `${index === 0 ? '?' : '&'}${name}=`, isValue: false },
      { text: encodeURIComponent(value).replace(/%(2C|3A|2F|7C)/g, decodeURIComponent), isValue: true },
    ]),
  ].filter(({ text }) => text !== '')
}

function pairsOf({ input, name, kind }: RequestField, valuesOf: (input: string) => readonly string[]) {
  const values = valuesOf(input)
  if (kind === 'list') return values.length === 0 ? [] : [[name, values.join(',')] as const]
  const compared = valuesOf(comparisonOf(input))
  return values.flatMap((value, row) => {
    const comparison = comparisonOf(input) === input ? 'eq' : (compared[row] ?? 'eq')
    const pair = comparedPair(name, comparison as Comparison, value)
    return pair === null ? [] : [pair]
  })
}
