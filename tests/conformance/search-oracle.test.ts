/**
 * Every search parameter of the registry against brute force over the cast: what a search finds is exactly what the
 * specification's expressions say, value by value, prefix by prefix, modifier by modifier, in order, page by page.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type FhirType,
  fhirRegistry,
  isFhirType,
  type SearchParameterRow,
} from '../../server/contract/fhir/registry.ts'
import { foldedLengthMax } from '../../server/contract/text/fold.ts'
import type { Access } from '../../server/search/access.ts'
import { compileSearch, type Parameter } from '../../server/search/compile.ts'
import type { Position } from '../../server/search/plan.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { createStore } from '../../server/store/store.ts'
import { testDatabase } from '../support/database.ts'
import {
  codings,
  type Json,
  matchesDate,
  matchesReference,
  matchesString,
  matchesToken,
  spanOf,
  texts,
  valuesAt,
} from '../support/search-semantics.ts'
import facts from './facts/us-core-searches.json' with { type: 'json' }

const base = 'https://fhir.example/r4/sandbox'
const now = new Date('2026-11-20T12:00:00Z')

interface Stored {
  readonly type: FhirType
  readonly id: string
  readonly patientId: string | null
  readonly resource: Json
}

/** A parameter with the specification's expression for it, or ours where US Core has none. */
interface Tried {
  readonly type: FhirType
  readonly row: SearchParameterRow
  readonly expression: string
}

const factsOf = facts.types as Record<string, { parameters: Record<string, { expression: string }> }>

const tried: Tried[] = (Object.keys(fhirRegistry) as FhirType[]).flatMap((type) =>
  fhirRegistry[type].parameters
    .filter((row) => row.offered !== false && !['patient', 'id', 'updated'].includes(row.kind))
    .map((row) => ({
      type,
      row,
      expression: factsOf[type]?.parameters[row.name]?.expression ?? `${type}.${row.paths.join(`|${type}.`)}`,
    })),
)

const database = await testDatabase()
const store = createStore({ pool: database.pool, clock: () => now })
const practice = await database.prisma.practice.findUniqueOrThrow({ where: { slug: 'sandbox-template' } })
const dataset = practice.datasetId
const all: Stored[] = []
for (const type of Object.keys(fhirRegistry).filter(isFhirType)) {
  const { rows } = await database.ownerPool.query<{
    id: string
    patientId: string | null
    content: string
  }>(
    `SELECT id, patient_id AS "patientId", content FROM clinical.resource r
     WHERE dataset_id = $1 AND content LIKE $2 AND NOT deleted`,
    [dataset, `{"resourceType":"${type}"%`],
  )
  all.push(...rows.map(({ content, ...row }) => ({ type, ...row, resource: JSON.parse(content) as Json })))
}

const wholePractice = (type: FhirType): Access => ({
  type,
  grants: [{ patientId: null, filter: null }],
  patientId: null,
  needsPatient: fhirRegistry[type].compartment !== null,
})

async function page(type: FhirType, parameters: readonly Parameter[], after: Position | null = null) {
  const compiled = compileSearch({
    access: wholePractice(type),
    parameters,
    handling: 'strict',
    base,
    now,
    after,
    accessTo: wholePractice,
  })
  return store.search(dataset, compiled.plan, noLiveness)
}

/** Those of one chart, or all outside of charts. */
function chartOf(type: FhirType, patientId: string | null): Stored[] {
  return all.filter((each) => each.type === type && each.patientId === patientId)
}

function patientParameter(type: FhirType, patientId: string | null): Parameter[] {
  if (patientId === null) return []
  return [[fhirRegistry[type].compartment === 'self' ? '_id' : 'patient', patientId]]
}

function matches({ row, expression }: Tried, { resource }: Stored, [name, value]: Parameter): boolean {
  const modifier = name.split(':')[1]
  const values = valuesAt(resource, expression)
  if (modifier === 'missing') return (values.length === 0) === (value === 'true')
  const any = (one: (search: string) => boolean) =>
    value.split(/(?<!\\),/).some((each) => one(each.replace(/\\(.)/g, '$1')))
  switch (row.kind) {
    case 'token':
    case 'identifier':
      return any((search) => matchesToken(values, search, row.system)) !== (modifier === 'not')
    case 'canonical':
      return any((search) => values.some((url) => url === search || String(url).split('|')[0] === search))
    case 'reference':
      return any((search) => matchesReference(values, search, base))
    case 'date':
      return any((search) => matchesDate(values, search, now))
    default:
      return any((search) => matchesString(values, search, modifier))
  }
}

const escaped = (value: string) => value.replace(/[\\,|$]/g, '\\$&')

/** Searches by a parameter with values of one resource, in every form that FHIR has for them. */
function searchesFor({ row, expression }: Tried, { resource }: Stored): Parameter[] {
  const values = valuesAt(resource, expression)
  const [first] = values
  const missing: Parameter[] =
    row.kind === 'canonical'
      ? []
      : [
          [`${row.name}:missing`, 'true'],
          [`${row.name}:missing`, 'false'],
        ]
  if (first === undefined) return missing
  return [
    ...missing,
    ...formsOf(row, values).map((each): Parameter => (typeof each === 'string' ? [row.name, each] : each)),
  ]
}

function formsOf(row: SearchParameterRow, values: readonly unknown[]): (string | Parameter)[] {
  switch (row.kind) {
    case 'token':
    case 'identifier': {
      const [coding] = codings(values, row.system)
      if (coding === undefined) return []
      const code = escaped(coding.code)
      return [
        code,
        code.toUpperCase(),
        `${escaped(coding.system)}|${code}`,
        `${escaped(coding.system)}|`,
        `|${code}`,
        `https://elsewhere.example|${code}`,
        `no-such-code,${code}`,
        [`${row.name}:not`, code],
        [`${row.name}:not`, `${escaped(coding.system)}|${code}`],
      ]
    }
    case 'canonical':
      return [escaped(String(values[0])), 'https://elsewhere.example/form']
    case 'reference': {
      const reference = (values[0] as { reference: string }).reference
      return [reference, reference.split('/')[1] ?? '', `${base}/${reference}`, 'no-such-id']
    }
    case 'date': {
      const [first] = values
      const date = typeof first === 'string' ? first : ((first as { start?: string }).start ?? '2020-01-01')
      const forms = [date, date.slice(0, 10), date.slice(0, 4)]
      const prefixes = ['', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap']
      return [
        ...prefixes.map((prefix, index) => `${prefix}${forms[index % forms.length]}`),
        ...prefixes.map((prefix, index) => `${prefix}${forms[(index + 1) % forms.length]}`),
        `lt${date.slice(0, 4)},${date.slice(0, 7)}`,
      ]
    }
    default: {
      // A longer text is refused, not searched for.
      const text = texts(values).find((each) => each.length <= foldedLengthMax) ?? 'x'
      const name = row.name
      return [
        escaped(text.slice(0, 3).toUpperCase()),
        escaped(text),
        escaped(text.slice(1, 4)),
        [`${name}:contains`, escaped(text.slice(1, 4).trim() || text)],
        [`${name}:exact`, escaped(text)],
        [`${name}:exact`, escaped(text.toUpperCase())],
      ]
    }
  }
}

/** Two resources that are as different as they come: the first and the last that has a value. */
function examples({ type, expression }: Tried): Stored[] {
  const having = all.filter((each) => each.type === type && valuesAt(each.resource, expression).length > 0)
  return [...new Set([having.at(0), having.at(-1)])].filter((each) => each !== undefined)
}

describe('every parameter of the registry finds what the specification says, no more and no less', () => {
  test.each(tried.map((each) => [each.type, each.row.name, each] as const))(
    '%s %s',
    async (type, name, parameter) => {
      const known = examples(parameter)
      // What no person of the cast has cannot be found either; the store's own tests make such resources.
      if (known.length === 0)
        expect(all.filter((each) => each.type === type && each.resource[name])).toEqual([])

      await Promise.all(
        known.flatMap((example) =>
          searchesFor(parameter, example).map(async (search) => {
            const found = await page(type, [
              ...patientParameter(type, example.patientId),
              search,
              ['_count', '500'],
            ])

            const expected = chartOf(type, example.patientId).filter((each) =>
              matches(parameter, each, search),
            )
            const what = `${type}?${search[0]}=${search[1]} of ${example.patientId}`
            expect(found.matches.map(({ id }) => id).sort(), what).toEqual(
              expected.map(({ id }) => id).sort(),
            )
            expect(found.total, what).toBe(expected.length)
          }),
        ),
      )
    },
  )
})

test('parameters together, in any order and page size, find the same, each once and in order', async () => {
  const types = [...new Set(tried.map(({ type }) => type))].filter((type) =>
    all.some((each) => each.type === type),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
      fc.constantFrom('', 'date', '-date', '_lastUpdated', '-_lastUpdated'),
      fc.integer({ min: 1, max: 40 }),
      async (type, which, picks, sort, count) => {
        const own = all.filter((each) => each.type === type)
        const example = own[which % own.length] as Stored
        const offered = tried.filter((each) => each.type === type)
        const searches = picks.flatMap(([parameterAt, formAt]) => {
          const parameter = offered[parameterAt % offered.length]
          const forms = parameter ? searchesFor(parameter, example) : []
          const form = forms[formAt % Math.max(forms.length, 1)]
          return parameter && form ? [{ parameter, form }] : []
        })
        const dated = fhirRegistry[type].parameters.some(({ sorts }) => sorts)
        const sorted = sort === '' || (sort.endsWith('date') && !dated) ? [] : [['_sort', sort] as const]
        const parameters: Parameter[] = [
          ...patientParameter(type, example.patientId),
          ...searches.map(({ form }) => form),
          ...sorted,
          ['_count', String(count)],
        ]

        const pages: string[][] = []
        let total: number | null = null
        let after: Position | null = null
        do {
          const found = await page(type, parameters, after)
          total ??= found.total
          pages.push(found.matches.map(({ id }) => id))
          after = found.next
        } while (after !== null)

        const expected = chartOf(type, example.patientId).filter((each) =>
          searches.every(({ parameter, form }) => matches(parameter, each, form)),
        )
        const what = `${type}?${parameters.map((pair) => pair.join('=')).join('&')}`
        expect(pages.flat().sort(), what).toEqual(expected.map(({ id }) => id).sort())
        expect(total, what).toBe(expected.length)
        expect(
          pages.slice(0, -1).every(({ length }) => length === count),
          what,
        ).toBe(true)
        expect(isInOrder(type, pages.flat(), sorted[0]?.[1] ?? '-date'), what).toBe(true)
      },
    ),
    { numRuns: 120, seed: 42 },
  )
})

/** Ties by id, in the same direction. */
function isInOrder(type: FhirType, ids: readonly string[], sort: string): boolean {
  const row = fhirRegistry[type].parameters.find(({ sorts }) => sorts)
  const byId = new Map(all.filter((each) => each.type === type).map((each) => [each.id, each]))
  const keyOf = (id: string): readonly [number, string] => {
    const { resource } = byId.get(id) as Stored
    if (sort.endsWith('_lastUpdated'))
      return [Date.parse((resource.meta as { lastUpdated: string }).lastUpdated), id]
    const dates = row === undefined ? [] : row.paths.flatMap((path) => valuesAt(resource, `${type}.${path}`))
    const starts = dates.flatMap((date) => {
      const text = typeof date === 'string' ? date : (date as { start?: string }).start
      return text === undefined ? [] : [spanOf(text).from]
    })
    return [starts.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...starts), id]
  }
  const keys = ids.map(keyOf)
  return keys.every(([at, id], index) => {
    const before = keys[index - 1]
    if (before === undefined) return true
    const grows = before[0] < at || (before[0] === at && before[1] < id)
    return sort.startsWith('-') ? !grows : grows
  })
}
