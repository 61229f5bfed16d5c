/** Who withholds a patient, and what is written of it; imports keep a withheld chart together. */
import { expect, test } from 'vitest'
import { examplePatient } from '../../../tests/support/example-resources.ts'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'

const support = productionKeySupport(() => services)
type Office = Awaited<ReturnType<typeof support.office>> & { datasetId: number }

const reason = 'The patient asked for it at the desk.'

const services = await registrationServices({ template: 'schema' })

/** A practice with records of its own: one patient, `pt-1`, with an allergy. */
async function office(): Promise<Office> {
  const made = await support.office()
  const { store, prisma } = services
  const datasetId = await store.datasets.create({ name: made.practiceId, kind: 'practice', source: 'test' })
  await store.write(datasetId, [examplePatient({ id: 'pt-1', family: 'Testwell' }), allergy('Peanut')], {
    liveness: noLiveness,
  })
  await store.datasets.markReady(datasetId)
  await prisma.practice.update({ where: { id: made.practiceId }, data: { datasetId } })
  return { ...made, datasetId }
}

const allergy = (text: string, id = 'al-1', patient = 'pt-1') => ({
  resourceType: 'AllergyIntolerance' as const,
  id,
  code: { text },
  patient: { reference: `Patient/${patient}` },
})

const withhold = ({ practiceId, admin }: Office, by = admin, patientId = 'pt-1') =>
  services.withheldPatients.withhold({ practiceId, patientId, reason }, by.fresh())
const release = ({ practiceId, admin }: Office, withheldId: string, by = admin) =>
  services.withheldPatients.release({ practiceId, withheldId }, by.fresh())
const list = ({ practiceId, admin }: Office, by = admin) =>
  services.withheldPatients.list(practiceId, by.fresh())
const textOf = async (place: number, type: 'Patient' | 'AllergyIntolerance' | 'Provenance', id: string) =>
  (await services.store.read(place, planRead(type, id), noLiveness)).resource?.content ?? null

test('only an admin with fresh proof withholds and ends it; a stranger learns nothing', async () => {
  const place = await office()
  const clinician = await support.practicePerson(place.practiceId, 'clinician', 'Cleo Placeholder')
  const other = await office()
  const stale = {
    ...place.admin,
    fresh: () => ({
      ...place.admin.fresh(),
      authenticatedAt: new Date(services.clock().getTime() - 3_600_000),
    }),
  }
  for (const [who, expected] of [
    [clinician, 'forbidden'],
    [place.signatory, 'forbidden'],
    [other.admin, 'not_found'],
    [stale, 'forbidden'],
  ] as const)
    expect(await kindOfProblem(withhold(place, who))).toBe(expected)
  expect(await textOf(place.datasetId, 'Patient', 'pt-1')).not.toBeNull()

  const id = await withhold(place)
  expect(await textOf(place.datasetId, 'Patient', 'pt-1')).toBeNull()
  for (const [who, expected] of [
    [clinician, 'forbidden'],
    [other.admin, 'not_found'],
    [stale, 'forbidden'],
  ] as const)
    expect(await kindOfProblem(release(place, id, who))).toBe(expected)
  expect(await kindOfProblem(release(other, id))).toBe('not_found')
  expect(await kindOfProblem(list(place, clinician))).toBe('forbidden')
  await release(place, id)
  expect(await textOf(place.datasetId, 'Patient', 'pt-1')).not.toBeNull()
})

test('twice, two at once, nobody, and reasons that do not fit', async () => {
  const place = await office()
  const { practiceId, admin } = place
  const kinds = await Promise.all([kindOfProblem(withhold(place)), kindOfProblem(withhold(place))])
  expect(kinds.sort()).toEqual(['conflict', 'none'])
  const [row] = (await list(place)).rows
  expect(row).toMatchObject({
    patientId: 'pt-1',
    name: 'Wren Testwell',
    reason,
    startedBy: expect.any(String),
  })
  for (const patientId of ['pt-nobody', '', 'pt 1', '\0', 'x'.repeat(2_000), '患者'])
    expect(await kindOfProblem(withhold(place, admin, patientId))).toBe('not_found')
  for (const text of ['short', '  ', 'x'.repeat(501)])
    expect(
      await kindOfProblem(
        services.withheldPatients.withhold({ practiceId, patientId: 'pt-1', reason: text }, admin.fresh()),
      ),
    ).toBe('validation')
  const ends = await Promise.all([
    kindOfProblem(release(place, row?.id ?? '')),
    kindOfProblem(release(place, row?.id ?? '')),
  ])
  expect(ends.sort()).toEqual(['conflict', 'none'])
  expect(await kindOfProblem(release(place, 'not-an-id'))).toBe('not_found')
  expect((await list(place)).total).toBe(0)
  const audit = await services.prisma.auditEvent.findMany({
    where: { practiceId, action: { startsWith: 'practice.patient_' } },
    orderBy: { id: 'asc' },
  })
  expect(audit.map(({ action, detail }) => [action, detail])).toEqual([
    ['practice.patient_withheld', { patientId: 'pt-1', reason }],
    ['practice.patient_released', { patientId: 'pt-1' }],
  ])
})

test('its own people find the patient and account for disclosures while they are withheld', async () => {
  const place = await office()
  const { practiceId, admin } = place
  await withhold(place)
  for (const text of ['wren', 'SYN-pt-1'])
    expect(await services.disclosures.findPatients({ practiceId, text }, admin.fresh())).toMatchObject([
      { id: 'pt-1', withheld: true },
    ])
  const today = services.calendar.dateOf(services.clock())
  const period = { from: today, to: today, all: true }
  const accounting = await services.disclosures.account(
    { practiceId, patientId: 'pt-1', ...period },
    admin.fresh(),
  )
  expect(accounting.patient).toMatchObject({ id: 'pt-1', name: 'Wren Testwell' })
})

test('data of several practices withholds nobody', async () => {
  const place = await office()
  const other = await support.office()
  await services.prisma.practice.update({
    where: { id: other.practiceId },
    data: { datasetId: place.datasetId },
  })
  expect(await kindOfProblem(withhold(place))).toBe('conflict')
})

test('what tools write into a withheld chart stays with it, and comes back with it', async () => {
  const { store } = services
  const place = await office()
  const { datasetId } = place
  const id = await withhold(place)
  const provenance = {
    resourceType: 'Provenance' as const,
    id: 'pv-1',
    target: [{ reference: 'AllergyIntolerance/al-1' }],
  }

  await store.write(
    datasetId,
    [allergy('Tree nuts'), provenance, examplePatient({ id: 'pt-2', family: 'Samplewood' })],
    {
      liveness: noLiveness,
    },
  )
  await store.bulkLoad(datasetId, [allergy('Latex', 'al-2'), allergy('Latex', 'al-3', 'pt-2')])

  expect(await textOf(datasetId, 'AllergyIntolerance', 'al-1')).toBeNull()
  expect(await textOf(datasetId, 'AllergyIntolerance', 'al-2')).toBeNull()
  expect(await textOf(datasetId, 'Provenance', 'pv-1')).toBeNull()
  expect(await textOf(datasetId, 'AllergyIntolerance', 'al-3')).not.toBeNull()
  expect([...(await store.findStored(datasetId, [{ type: 'Patient', id: 'pt-1' }])).keys()]).toEqual([
    'Patient/pt-1',
  ])
  await release(place, id)
  expect(JSON.parse(String(await textOf(datasetId, 'AllergyIntolerance', 'al-1')))).toMatchObject({
    code: { text: 'Tree nuts' },
    meta: { versionId: '2' },
  })
  expect(await textOf(datasetId, 'AllergyIntolerance', 'al-2')).not.toBeNull()
  expect(await textOf(datasetId, 'Provenance', 'pv-1')).not.toBeNull()
})

test('a dataset that goes takes its withheld charts along', async () => {
  const { store, prisma, pool } = services
  const place = await office()
  await withhold(place)
  const copy = await store.datasets.copy(place.datasetId, { name: 'a copy', kind: 'practice' })
  await prisma.practice.update({ where: { id: place.practiceId }, data: { datasetId: copy } })
  await store.datasets.remove(place.datasetId)
  const { rows } = await pool.query<{ id: number; count: number }>(
    'SELECT dataset_id AS id, count(*)::int AS count FROM clinical.resource WHERE dataset_id = ANY ($1) GROUP BY 1',
    [[place.datasetId, -place.datasetId, copy, -copy]],
  )
  expect(rows).toEqual([{ id: -copy, count: 2 }])
})
