/** How an answer differs from what the document says of it: what is missing, of another type, or said nowhere. */
import type { z } from 'zod'

export type Difference = Readonly<{
  /** `extra`: in the answer, not in the document. */
  kind: 'missing' | 'extra' | 'different'
  /** `data[0].name.family`; empty for the whole. */
  path: string
  message: string
}>

export type Comparison = Readonly<{
  /** Values that are as the document says. */
  matched: number
  differences: readonly Difference[]
}>

const differencesMax = 50

export function compareWithSchema(schema: z.ZodType, value: unknown): Comparison {
  const parsed = schema.safeParse(value)
  const wrong = parsed.success ? [] : parsed.error.issues.flatMap((issue) => toDifferences(issue, value))
  // What the schema does not name, parsing leaves out.
  const extra = parsed.success ? extrasOf(value, parsed.data, []) : []
  const differences = [...wrong, ...extra]
  return {
    matched: Math.max(0, countValues(value) - differences.length),
    differences: differences.slice(0, differencesMax),
  }
}

function toDifferences(issue: z.core.$ZodIssue, value: unknown): Difference[] {
  const { path, message } = issue
  // A schema that takes nothing more names what there is more.
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => ({
      kind: 'extra',
      path: nameOf([...path, name]),
      message: 'Not in the document.',
    }))
  const missing = path.length > 0 && valueAt(value, path) === undefined
  return [{ kind: missing ? 'missing' : 'different', path: nameOf(path), message }]
}

function extrasOf(value: unknown, known: unknown, path: readonly PropertyKey[]): Difference[] {
  if (Array.isArray(value) && Array.isArray(known))
    return value.flatMap((item, index) => extrasOf(item, known[index], [...path, index]))
  if (!isObject(value) || !isObject(known)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    Object.hasOwn(known, name)
      ? extrasOf(item, known[name], [...path, name])
      : [{ kind: 'extra' as const, path: nameOf([...path, name]), message: 'Not in the document.' }],
  )
}

function countValues(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countValues(item), 0)
  if (isObject(value)) return Object.values(value).reduce((sum: number, item) => sum + countValues(item), 0)
  return 1
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  )
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) =>
      typeof key === 'number' ? `${name}[${key}]` : name === '' ? String(key) : `${name}.${String(key)}`,
    '',
  )
}
