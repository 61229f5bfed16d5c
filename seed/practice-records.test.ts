import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sandboxPeople } from '../server/contract/lab/sandbox-people.ts'
import type { Resource } from '../server/store/index-rows.ts'
import { castClinicians } from './cast.ts'
import { defaultSeed } from './options.ts'
import { isValidNpi, medicalRecordNumber, npi } from './people/draw.ts'
import { practiceRecords } from './practice-records.ts'
import { getPractice, practices } from './practices.ts'

const records = practices.map((practice) => ({
  practice,
  resources: [...practiceRecords(practice, defaultSeed)],
}))
const everything = records.flatMap((each) => each.resources)
const patients = everything.filter((resource) => resource.resourceType === 'Patient')

/** All texts at any depth. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(texts)
}

describe('the same seed makes the same records', () => {
  test('on every machine', () => {
    const hash = createHash('sha256').update(JSON.stringify(everything)).digest('hex')

    expect(hash).toBe('630fbb5d6367735c004adf21b479fc841c4341bf5e832b3db311f7f0aaeb4a38')
  })

  test('however many people are asked for: a person does not depend on those before', () => {
    const person = (patients: number) =>
      [...practiceRecords(getPractice('harbor-family'), { ...defaultSeed, patients })].find(
        (each) => each.id === 'pt-0007',
      )

    expect(person(200)).toEqual(person(40))
  })

  test('and another seed makes others', () => {
    const other = [...practiceRecords(getPractice('harbor-family'), { ...defaultSeed, seed: 43 })]

    expect(JSON.stringify(other)).not.toBe(
      JSON.stringify(records.find((each) => each.practice.slug === 'harbor-family')?.resources),
    )
  })
})

test('every resource is labelled as test data', () => {
  for (const { meta } of everything) {
    expect(meta?.security).toContainEqual(expect.objectContaining({ code: 'HTEST' }))
  }
})

test('telephone numbers are 555-01xx and mail goes to .example', () => {
  const all = texts(everything)

  expect(
    all.filter(
      (text) => /\d{3}-\d{4}/.test(text) && !/^\(\d{3}\) 555-01\d\d$/.test(text) && !text.startsWith('SYN-'),
    ),
  ).toEqual([])
  expect(all.filter((text) => text.includes('@') && !/^[a-z0-9.-]+@[a-z.-]+\.example$/.test(text))).toEqual(
    [],
  )
})

test('national provider numbers have a valid check digit, lie in a range never issued, and are nobody else’s', () => {
  const numbers = everything.flatMap((resource) =>
    (Array.isArray(resource.identifier) ? (resource.identifier as { system: string; value: string }[]) : [])
      .filter((identifier) => identifier.system?.endsWith('us-npi'))
      .map((identifier) => `${resource.id} ${identifier.value}`),
  )

  expect(numbers.length).toBeGreaterThan(practices.length)
  expect(numbers.every((each) => isValidNpi(each.split(' ')[1] ?? '') && / 2999/.test(each))).toBe(true)
  const shared = practices.filter((practice) => practice.cast).length // the cast’s clinicians work in each of these
  expect(new Set(numbers.map((each) => each.split(' ')[1])).size).toBe(
    numbers.length - castClinicians.length * (shared - 1),
  )
  expect(isValidNpi('1234567893')).toBe(true) // the example of the published algorithm
  expect(isValidNpi('1234567890')).toBe(false)
  expect(npi(0)).toHaveLength(10)
})

test('ids and record numbers are unique inside a practice', () => {
  for (const { resources } of records) {
    const mrns = resources.flatMap((each) =>
      each.resourceType === 'Patient' ? texts(each.identifier).filter((text) => text.startsWith('SYN-')) : [],
    )

    expect(new Set(resources.map((each) => `${each.resourceType}/${each.id}`)).size).toBe(resources.length)
    expect(new Set(mrns).size).toBe(mrns.length)
  }
  expect(new Set(Array.from({ length: 50_000 }, (_, index) => medicalRecordNumber(index))).size).toBe(50_000)
})

test('every reference leads to a resource of the same practice', () => {
  for (const { resources } of records) {
    const there = new Set(resources.map((each) => `${each.resourceType}/${each.id}`))
    const references = resources.flatMap((each) =>
      [...JSON.stringify(each).matchAll(/"reference":"([^"]+)"/g)].map((match) => match[1] ?? ''),
    )

    expect(references.filter((reference) => !there.has(reference))).toEqual([])
  }
})

test('nobody is born or dies after the reference date, and nobody dies before birth', () => {
  for (const { birthDate, deceasedDateTime } of patients as (Resource & {
    birthDate: string
    deceasedDateTime?: string
  })[]) {
    expect(birthDate <= defaultSeed.asOf).toBe(true)
    if (deceasedDateTime) {
      expect(deceasedDateTime > birthDate).toBe(true)
      expect(deceasedDateTime.slice(0, 10) <= defaultSeed.asOf).toBe(true)
    }
  }
})

test('every practice of forty holds a newborn or a child, a dead person, a long name and a name beyond ASCII', () => {
  for (const { practice, resources } of records.filter((each) => each.practice.patientsMax > 40)) {
    const people = resources.filter((each) => each.resourceType === 'Patient')
    const names = people.map((each) => texts(each.name).join(' '))

    expect([practice.slug, people.length]).toEqual([practice.slug, 40])
    expect(people.some((each) => each.deceasedDateTime)).toBe(true)
    expect(names.some((name) => name.length > 120)).toBe(true)
    expect(names.some((name) => /[^\p{ASCII}]/u.test(name))).toBe(true)
    expect(people.some((each) => String(each.birthDate).length === 4)).toBe(true)
  }
})

test('the cast is where the documentation says, each with a purpose', () => {
  const template = records.find((each) => each.practice.slug === 'sandbox-template')
  const ids = template?.resources.map((each) => each.id) ?? []

  expect(sandboxPeople.filter(({ id }) => !ids.includes(id))).toEqual([])
  expect(template?.resources.find((each) => each.id === 'pt-wren-testwell')).toMatchObject({
    identifier: [{ value: 'SYN-004217' }],
    name: [{ family: 'Testwell', given: ['Wren'] }],
    birthDate: '1971-04-09',
  })
  expect(
    patients
      .filter((each) => texts(each.name).includes('Testwell'))
      .map((each) => each.id)
      .every((id) => id?.endsWith('testwell')),
  ).toBe(true)
})

test('between them the people hold every must-support element of the Patient profile', () => {
  const holds = (what: (patient: Resource) => unknown) => patients.some((patient) => Boolean(what(patient)))
  const urls = new Set(
    patients.flatMap((each) => (each.extension as { url: string }[]).map((one) => one.url.split('/').pop())),
  )

  expect([...urls].sort()).toEqual([
    'us-core-birthsex',
    'us-core-ethnicity',
    'us-core-race',
    'us-core-sex',
    'us-core-tribal-affiliation',
  ])
  expect(
    holds(
      (each) =>
        JSON.stringify(each.name).includes('"use":"old"') &&
        JSON.stringify(each.name).includes('"period":{"end"'),
    ),
  ).toBe(true)
  expect(holds((each) => JSON.stringify(each.name).includes('"suffix"'))).toBe(true)
  expect(holds((each) => JSON.stringify(each.address ?? '').includes('"use":"old"'))).toBe(true)
  expect(holds((each) => JSON.stringify(each.address ?? '').includes('"period":{"end"'))).toBe(true)
  expect(holds((each) => each.telecom && each.communication && each.deceasedDateTime)).toBe(true)
})
