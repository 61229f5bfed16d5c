/**
 * The requests of the US Core 6.1.0 test suite, sent with one access token. A search takes its values from the records
 * found before it; where there is nothing to take them from, the suite would skip the test, and here it fails.
 */
import { expect } from 'vitest'
import facts from '../conformance/facts/us-core-suite.json' with { type: 'json' }
import { compareFhir } from './compare-fhir.ts'
import { type Entry, entriesOf, type FhirAnswer, type FhirCallOptions, linkOf } from './fhir.ts'
import { missingFrom } from './must-support.ts'
import { matches } from './search-oracle.ts'
import {
  comparedValues,
  type Parameter,
  plainValue,
  queryOf,
  suiteValue,
  valueWithSystem,
} from './search-values.ts'
import { type Found, isObject, profiles, valuesAt } from './us-core-profiles.ts'

interface SearchTest {
  readonly names: readonly string[]
  readonly level: string
  readonly first?: boolean
  readonly post?: boolean
  readonly fixed?: boolean
  readonly reference?: boolean
  readonly include?: boolean
  readonly withSystem?: readonly string[]
  readonly compared?: readonly string[]
  readonly alternatives?: readonly string[]
}

interface TestGroup {
  readonly group: string
  readonly resource: string
  readonly profile: string
  /** Not searched by patient: found by references of other records. */
  readonly delayed: boolean
  readonly searches: readonly SearchTest[]
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly revIncludes: readonly string[]
  readonly includes: readonly string[]
  /** Must-support elements refer to other records. */
  readonly references: boolean
}

export const testGroups = facts.groups as unknown as readonly TestGroup[]

const prefixes = ['gt', 'ge', 'lt', 'le']

type Call = (path: string, options?: Omit<FhirCallOptions, 'token'>) => Promise<FhirAnswer>

/** @param call a request with the one access token; the suite has no other */
export function usCoreSuite(call: Call, patientId: string) {
  /** By `Type/id`, whatever came. */
  const found = new Map<string, Found>()
  /** What the first search of each group brought. */
  const ofGroup = new Map<string, Found[]>()

  async function search(type: string, parameters: readonly Parameter[]): Promise<Found[]> {
    const entries: Entry[] = []
    let next: string | undefined = `${type}?${queryOf(parameters)}`
    while (next !== undefined) {
      const page: FhirAnswer = await call(next)
      expect(page.status, `${next} ${page.text.slice(0, 300)}`).toBe(200)
      expect([page.body.resourceType, page.body.type]).toEqual(['Bundle', 'searchset'])
      entries.push(...entriesOf(page))
      next = linkOf(page, 'next')
    }
    for (const { resource } of entries) found.set(`${resource.resourceType}/${resource.id}`, resource)
    const special = new Set(['_include', '_revinclude'])
    const matched = entries.filter(({ search: { mode } }) => mode === 'match').map(({ resource }) => resource)
    const wrong = matched.filter((each) =>
      parameters.some(([name, value]) => !special.has(name) && !matches(each, name, value)),
    )
    expect(
      wrong.map(({ id }) => id),
      `${type}?${queryOf(parameters)}`,
    ).toEqual([])
    return matched
  }

  async function find(type: string, parameters: readonly Parameter[]): Promise<Found[]> {
    const matched = await search(type, parameters)
    expect(matched.length, `${type}?${queryOf(parameters)} finds nothing`).toBeGreaterThan(0)
    return matched
  }

  async function firstSearch(group: TestGroup, test: SearchTest): Promise<void> {
    const { resource: type } = group
    const known = group.delayed ? await readReferenced(group) : []
    const queries = test.fixed
      ? fixedQueries(group, test)
      : [parametersOf(type, test, [...known, patientLike(type, patientId)])]
    const matched: Found[] = []
    for (const query of queries) {
      const here = await search(type, query)
      matched.push(...here)
      if (test.post) {
        const form = await call(`${type}/_search`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: queryOf([...query, ['_count', '500']]),
        })
        expect([form.status, idsOf(entriesOf(form).map(({ resource }) => resource))]).toEqual([
          200,
          idsOf(here),
        ])
      }
      if (test.reference) {
        const named = query.map(
          ([name, value]): Parameter => [name, name === 'patient' ? `Patient/${value}` : value],
        )
        expect(idsOf(await search(type, named))).toEqual(idsOf(here))
      }
      await searchVariants(group, test, query, here)
    }
    expect(matched.length, `${group.group}: the first search finds nothing`).toBeGreaterThan(0)
    ofGroup.set(group.group, [...matched, ...known])
  }

  function fixedQueries({ group, values }: TestGroup, { names }: SearchTest): Parameter[][] {
    const fixed = names.find((name) => name !== 'patient') ?? ''
    return (values[fixed] ?? []).map((value) =>
      names.map((name): Parameter => {
        if (name !== 'patient' && name !== fixed) throw new Error(`${group}: no value for ${name}`)
        return [name, name === 'patient' ? patientId : value]
      }),
    )
  }

  async function laterSearch(group: TestGroup, test: SearchTest): Promise<void> {
    const query = parametersOf(group.resource, test, resourcesOf(group))
    const matched = await find(group.resource, query)
    await searchVariants(group, test, query, matched)
  }

  /** With the code's system, with each comparison, with several values, and with what is referred to. */
  async function searchVariants(
    group: TestGroup,
    { withSystem = [], compared = [], alternatives = [], include }: SearchTest,
    query: readonly Parameter[],
    matched: readonly Found[],
  ): Promise<void> {
    const [first] = matched
    if (first === undefined) return
    const instead = (name: string, value: string) =>
      query.map((each): Parameter => (each[0] === name ? [name, value] : each))
    if (withSystem.length > 0) {
      const full = withSystem.reduce<readonly Parameter[]>((now, name) => {
        const value = systemOf(matched, name, query)
        if (value === undefined) throw new Error(`${group.group}: no record has a system for ${name}`)
        return now.map((each): Parameter => (each[0] === name ? [name, value] : each))
      }, query)
      await find(group.resource, full)
    }
    for (const name of compared) {
      const dated = matched.find((each) => plainValue(each, name) !== undefined) ?? first
      const values = comparedValues(dated, name, prefixes)
      expect(values.length, `${group.group}: ${name} has nothing to compare`).toBeGreaterThan(1)
      for (const value of values) await find(group.resource, instead(name, value))
    }
    for (const name of alternatives) {
      const all = group.values[name] ?? [...new Set(matched.flatMap((each) => plainValue(each, name) ?? []))]
      await find(group.resource, instead(name, all.join(',')))
    }
    if (include) await includeMedication(group, query, matched)
  }

  async function includeMedication(
    { resource, includes }: TestGroup,
    query: readonly Parameter[],
    matched: readonly Found[],
  ): Promise<void> {
    const referred = matched.flatMap(({ medicationReference }) =>
      isObject(medicationReference) ? [String(medicationReference.reference)] : [],
    )
    for (const include of includes) await search(resource, [...query, ['_include', include]])
    expect(referred.filter((each) => !found.has(each))).toEqual([])
  }

  /** Reads what records found so far refer to, and have not brought along. */
  async function readReferenced({ resource: type }: TestGroup): Promise<Found[]> {
    const addresses = new Set([...found.values()].flatMap((each) => referencesIn(each)))
    const ours = [...addresses].filter((each) => each.startsWith(`${type}/`))
    for (const address of ours) if (!found.has(address)) await read(address)
    return [...found.values()].filter(({ resourceType }) => resourceType === type)
  }

  async function read(address: string): Promise<Found> {
    const { status, body } = await call(address)
    expect([status, `${body?.resourceType}/${body?.id}`]).toEqual([200, address])
    found.set(address, body)
    return body
  }

  function resourcesOf(group: TestGroup): readonly Found[] {
    return ofGroup.get(group.group) ?? []
  }

  /** Of one record that has them all. */
  function parametersOf(type: string, { names }: SearchTest, resources: readonly Found[]): Parameter[] {
    const valueIn = (each: Found, name: string) => (name === 'patient' ? patientId : suiteValue(each, name))
    const resource = resources.find((each) => names.every((name) => valueIn(each, name) !== undefined))
    if (resource === undefined) throw new Error(`no ${type} has values for ${names.join(' + ')}`)
    return names.map((name) => [name, valueIn(resource, name) ?? ''])
  }

  return {
    found,

    all: (type: string) => [...found.values()].filter(({ resourceType }) => resourceType === type),

    search: (group: TestGroup, test: SearchTest) =>
      test.first ? firstSearch(group, test) : laterSearch(group, test),

    async readFirst(group: TestGroup): Promise<void> {
      if (group.searches.length === 0) ofGroup.set(group.group, await readReferenced(group))
      const [first] = resourcesOf(group)
      if (first === undefined) throw new Error(`${group.group}: nothing to read`)
      await read(`${group.resource}/${first.id}`)
    },

    async withProvenance(group: TestGroup): Promise<void> {
      const [test] = group.searches
      const queries: Parameter[][] = test?.fixed
        ? fixedQueries(group, test)
        : [[[group.resource === 'Patient' ? '_id' : 'patient', patientId]]]
      for (const each of queries)
        await search(group.resource, [...each, ['_revinclude', 'Provenance:target']])
      const ours = resourcesOf(group).map(({ id }) => `${group.resource}/${id}`)
      const targets = [...found.values()]
        .filter(({ resourceType }) => resourceType === 'Provenance')
        .flatMap(({ target }) => (target as { reference: string }[]).map(({ reference }) => reference))
      expect(ours.some((each) => targets.includes(each))).toBe(true)
    },

    validate(group: TestGroup): void {
      const facts = profileOf(group)
      const wrong = resourcesOf(group).flatMap((each) => [
        ...compareFhir(each),
        ...facts.mandatory
          .filter((path) => !path.includes('.') && valuesAt(each, path, facts.slices).length === 0)
          .map((path) => ({ path, message: `${each.id} lacks it` })),
      ])
      expect(resourcesOf(group).length).toBeGreaterThan(0)
      expect(wrong).toEqual([])
    },

    mustSupport: (group: TestGroup): string[] => missingFrom(profileOf(group), [...found.values()], found),

    async resolveReferences(group: TestGroup): Promise<void> {
      const addresses = profileOf(group)
        .elements.flatMap(({ path }) => resourcesOf(group).flatMap((each) => valuesAt(each, path, [])))
        .flatMap((each) => (isObject(each) && typeof each.reference === 'string' ? [each.reference] : []))
      expect(addresses.length).toBeGreaterThan(0)
      for (const address of new Set(addresses)) if (!found.has(address)) await read(address)
    },
  }
}

function profileOf({ profile }: TestGroup) {
  const facts = profiles.find((each) => each.profile === profile)
  if (facts === undefined) throw new Error(`no facts of ${profile}`)
  return facts
}

const idsOf = (resources: readonly Found[]) => resources.map(({ id }) => id).sort()

/** Stands for a record before anything is found: only its id is known. */
function patientLike(type: string, patientId: string): Found {
  return { resourceType: type, id: patientId }
}

/** Of a record that the search finds by this very code. */
function systemOf(matched: readonly Found[], name: string, query: readonly Parameter[]): string | undefined {
  const [, code = ''] = query.find(([each]) => each === name) ?? []
  const coded = matched
    .map((each) => valueWithSystem(each, name))
    .filter((each): each is string => each !== undefined)
  return coded.find((each) => each.endsWith(`|${code}`)) ?? coded[0]
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'reference' && typeof each === 'string' ? [each] : referencesIn(each),
  )
}
