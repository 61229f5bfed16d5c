/**
 * What each form of a search value means, in plain words and without the store, its index or its compiler: prefixes,
 * modifiers, systems, references. https://hl7.org/fhir/R4/search.html
 */
import fhirpath from 'fhirpath'
import r4 from 'fhirpath/fhir-context/r4'

export type Json = Readonly<Record<string, unknown>>

const compiled = new Map<string, (resource: Json) => unknown[]>()
const evaluated = new WeakMap<Json, Map<string, unknown[]>>()

/** Values of a search parameter by its FHIRPath expression; every reference there counts, none is resolved. */
export function valuesAt(resource: Json, expression: string): unknown[] {
  const known = evaluated.get(resource) ?? new Map<string, unknown[]>()
  evaluated.set(resource, known)
  const values = known.get(expression) ?? evaluate(resource, expression)
  known.set(expression, values)
  return values
}

function evaluate(resource: Json, expression: string): unknown[] {
  let walk = compiled.get(expression)
  if (walk === undefined) {
    const path = expression
      .replace(/\.where\(resolve\(\) is \w+\)/g, '')
      .replace(/\((\S+) as (\w+)\)/g, '$1.ofType($2)')
      .replace(/\.as\((\w+)\)/g, '.ofType($1)')
      .replace('.valueDateTime', '.value.ofType(dateTime)')
    walk = fhirpath.compile(path, r4) as (resource: Json) => unknown[]
    compiled.set(expression, walk)
  }
  return walk(resource).map((value) =>
    typeof value === 'object' && value !== null && 'asStr' in value ? String(value.asStr) : value,
  )
}

/** `search` is one value of a list, unescaped. */
export function matchesToken(values: readonly unknown[], search: string, implied = ''): boolean {
  const [system, code] = search.includes('|') ? search.split('|') : [undefined, search]
  return codings(values, implied).some(
    (coding) =>
      (system === undefined || coding.system === system) &&
      (code === '' || coding.code.toLowerCase() === code?.toLowerCase()),
  )
}

export function codings(values: readonly unknown[], implied = ''): { system: string; code: string }[] {
  return values.flatMap((value) => {
    if (typeof value === 'string' || typeof value === 'boolean')
      return [{ system: implied, code: String(value) }]
    const { coding, system = '', code, value: number } = value as Record<string, string | unknown[]>
    if (Array.isArray(coding)) return codings(coding)
    const found = code ?? number
    return typeof found === 'string' ? [{ system: String(system), code: found }] : []
  })
}

export function matchesReference(values: readonly unknown[], search: string, base = ''): boolean {
  const wanted = base && search.startsWith(`${base}/`) ? search.slice(base.length + 1) : search
  return values.some((value) => {
    // A canonical is a text by itself.
    const { reference } = typeof value === 'string' ? { reference: value } : (value as { reference?: string })
    return reference === wanted || (!wanted.includes('/') && reference?.split('/')[1] === wanted)
  })
}

/** Leaves of names and addresses. */
export function texts(values: readonly unknown[]): string[] {
  const left = new Set(['use', 'period', 'type', 'extension', 'id'])
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, child]) => (left.has(key) ? [] : texts([child].flat())))
  })
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export function matchesString(values: readonly unknown[], search: string, modifier?: string): boolean {
  return texts(values).some((text) => {
    if (modifier === 'exact') return text === search
    if (modifier === 'contains') return plain(text).includes(plain(search))
    return plain(text).startsWith(plain(search))
  })
}

interface Span {
  readonly from: number
  /** The first moment after it. */
  readonly to: number
}

/** Of a date of any precision, in milliseconds. */
export function spanOf(date: string): Span {
  const [day = '', time] = date.split('T')
  const [year = 0, month, dayOfMonth] = day.split('-').map(Number)
  if (time === undefined) {
    const from = Date.UTC(year, (month ?? 1) - 1, dayOfMonth ?? 1)
    if (month === undefined) return { from, to: Date.UTC(year + 1, 0, 1) }
    if (dayOfMonth === undefined) return { from, to: Date.UTC(year, month, 1) }
    return { from, to: from + 86_400_000 }
  }
  const from = Date.parse(date)
  const clock = time.replace(/(Z|[+-]\d\d:\d\d)$/, '')
  return { from, to: from + (clock.includes('.') ? 1 : clock.length > 5 ? 1_000 : 60_000) }
}

export function spans(values: readonly unknown[]): Span[] {
  return values.flatMap((value) => {
    if (typeof value === 'string') return [spanOf(value)]
    const { start, end } = value as { start?: string; end?: string }
    if (start === undefined && end === undefined) return []
    return [
      {
        from: start === undefined ? Number.NEGATIVE_INFINITY : spanOf(start).from,
        to: end === undefined ? Number.POSITIVE_INFINITY : spanOf(end).to,
      },
    ]
  })
}

/** Prefixes as the specification words them: above, below, contains, overlaps. */
export function matchesDate(values: readonly unknown[], search: string, now = new Date()): boolean {
  const [, prefix = 'eq', date = ''] = /^([a-z]{2})?(.*)$/.exec(search) ?? []
  const asked = spanOf(date)
  const near = (at: number) => Math.abs(now.getTime() - at) / 10
  return spans(values).some((target) => {
    const within = asked.from <= target.from && target.to <= asked.to
    const above = target.to > asked.to
    const below = target.from < asked.from
    const relations: Readonly<Record<string, boolean>> = {
      eq: within,
      ne: !within,
      gt: above,
      lt: below,
      ge: above || within,
      le: below || within,
      sa: target.from >= asked.to,
      eb: target.to <= asked.from,
      ap: target.from < asked.to + near(asked.to) && target.to > asked.from - near(asked.from),
    }
    return relations[prefix] ?? false
  })
}
