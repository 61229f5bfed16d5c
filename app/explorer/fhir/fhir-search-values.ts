/** From the fields of search parameters to the pairs of a query. */
import {
  asksWhether,
  type BuilderField,
  type Comparison,
  comparisonField,
  valueField,
  valuesMax,
} from './fhir-field.ts'
import {
  type Fields,
  hasAddress,
  isId,
  type RefusedRequest,
  refused,
  textsOf,
  valueMax,
} from './fhir-request-parts.ts'

const referenceRule = 'Enter an ID, Type/id, or a URL under this practice’s base URL.'

/**
 * A parameter that is given more than once is asked for more than once: all of its values hold.
 * @param base of the practice, without a slash at its end
 */
export function addValues(
  query: URLSearchParams,
  fields: Fields,
  field: BuilderField,
  base: string,
): RefusedRequest | null {
  const { name, comparisons } = field
  const at = valueField(name)
  const values = textsOf(fields, at)
  const said = textsOf(fields, comparisonField(name))
  const rows = Math.max(values.length, said.length)
  if (rows > valuesMax) return refused(at, `Enter ${name} at most ${valuesMax} times.`)
  for (let row = 0; row < rows; row++) {
    const value = values[row] ?? ''
    const how = said[row] || 'eq'
    const comparison = how === 'eq' ? how : comparisons.find((each) => each === how)
    if (comparison === undefined) return refused(at, 'Choose a comparison from the list.')
    const whether = asksWhether[comparison]
    if (whether !== undefined) query.append(`${name}:missing`, whether)
    else if (value !== '') {
      const wrong = checkValue(value, field, base)
      if (wrong) return wrong
      query.append(...pairOf(field, comparison, value))
    }
  }
  return null
}

function checkValue(value: string, { name, input }: BuilderField, base: string): RefusedRequest | null {
  const at = valueField(name)
  if (value.length > valueMax) return refused(at, `At most ${valueMax} characters.`)
  const isReference = input === 'record' || input === 'person'
  if (!isReference || value.split(',').every((each) => isReferenceTo(each, base))) return null
  return refused(at, referenceRule, hasAddress(value))
}

function isReferenceTo(text: string, base: string): boolean {
  const relative = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text
  const [first = '', id, ...more] = relative.split('/')
  if (more.length > 0) return false
  return id === undefined ? isId(first) : /^[A-Za-z]{1,64}$/.test(first) && isId(id)
}

function pairOf({ name, input }: BuilderField, comparison: Comparison, value: string): [string, string] {
  if (comparison === 'eq') return [name, value]
  return input === 'date' ? [name, comparison + value] : [`${name}:${comparison}`, value]
}
