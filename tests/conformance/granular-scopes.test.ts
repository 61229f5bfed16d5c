/**
 * Finer-grained scopes as the certification suite sends them, both of its runs: what a scope lets through is all of
 * it and nothing else, by search, by read, by include, in a chart and in an attachment.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html#finer-grained-resource-constraints-using-search-parameters
 */
import { describe, expect, test } from 'vitest'
import { entriesOf, fhirStack } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'

const terminology = 'http://terminology.hl7.org/CodeSystem'
const usCore = 'http://hl7.org/fhir/us/core/CodeSystem'

interface Narrowed {
  type: 'Condition' | 'Observation'
  system: string
  code: string
}

const runs: Record<string, Narrowed[]> = {
  'the first run': [
    { type: 'Condition', system: `${terminology}/condition-category`, code: 'encounter-diagnosis' },
    { type: 'Condition', system: `${usCore}/condition-category`, code: 'health-concern' },
    { type: 'Observation', system: `${terminology}/observation-category`, code: 'laboratory' },
    { type: 'Observation', system: `${terminology}/observation-category`, code: 'social-history' },
  ],
  'the second run': [
    { type: 'Condition', system: `${terminology}/condition-category`, code: 'problem-list-item' },
    { type: 'Observation', system: `${terminology}/observation-category`, code: 'vital-signs' },
    { type: 'Observation', system: `${terminology}/observation-category`, code: 'survey' },
    { type: 'Observation', system: `${usCore}/us-core-category`, code: 'sdoh' },
  ],
}

const patients = ['pt-wren-testwell', 'pt-otis-samplewood', 'pt-hester-placewright', 'pt-juno-testwell']
const practice = 'sandbox-template'

type Coded = {
  id: string
  resourceType: string
  category?: { coding?: { system?: string; code?: string }[] }[]
}

/** Everything of the two types, by patient. */
const charts = new Map<string, Coded[]>()

const stack = await fhirStack()
const { token } = await stack.issueToken({ practice })
for (const patient of patients) {
  const pages = [
    ...(await stack.collect(`Condition?patient=${patient}&_count=500`, { token, practice })),
    ...(await stack.collect(`Observation?patient=${patient}&_count=500`, { token, practice })),
  ]
  charts.set(
    patient,
    pages.flatMap((page) => entriesOf(page).map(({ resource }) => resource)),
  )
}

const within = (resource: Coded, scopes: readonly Narrowed[]) =>
  scopes.some(
    ({ type, system, code }) =>
      resource.resourceType === type &&
      (resource.category ?? []).some(({ coding = [] }) =>
        coding.some((each) => each.system === system && each.code === code),
      ),
  )

const textOf = ({ type, system, code }: Narrowed) => `patient/${type}.rs?category=${system}|${code}`
const idsOf = (resources: readonly Coded[]) => resources.map(({ id }) => id).sort()

describe.each(Object.entries(runs))('in %s', (_, scopes) => {
  const tokenFor = async (patientId: string) =>
    (
      await stack.issueToken({
        practice,
        audience: 'patient',
        patientId,
        scope: [
          'patient/Patient.rs',
          'patient/Encounter.rs',
          'patient/Provenance.rs',
          ...scopes.map(textOf),
        ].join(' '),
      })
    ).token

  test('the data has matching and other resources of both types', () => {
    const all = [...charts.values()].flat()
    for (const type of ['Condition', 'Observation']) {
      const ours = all.filter(({ resourceType }) => resourceType === type)
      expect(ours.some((each) => within(each, scopes))).toBe(true)
      expect(ours.some((each) => !within(each, scopes))).toBe(true)
    }
  })

  test('a search brings all that matches, nothing else, and counts no more', async () => {
    for (const [patient, chart] of charts) {
      const token = await tokenFor(patient)
      for (const type of ['Condition', 'Observation'] as const) {
        const expected = chart.filter((each) => each.resourceType === type && within(each, scopes))

        const pages = await stack.collect(`${type}?patient=${patient}&_count=20`, { token, practice })

        const found = pages.flatMap((page) => entriesOf(page).map(({ resource }) => resource as Coded))
        expect(idsOf(found), `${patient} ${type}`).toEqual(idsOf(expected))
        expect(pages[0]?.body.total).toBe(expected.length)
      }
    }
  })

  test('searches by the suite’s parameters are cut to the scope', async () => {
    const { token: whole } = await stack.issueToken({ practice })
    for (const [patient, chart] of [...charts].slice(0, 2)) {
      const token = await tokenFor(patient)
      const sample = chart.filter(({ resourceType }) => resourceType === 'Observation').slice(0, 3)
      const queries = [
        ...sample.flatMap((each) =>
          (each.category ?? []).flatMap(({ coding = [] }) =>
            coding.map(({ system, code }) => `Observation?patient=${patient}&category=${system}|${code}`),
          ),
        ),
        ...[...new Set(scopes.map(({ code }) => code))].map(
          (code) => `Observation?patient=${patient}&category=${code}`,
        ),
        `Observation?patient=${patient}&category:not=laboratory`,
        `Observation?patient=${patient}&date=gt1990-01-01&_sort=date`,
        `Condition?patient=${patient}&category=problem-list-item,encounter-diagnosis,health-concern`,
        `Condition?patient=${patient}&clinical-status=active`,
        `Condition?patient=${patient}&_lastUpdated=gt1990-01-01`,
      ].map((each) => `${each}&_count=500`)

      for (const query of queries) {
        const all = await stack.collect(query, { token: whole, practice })
        const cut = await stack.collect(query, { token, practice })

        const expected = all.flatMap((page) => entriesOf(page).map(({ resource }) => resource as Coded))
        const found = cut.flatMap((page) => entriesOf(page).map(({ resource }) => resource as Coded))
        expect(idsOf(found), query).toEqual(idsOf(expected.filter((each) => within(each, scopes))))
      }
    }
  })

  test('a read of what matches is 200, of anything else the 404 of what is not there', async () => {
    for (const [patient, chart] of charts) {
      const token = await tokenFor(patient)
      const nobody = await stack.call('Observation/nobody', { token, practice })
      const inside = chart.filter((each) => within(each, scopes)).slice(0, 4)
      const outside = chart.filter((each) => !within(each, scopes)).slice(0, 4)

      for (const { resourceType, id } of inside) {
        expect((await stack.call(`${resourceType}/${id}`, { token, practice })).status, id).toBe(200)
      }
      for (const { resourceType, id } of outside) {
        const answer = await stack.call(`${resourceType}/${id}`, { token, practice })
        expect([answer.status, masked(answer.text)], id).toEqual([404, masked(nobody.text)])
      }
    }
  })

  test('provenance is included, and the chart as a whole is refused', async () => {
    const [patient = ''] = patients
    const token = await tokenFor(patient)

    const page = await stack.call(`Observation?patient=${patient}&_revinclude=Provenance:target&_count=5`, {
      token,
      practice,
    })
    const chart = await stack.call(`Patient/${patient}/$everything`, { token, practice })

    expect(entriesOf(page).some(({ search }) => search.mode === 'include')).toBe(true)
    expect(chart.status).toBe(403)
  })
})

test('a narrowed scope of documents holds for their references and their bytes', async () => {
  const patient = 'pt-otis-samplewood'
  const category = `${usCore}/us-core-documentreference-category`
  const { token: whole } = await stack.issueToken({ practice })
  const { token: notes } = await stack.issueToken({
    practice,
    audience: 'patient',
    patientId: patient,
    scope: `patient/DocumentReference.rs?category=${category}|clinical-note`,
  })
  const { token: others } = await stack.issueToken({
    practice,
    audience: 'patient',
    patientId: patient,
    scope: `patient/DocumentReference.rs?category=${category}|something-else`,
  })
  const all = entriesOf(await stack.call(`DocumentReference?patient=${patient}`, { token: whole, practice }))
  const stored = all.find(({ resource }) => resource.content[0].attachment.url !== undefined)?.resource
  const url: string = stored.content[0].attachment.url

  expect(entriesOf(await stack.call('DocumentReference', { token: notes, practice }))).toHaveLength(
    all.length,
  )
  expect((await stack.call(url, { token: notes })).status).toBe(200)
  expect(entriesOf(await stack.call('DocumentReference', { token: others, practice }))).toEqual([])
  expect(entriesOf(await stack.call('DocumentReference/$docref', { token: others, practice }))).toEqual([])
  expect((await stack.call(url, { token: others })).status).toBe(404)
  expect((await stack.call(`DocumentReference/${stored.id}`, { token: others, practice })).status).toBe(404)
})
