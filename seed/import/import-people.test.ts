/** A resource that is imported stays with the person of its own file. */
import { expect, test } from 'vitest'
import { testDataLabel } from '../../server/contract/fhir/codes.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { createImportFixture } from '../../tests/support/import-fixture.ts'

const fixture = createImportFixture()
const { practice, ndjson, load, datasetOf, text, counts } = fixture
const { database, store } = await fixture.open()

/** As `npm run export-practice` writes it, of the practice's own pt-1. */
const allergy = {
  resourceType: 'AllergyIntolerance',
  id: 'al-1',
  meta: { security: [{ ...testDataLabel }] },
  code: { text: 'Peanut' },
  patient: { reference: 'Patient/pt-1' },
}
const provenance = {
  resourceType: 'Provenance',
  id: 'pv-1',
  meta: { security: [{ ...testDataLabel }] },
  target: [{ reference: 'AllergyIntolerance/al-1' }],
}

test('a resource equal to a stored one belongs to the person of its own file, and what refers to it follows', async () => {
  const slug = await practice()
  await store.write(await datasetOf(slug), [allergy, provenance], { liveness: noLiveness })

  const { report, reasons } = await load(slug, [
    ndjson(provenance, allergy, examplePatient({ id: 'pt-1', family: 'Other' })),
  ])

  expect(reasons).toEqual([])
  expect(report.types).toMatchObject({
    AllergyIntolerance: { imported: 1, renamed: 1, repeated: 0 },
    Provenance: { imported: 1, renamed: 1, repeated: 0 },
  })
  expect(await counts(slug)).toEqual({ Patient: 2, AllergyIntolerance: 2, Provenance: 2 })
  const { rows } = await database.pool.query<{ content: string }>(
    `SELECT content FROM clinical.resource WHERE dataset_id = $1 AND id LIKE 'im-%' ORDER BY type`,
    [await datasetOf(slug)],
  )
  const [hers, about, person] = rows
    .map(({ content }) => JSON.parse(content))
    .sort((a, b) => (a.resourceType < b.resourceType ? -1 : 1))
    .sort((a, b) => Number(a.resourceType === 'Patient') - Number(b.resourceType === 'Patient'))
  expect(person.name[0].family).toBe('Other')
  expect(hers.patient.reference).toBe(`Patient/${person.id}`)
  expect(about.target[0].reference).toBe(`AllergyIntolerance/${hers.id}`)
  expect(JSON.parse(await text(slug, 'AllergyIntolerance', 'al-1')).patient.reference).toBe('Patient/pt-1')
})

test('a resource equal to a stored one but for how it refers to the same person is that resource', async () => {
  const slug = await practice()
  await store.write(await datasetOf(slug), [allergy], { liveness: noLiveness })
  const patient = { reference: 'https://elsewhere.example/fhir/Patient/pt-1' }

  const { report, reasons } = await load(slug, [ndjson({ ...allergy, patient })])

  expect(reasons).toEqual([])
  expect(report.types.AllergyIntolerance).toMatchObject({ imported: 0, repeated: 1 })
  expect(await counts(slug)).toEqual({ Patient: 1, AllergyIntolerance: 1 })
})

test('a resource imported for one person is refused by name when its file now means another person', async () => {
  const slug = await practice()
  await load(slug, [ndjson(allergy)])

  const again = [ndjson(allergy, examplePatient({ id: 'pt-1', family: 'Other' }))]
  const { report, reasons } = await load(slug, again)

  expect(reasons).toEqual(['1: was imported before and referred to Patient/pt-1 of this practice'])
  expect(report.types).toMatchObject({
    AllergyIntolerance: { imported: 0, repeated: 0, rejected: 1 },
    Patient: { imported: 1, renamed: 1 },
  })
  expect(JSON.parse(await text(slug, 'AllergyIntolerance', 'al-1')).patient.reference).toBe('Patient/pt-1')
  await expect(load(slug, again, { strict: true })).rejects.toThrow('1: was imported before')
})

test('what belongs to a refused person is refused, and never lands in the chart that has her id here', async () => {
  const slug = await practice()
  const refused = examplePatient({ id: 'pt-1', family: 'Other' })

  const { reasons } = await load(slug, [
    ndjson({ ...refused, identifier: [{ value: 'c'.repeat(300) }] }, allergy),
  ])

  expect(reasons).toEqual([
    expect.stringContaining('1: A code, identifier or system is longer'),
    '2: refers to nothing: Patient/pt-1',
  ])
  expect(await counts(slug)).toEqual({ Patient: 1 })
})

test('two people with one id in a load: the second is refused, also when the id is taken here', async () => {
  const slug = await practice()
  const [here, ...others] = ['Here', 'Second', 'Third'].map((family) =>
    examplePatient({ id: 'pt-1', family }),
  )

  const { reasons } = await load(slug, [ndjson(...others)])
  const both = await load(await practice(), [ndjson(here as object, ...others)])

  expect(reasons).toEqual(['2: another resource of this id came before'])
  expect(both.reasons).toEqual([
    '2: another resource of this id came before',
    '3: another resource of this id came before',
  ])
  expect(await counts(slug)).toEqual({ Patient: 2 })
})
