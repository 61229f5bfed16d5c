import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { exampleOrganization, examplePatient } from '../../tests/support/example-resources.ts'
import { planPatientList, planRead } from '../search/lists.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const asSeed = { liveness: noLiveness }

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })

const chartOf = (id: string) => [
  examplePatient({ id, family: `Testwell${id}`, born: '1971' }),
  {
    resourceType: 'Observation',
    id: `ob-${id}`,
    status: 'final',
    subject: { reference: `Patient/${id}` },
    effectiveDateTime: '2020-02-29',
    valueQuantity: { value: 1 },
  },
  { resourceType: 'Provenance', id: `pv-${id}`, target: [{ reference: `Observation/ob-${id}` }] },
  { resourceType: 'DocumentReference', id: `doc-${id}`, subject: { reference: `Patient/${id}` } },
]

async function loaded(...patients: string[]): Promise<number> {
  const dataset = await store.datasets.create({ name: 'practice', kind: 'practice', source: 'test' })
  const members = patients.map((id) => ({ entity: { reference: `Patient/${id}` } }))
  const group = { resourceType: 'Group', id: 'group', type: 'person', actual: true, member: members }
  await store.write(
    dataset,
    [exampleOrganization('org-1', 'Example'), group, ...patients.flatMap(chartOf)],
    asSeed,
  )
  for (const id of patients) {
    const address = { type: 'DocumentReference', id: `doc-${id}` } as const
    await store.documents.put(dataset, address, 'text/plain', Buffer.from(`of ${dataset} ${id}`))
  }
  await store.datasets.markReady(dataset)
  return dataset
}

async function indexRowsOf(dataset: number, id: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT (SELECT count(*) FROM clinical.moment WHERE dataset_id = $1 AND patient_id = $2)
       + (SELECT count(*) FROM clinical.name WHERE dataset_id = $1 AND id = $2)
       + (SELECT count(*) FROM clinical.identifier WHERE dataset_id = $1 AND id = $2)
       + (SELECT count(*) FROM clinical.roster WHERE dataset_id = $1 AND id = $2)
       + (SELECT count(*) FROM clinical.attachment WHERE dataset_id = $1 AND id = $3)
       + (SELECT count(*) FROM clinical.link WHERE dataset_id = $1 AND source = $4) AS n`,
    [dataset, id, `doc-${id}`, `pv-${id}`],
  )
  return Number(rows[0]?.n)
}

async function groupOf(dataset: number) {
  const { resource } = await store.read(dataset, planRead('Group', 'group'), noLiveness)
  return JSON.parse(String(resource?.content)) as { meta: { versionId: string }; member?: unknown[] }
}

test('a deleted patient leaves marks without content, and everybody else stays', async () => {
  const dataset = await loaded('pt-1', 'pt-2')
  const kept = await indexRowsOf(dataset, 'pt-2')

  const deleted = await store.deletePatient(dataset, 'pt-1')

  expect(deleted.map((each) => each.id).sort()).toEqual(['doc-pt-1', 'ob-pt-1', 'pt-1', 'pv-pt-1'])
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS n, bool_and(content = '' AND tokens = '{}' AND version = 2 AND date = '-infinity') AS blank,
       bool_and(patient_id = 'pt-1') AS owned
     FROM clinical.resource WHERE dataset_id = $1 AND deleted`,
    [dataset],
  )
  expect(rows).toEqual([{ n: 4, blank: true, owned: true }])
  expect(await indexRowsOf(dataset, 'pt-1')).toBe(0)
  expect(await indexRowsOf(dataset, 'pt-2')).toBe(kept)
  expect((await store.read(dataset, planRead('Patient', 'pt-1'), noLiveness)).resource).toBeNull()
  const listed = await store.search(dataset, planPatientList({ limit: 9, offset: 0 }), noLiveness)
  expect(listed.matches.map((row) => row.id)).toEqual(['pt-2'])
  const contents = await database.pool.query(
    'SELECT count(*)::int AS n FROM clinical.binary_chunk WHERE bytes = $1',
    [Buffer.from(`of ${dataset} pt-1`)],
  )
  expect(contents.rows).toEqual([{ n: 0 }])
})

test('the group lets a deleted patient go, and the last one takes the list along', async () => {
  const dataset = await loaded('pt-1', 'pt-2')

  await store.deletePatient(dataset, 'pt-1')
  expect(await groupOf(dataset)).toMatchObject({
    meta: { versionId: '2' },
    member: [{ entity: { reference: 'Patient/pt-2' } }],
  })

  await store.deletePatient(dataset, 'pt-2')
  expect(await groupOf(dataset)).not.toHaveProperty('member')
})

test('deleted twice or twice at once, a patient is deleted once', async () => {
  const dataset = await loaded('pt-1')

  const results = await Promise.all([1, 2, 3].map(() => store.deletePatient(dataset, 'pt-1')))
  const again = await store.deletePatient(dataset, 'pt-1')

  expect(results.map((deleted) => deleted.length).sort()).toEqual([0, 0, 4])
  expect(again).toEqual([])
})

test('a shared dataset refuses to delete a patient', async () => {
  const dataset = await loaded('pt-1')
  const template = await store.datasets.copy(dataset, { name: 'template', kind: 'template' })

  await expect(store.deletePatient(template, 'pt-1')).rejects.toMatchObject({ kind: 'forbidden' })

  expect(await indexRowsOf(template, 'pt-1')).toBeGreaterThan(0)
})

test('a patient of the same id in another dataset is another patient', async () => {
  const [here, elsewhere] = [await loaded('pt-1'), await loaded('pt-1')]

  await store.deletePatient(here, 'pt-1')

  expect((await store.read(elsewhere, planRead('Patient', 'pt-1'), noLiveness)).resource).not.toBeNull()
  expect(await groupOf(elsewhere)).toMatchObject({ member: [{ entity: { reference: 'Patient/pt-1' } }] })
})
