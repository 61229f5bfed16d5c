import { describe, expect, test } from 'vitest'
import { readElements, servedTypes } from '../../../scripts/conformance/r4-elements.mjs'
import { castSeed } from '../../../seed/options.ts'
import { practiceRecords } from '../../../seed/practice-records.ts'
import { getPractice } from '../../../seed/practices.ts'
import { compareFhir } from './compare-fhir.ts'
import type { Found } from './profiles.ts'
import table from './r4-elements.json' with { type: 'json' }

const resources = [...practiceRecords(getPractice('sandbox-template'), castSeed)] as readonly Found[]
const bundle = (of: readonly unknown[]) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  total: of.length,
  link: [{ relation: 'self', url: 'https://fhir.example/r4/x/Patient' }],
  entry: of.map((resource) => ({ resource, search: { mode: 'match' } })),
})
const condition = {
  resourceType: 'Condition',
  id: 'c1',
  meta: {
    profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-encounter-diagnosis'],
  },
  category: [
    {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/condition-category',
          code: 'encounter-diagnosis',
        },
      ],
    },
  ],
  code: { text: 'Cough' },
  subject: { reference: 'Patient/p1' },
}
const differencesOf = (body: unknown) =>
  (compareFhir(body)?.differences ?? []).map(({ kind, path }) => `${kind} ${path}`)

test('the table of elements is what the definitions say', () => {
  expect(table).toEqual(readElements(servedTypes()))
})

test('every resource of the cast is as R4 and US Core say', () => {
  const compared = compareFhir(bundle(resources))

  expect(compared?.differences).toEqual([])
  expect(compared?.resources).toBe(resources.length)
  expect(compared?.asSaid).toBe(resources.length)
  expect(compared?.profiles.length).toBe(48)
  for (const { resources: of, elements } of compared?.profiles ?? [])
    for (const { present } of elements) expect(present).toBeLessThanOrEqual(of)
})

describe('a difference is named where it is', () => {
  test.each([
    ['an element R4 does not have', { ...condition, mood: 'calm' }, ['extra Condition/c1.mood']],
    [
      'one deeper down',
      { ...condition, code: { coding: [{ cod: 'x' }] } },
      ['extra Condition/c1.code.coding[0].cod'],
    ],
    ['a required element', { ...condition, subject: undefined }, ['missing Condition/c1.subject']],
    ['one that only the profile requires', { ...condition, code: undefined }, ['missing Condition/c1.code']],
    [
      'a list that is none',
      { ...condition, category: {} },
      ['different Condition/c1.category', 'missing Condition/c1.category:us-core'],
    ],
    ['a value that is a list', { ...condition, code: [{ text: 'x' }] }, ['different Condition/c1.code']],
    ['a text for an object', { ...condition, code: 'Cough' }, ['different Condition/c1.code']],
    [
      'a date that is none',
      { ...condition, recordedDate: '2026-13-01' },
      ['different Condition/c1.recordedDate'],
    ],
    ['extensions of no element', { ...condition, _mood: {} }, ['extra Condition/c1._mood']],
    ['an empty list', { ...condition, note: [] }, ['different Condition/c1.note']],
  ])('%s', (_what, resource, named) => {
    expect(differencesOf(JSON.parse(JSON.stringify(resource)))).toEqual(named)
  })

  test('in a Bundle and in what stands around its resources', () => {
    const body = { ...bundle([condition, { ...condition, id: 'c2', mood: 1 }]), total: 'two' }

    const compared = compareFhir(body)

    expect(compared?.differences.map(({ path }) => path)).toEqual(['Bundle.total', 'Condition/c2.mood'])
    expect([compared?.resources, compared?.asSaid]).toEqual([2, 1])
  })
})

test('must-support elements are counted over all resources of a profile, and absence is no difference', () => {
  const compared = compareFhir(bundle([condition, { ...condition, id: 'c2', recordedDate: '2026-01-02' }]))

  expect(compared?.differences).toEqual([])
  const [profile] = compared?.profiles ?? []
  expect(profile).toMatchObject({ profile: 'us-core-condition-encounter-diagnosis', resources: 2 })
  expect(profile?.elements).toContainEqual({ name: 'recordedDate', present: 1 })
  expect(profile?.elements).toContainEqual({ name: 'encounter', present: 0 })
  expect(profile?.elements).toContainEqual({ name: 'code', present: 2 })
})

test('an outcome is compared with R4, and what is no resource with nothing', () => {
  const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'forbidden' }] }

  expect(compareFhir(outcome)).toMatchObject({ resources: 1, asSaid: 1, differences: [], profiles: [] })
  for (const nothing of [null, undefined, 'x', [], {}, { resourceType: 7 }])
    expect(compareFhir(nothing)).toBeNull()
})

describe('whatever came is compared', () => {
  const claiming = (profile: unknown) => ({ ...condition, meta: { profile } })
  const deep = (levels: number) =>
    JSON.parse(`${'{"url":"x","extension":['.repeat(levels)}{"url":"y"}${']}'.repeat(levels)}`)

  test.each([
    ['a claim that is no list', claiming('x'), ['different Condition/c1.meta.profile']],
    ['a claim that is no address', claiming([null, 7]), ['different Condition/c1.meta.profile[1]']],
    ['no meta', { ...condition, meta: null }, ['different Condition/c1.meta']],
    ['a null', { ...condition, subject: null }, ['different Condition/c1.subject']],
    ['nothing in a list', { ...condition, category: [] }, ['different Condition/c1.category']],
    [
      'an entry that is none',
      { resourceType: 'Bundle', type: 'searchset', entry: null },
      ['different Bundle.entry'],
    ],
    ['names of every object', { ...condition, constructor: 1 }, ['extra Condition/c1.constructor']],
  ])('%s', (_name, body, differences) => {
    expect(differencesOf(body)).toEqual(expect.arrayContaining(differences))
  })

  test('what holds itself ten thousand times', () => {
    const body = { ...condition, extension: [deep(10_000)] }

    expect(compareFhir(body)?.differences.map(({ message }) => message)).toEqual([
      'deeper than is looked into here.',
    ])
  })

  test('two values where one may be chosen', () => {
    const observation = resources.find((each) => 'valueQuantity' in each)

    expect(differencesOf({ ...observation, valueString: 'x' })).toHaveLength(1)
  })
})
