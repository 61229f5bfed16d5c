/** Converts the path of a request, as in links of the documentation, to fields of the builder's form. */
import { type Comparison, comparisons, datePrefixes } from '../../shared/operations/comparisons.ts'
import type { RequestField } from '../../shared/operations/operation.ts'
import { comparisonField, operationField, sharedFields, valueField } from './fhir-fields.ts'

type Values = Readonly<Record<string, readonly string[]>>

const pathMax = 2_000

/** @param path a path below the base: `Observation?patient=…`, `Patient/…`, `Patient/…/$everything?…` */
export function askedValues(path: string | null, fields: readonly RequestField[]): Values {
  const [place = '', search = ''] = (path ?? '').slice(0, pathMax).split('?')
  const [, ...rest] = place.split('/')
  const [last = ''] = rest.slice(-1)
  const pairs = [...new URLSearchParams(search)]
  if (last.startsWith('$'))
    return collect([
      ['operation', last.slice(1)],
      ...(rest.length > 1 ? [['id', rest[0] ?? ''] as const] : []),
      ...pairs.flatMap(([name, value]) =>
        value.split(',').map((item) => [operationField(name), item] as const),
      ),
    ])
  return collect([
    ...(rest.length > 0 && last !== '_search' ? [['id', last] as const] : []),
    ...pairs.flatMap(([name, value]) => searchFields(name, value, fields)),
  ])
}

/** The fields of a value and of its comparison. Repeated parameters repeat both fields. */
function searchFields(parameter: string, value: string, fields: readonly RequestField[]): readonly Pair[] {
  const shared = sharedFields[parameter]
  if (shared !== undefined) return [[shared, value]]
  const [name = '', modifier] = parameter.split(':')
  const field = fields.find((candidate) => candidate.name === name)
  if (!field) return []
  const prefix = field.kind === 'date' ? datePrefixes.find((start) => value.startsWith(start)) : undefined
  const code =
    modifier === 'missing' ? (value === 'true' ? 'missing' : 'present') : (modifier ?? prefix ?? 'eq')
  const text = modifier === 'missing' ? '' : prefix ? value.slice(prefix.length) : value
  return [[valueField(name), text], ...(isComparison(code) ? [[comparisonField(name), code] as const] : [])]
}

const isComparison = (comparison: string): comparison is Comparison => Object.hasOwn(comparisons, comparison)

type Pair = readonly [field: string, value: string]

function collect(pairs: readonly Pair[]): Values {
  const values: Record<string, string[]> = {}
  for (const [field, value] of pairs) values[field] = [...(values[field] ?? []), value]
  return values
}
