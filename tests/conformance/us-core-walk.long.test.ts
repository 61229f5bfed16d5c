/**
 * Every profile of US Core 6.1.0 walked as the certification suite walks it: with values found in the data, each
 * answer compared with what an oracle finds in the stored records, nothing missing and nothing extra.
 * https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { sandboxPeople } from '../../server/contract/lab/sandbox-people.ts'
import { type Entry, entriesOf, type FhirStack, fhirStack, linkOf } from '../support/fhir.ts'
import { missingFrom } from '../support/must-support.ts'
import { codesOf, matches, parameterOf, typeFacts, valuesOf } from '../support/search-oracle.ts'
import { comparedValues, type Parameter, plainValue, queryOf } from '../support/search-values.ts'
import { type Found, profiles, valuesAt } from '../support/us-core-profiles.ts'

const practice = 'sandbox-template'
const types = Object.keys(typeFacts)
const patientIds = sandboxPeople.map(({ id }) => id)
/** Each search is sent in so many charts that have what it looks for; all of a type is fetched of every chart. */
const chartsMax = 4

let stack: FhirStack
const tokens = new Map<string, string>()
/** What lies in the store, by type. */
const stored = new Map<string, Found[]>()
/** What the searches brought, by `Type/id`. */
const found = new Map<string, Found>()

beforeAll(async () => {
  stack = await fhirStack()
  const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({ where: { slug: practice } })
  for (const type of types) {
    const resources: Found[] = []
    for await (const text of stack.services.store.readAll(datasetId, type as FhirType))
      resources.push(JSON.parse(text))
    stored.set(type, resources)
  }
  for (const patientId of patientIds) {
    tokens.set(patientId, (await stack.issueToken({ practice, audience: 'patient', patientId })).token)
  }
})

const inChart = (type: string) => fhirRegistry[type as FhirType].compartment !== null

/** Has no patient of its own: it belongs to the chart of what it tells of. */
const provenanceType = 'Provenance'
const targetsOf = (resource: Found) =>
  (resource.target as { reference: string }[]).map(({ reference }) => reference)

const seen = new Map<string, Found[]>()

/** What a patient's token may see of a type: the chart, or what lies outside of all charts. */
function visibleTo(patientId: string, type: string): Found[] {
  const key = `${patientId} ${type}`
  const known = seen.get(key) ?? lookUp(patientId, type)
  seen.set(key, known)
  return known
}

function lookUp(patientId: string, type: string): Found[] {
  const all = stored.get(type) ?? []
  if (type === 'Patient') return all.filter(({ id }) => id === patientId)
  if (type === provenanceType) {
    const chart = new Set(
      types
        .filter((each) => inChart(each) && each !== provenanceType)
        .flatMap((each) => visibleTo(patientId, each).map(({ id }) => `${each}/${id}`)),
    )
    return all.filter((each) => targetsOf(each).some((target) => chart.has(target)))
  }
  return inChart(type) ? all.filter((each) => matches(each, 'patient', patientId)) : all
}

async function get(path: string, patientId: string): Promise<Entry[]> {
  stack.services.advance(20) // the caller keeps to its limits
  const pages = await stack.collect(path, { token: tokens.get(patientId) ?? null, practice })
  for (const { status, text } of pages) expect(status, `${path} ${text.slice(0, 300)}`).toBe(200)
  const entries = pages.flatMap(entriesOf)
  for (const { resource } of entries) found.set(`${resource.resourceType}/${resource.id}`, resource)
  return entries
}

const idsOf = (entries: readonly Entry[]) =>
  entries
    .filter(({ search }) => search.mode === 'match')
    .map(({ resource }) => resource.id)
    .sort()

async function check(type: string, patientId: string, asked: readonly Parameter[], rest = ''): Promise<void> {
  const path = `${type}?${queryOf(asked)}${rest}`
  const expected = visibleTo(patientId, type)
    .filter((each) => asked.every(([name, value]) => matches(each, name, value)))
    .map(({ id }) => id)
  expect(idsOf(await get(path, patientId)), `${patientId}: ${path}`).toEqual(expected.sort())
}

/** The other spellings of a search that must bring the same, and its comparisons. */
function variantsOf(type: string, resource: Found, plain: readonly Parameter[]): Parameter[][] {
  return plain.flatMap(([name], place) => {
    const [value] = valuesOf(resource, name)
    const instead = (other: string): Parameter[] =>
      plain.map((each, at) => (at === place ? [name, other] : each))
    const { type: kind, comparators = [] } = parameterOf(type, name)
    if (kind === 'token') {
      const coded = codesOf(value).find(({ system }) => system !== undefined)
      return coded ? [instead(`${coded.system}|${coded.code}`), instead(coded.code.toUpperCase())] : []
    }
    if (kind === 'reference' && typeof value !== 'string')
      return [instead(String((value as { reference: string }).reference))]
    if (kind !== 'date') return []
    return comparedValues(resource, name, comparators).map(instead)
  })
}

/** Two values of one parameter, joined by a comma. */
function alternativesOf(
  type: string,
  all: readonly Found[],
  plain: readonly Parameter[],
): Parameter[] | null {
  for (const [place, [name, value]] of plain.entries()) {
    if (parameterOf(type, name).type !== 'token' || name === '_id') continue
    const other = all
      .map((each) => plainValue(each, name))
      .find((each) => each !== undefined && each !== value)
    if (other !== undefined)
      return plain.map((each, at) => (at === place ? [name, `${value},${other}`] : each))
  }
  return null
}

describe.each(types)('%s', (type) => {
  const { checked = [], revIncludes } = typeFacts[type] ?? { parameters: {}, revIncludes: [] }

  test('answers every search of the suite with what the records hold', async () => {
    let spelled = 0
    for (const search of checked) {
      const names = search.split('+')
      let charts = 0
      for (const patientId of patientIds) {
        if (charts === chartsMax) break
        const all = visibleTo(patientId, type)
        const resource = all.find((each) => names.every((name) => plainValue(each, name) !== undefined))
        if (resource === undefined) continue
        const plain = names.map((name): Parameter => [name, plainValue(resource, name) ?? ''])
        await check(type, patientId, plain)
        charts++
        if (!inChart(type) || type === 'Patient' || spelled < 2 * checked.length) {
          for (const variant of variantsOf(type, resource, plain)) await check(type, patientId, variant)
          const alternatives = alternativesOf(type, all, plain)
          if (alternatives !== null) await check(type, patientId, alternatives)
          spelled++
        }
        // Outside the charts everybody sees the same.
        if (!inChart(type)) break
      }
    }
    expect(checked.length === 0 || spelled > 0).toBe(true)
  })

  test('answers by a form, page by page to the end, and by id', async () => {
    const patientId =
      patientIds.find((each) => visibleTo(each, type).length > 2) ??
      patientIds.find((each) => visibleTo(each, type).length > 0)
    if (patientId === undefined) throw new Error(`nobody has a ${type}`)
    const token = tokens.get(patientId) ?? null
    const expected = visibleTo(patientId, type)
      .map(({ id }) => id)
      .sort()
    const owner = !inChart(type)
      ? ''
      : type === 'Patient'
        ? `_id=${patientId}`
        : `patient=Patient/${patientId}`

    const size = Math.max(1, Math.ceil(expected.length / 3))
    const paged = await get(`${type}?${owner}&_count=${size}`, patientId)
    const form = await stack.call(`${type}/_search`, {
      token,
      practice,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${owner}&_count=500`,
    })

    expect(idsOf(paged)).toEqual(expected)
    expect([form.status, form.body.total]).toEqual([200, expected.length])
    expect(idsOf(entriesOf(form))).toEqual(expected)
    expect(linkOf(form, 'next')).toBeUndefined()
    const [first] = expected
    const read = await stack.call(`${type}/${first}`, { token, practice })
    expect([read.status, read.body.resourceType, read.body.id]).toEqual([200, type, first])
  })

  // Only what is about a patient has a provenance of its own.
  if (revIncludes.length > 0)
    test('brings all of every chart, and its provenance', async () => {
      let brought = 0
      for (const patientId of patientIds) {
        const owner = type === 'Patient' ? '_id' : 'patient'
        const entries = await get(
          `${type}?${owner}=${patientId}&_revinclude=Provenance:target&_count=500`,
          patientId,
        )
        const ours = visibleTo(patientId, type).map(({ id }) => id)
        expect(idsOf(entries), patientId).toEqual(ours.sort())
        const ids = new Set(idsOf(entries).map((id) => `${type}/${id}`))
        const included = entries
          .filter(({ search }) => search.mode === 'include')
          .map(({ resource }) => resource)
        const expected = visibleTo(patientId, 'Provenance').filter((each) =>
          targetsOf(each).some((target) => ids.has(target)),
        )
        // Each page brings the provenance of its own matches.
        expect([...new Set(included.map(({ id }) => id))].sort(), patientId).toEqual(
          expected.map(({ id }) => id).sort(),
        )
        brought += included.length
      }
      expect(brought).toBeGreaterThan(0)
    })
})

describe('what the searches brought', () => {
  test.each(profiles.map((each) => [each.profile, each] as const))('has what %s asks for', (_, profile) => {
    expect(missingFrom(profile, [...found.values()], found)).toEqual([])
  })

  test('refers only to what can be read', async () => {
    const targets = new Set<string>()
    for (const { resource: type, elements } of profiles) {
      const ours = [...found.values()].filter(({ resourceType }) => resourceType === type)
      for (const { path, targets: wanted = [] } of elements) {
        if (wanted.length === 0) continue
        for (const value of ours.flatMap((each) => valuesAt(each, path, []))) {
          const { reference } = value as { reference?: string }
          if (reference !== undefined) targets.add(reference)
        }
      }
    }
    const { token } = await stack.issueToken({ practice })
    const unread: string[] = []
    for (const target of targets) {
      if (found.has(target)) continue
      stack.services.advance(20)
      const { status } = await stack.call(target, { token, practice })
      if (status !== 200) unread.push(`${target} ${status}`)
    }
    expect(targets.size).toBeGreaterThan(20)
    expect(unread).toEqual([])
  })
})
