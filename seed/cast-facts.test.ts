import { expect, test } from 'vitest'
import { castPlans, shortChartObservations } from './cast/plans.ts'
import { castPeople } from './cast.ts'
import { demoPeople } from './demo-people.ts'
import { castSeed, defaultSeed } from './options.ts'
import { patientFile, practiceBatches, practiceRecords } from './practice-records.ts'
import { getPractice } from './practices.ts'
import { createRandomness } from './randomness.ts'

const facts = castFacts(defaultSeed)

test('every cast member has a page of facts that agrees with the practice', () => {
  const records = [...practiceRecords(getPractice('sandbox-template'), castSeed)]

  expect(facts).toHaveLength(17)
  for (const { id, counts } of facts) {
    const encounters = records.filter(
      (each) =>
        each.resourceType === 'Encounter' &&
        (each.subject as { reference: string }).reference === `Patient/${id}`,
    )
    expect([id, encounters.length]).toEqual([id, counts.Encounter ?? 0])
  }
  expect(facts.find((each) => each.id === 'pt-juno-testwell')?.logins).toEqual([
    'marlo.testwell@people.example',
  ])
  expect(facts.find((each) => each.id === 'pt-nil-stubwell')?.counts).toEqual({ Patient: 1, Provenance: 1 })
})

test('what documentation quotes of the cast is what the code makes', () => {
  const kinds = ['Encounter', 'Observation', 'Condition', 'MedicationRequest', 'DocumentReference']
  const found = facts.map(({ id, counts }) => [id, ...kinds.map((kind) => counts[kind] ?? 0)])

  // Encounters, observations, conditions, prescriptions, documents.
  expect(found).toEqual([
    ['pt-wren-testwell', 12, 221, 3, 3, 12],
    ['pt-juno-testwell', 18, 164, 2, 2, 18],
    ['pt-pip-testwell', 2, 16, 0, 0, 2],
    ['pt-marlo-testwell', 4, 36, 2, 1, 5],
    ['pt-otis-samplewood', 8, 106, 8, 8, 11],
    ['pt-edda-nonesuch', 7, 78, 3, 3, 7],
    ['pt-zoe-munoz', 10, 76, 2, 2, 10],
    ['pt-hanako-shiken', 4, 43, 2, 3, 4],
    ['pt-maximiliana-placeholder', 4, 34, 2, 3, 4],
    ['pt-ash-mockley', 2, 19, 0, 0, 1],
    ['pt-lee-fauxworth', 3, 35, 2, 1, 3],
    ['pt-hester-placewright', 10, 130, 9, 17, 10],
    ['pt-cal-notareal', 5, 570, 1, 1, 5],
    ['pt-nil-stubwell', 0, 0, 0, 0, 0],
    ['pt-leigh-fauxworth', 0, 0, 0, 0, 0],
    ['pt-quinn-draftworth', 10, 64, 3, 4, 10],
    ['pt-vera-everyfield', 12, 144, 7, 5, 15],
  ])
})

test('the long chart has ten thousand observations in the demonstration practice, and over 500 elsewhere', () => {
  const heartRates = (slug: string) =>
    [...practiceRecords(getPractice(slug), defaultSeed)].filter(
      (each) =>
        each.resourceType === 'Observation' &&
        (each.subject as { reference: string }).reference === 'Patient/pt-cal-notareal',
    ).length

  expect(heartRates('sandpiper-demonstration')).toBeGreaterThanOrEqual(10_000)
  expect(heartRates('sandbox-template')).toBeGreaterThan(500)
  expect(heartRates('sandbox-template')).toBeLessThan(750)
})

test('the largest stored document has five million bytes', () => {
  const batches = [
    ...practiceBatches(getPractice('sandpiper-demonstration'), { ...castSeed, longChart: 1_000 }),
  ]

  expect(Math.max(...batches.flatMap(({ files }) => files.map(({ bytes }) => bytes.length)))).toBe(5_000_000)
})

/** Of every cast member, from the code that makes them: what documentation and tests quote. */
function castFacts({ seed, asOf }: { readonly seed: number; readonly asOf: string }) {
  const practice = getPractice('sandbox-template')
  const plans = castPlans(shortChartObservations)
  const randomness = createRandomness(seed)
  return castPeople(asOf).map((person) => {
    const { id, mrn, birthDate, names } = person
    const { resources } = patientFile({ practice, person, asOf, randomness, plan: plans[id] })
    const counts: Record<string, number> = {}
    for (const { resourceType } of resources) counts[resourceType] = (counts[resourceType] ?? 0) + 1
    const name = [...(names[0]?.given ?? []), names[0]?.family, ...(names[0]?.suffix ?? [])].join(' ')
    const logins = demoPeople
      .filter(({ patients }) => patients?.some(({ patientId }) => patientId === id))
      .map(({ email }) => email)
    return { id, name, mrn, birthDate, logins, counts }
  })
}
