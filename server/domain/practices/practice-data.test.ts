import { expect, test } from 'vitest'
import { examplePatient } from '../../../tests/support/example-resources.ts'
import { addPractice } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'

const services = await testServices({ template: 'schema' })
const template: number = await services.store.datasets.create({
  name: 'template',
  kind: 'template',
  source: 'test',
})
await services.store.write(template, [examplePatient({ id: 'pt-1', family: 'Template' })], {
  liveness: noLiveness,
})
await services.store.datasets.markReady(template)
await practiceWith('template', template, 'template')

async function practiceWith(slug: string, datasetId: number, purpose: string): Promise<string> {
  return (await addPractice(services, { slug, environment: 'sandbox', purpose, datasetId })).id
}

/** A sandbox practice with a copy of its own. */
async function ownPractice(slug: string): Promise<string> {
  const copy = await services.store.datasets.copy(template, { name: slug, kind: 'practice' })
  return practiceWith(slug, copy, 'organization_sandbox')
}

const datasetOf = async (id: string) =>
  (await services.prisma.practice.findUniqueOrThrow({ where: { id } })).datasetId

async function familyOf(practiceId: string): Promise<string> {
  const { resource } = await services.store.read(
    await datasetOf(practiceId),
    planRead('Patient', 'pt-1'),
    noLiveness,
  )
  return JSON.parse(String(resource?.content ?? '{}')).name[0].family
}

async function rename(practiceId: string, family: string): Promise<void> {
  await services.store.write(await datasetOf(practiceId), [examplePatient({ id: 'pt-1', family })], {
    liveness: noLiveness,
  })
}

/** What the worker would do now. */
async function runDeletions(): Promise<number[]> {
  const { rows } = await services.database.ownerPool.query<{ payload: { datasetId: number } }>(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND t.identifier = 'delete-dataset' RETURNING j.payload`,
  )
  for (const { payload } of rows) await services.practiceData.deleteDataset(payload.datasetId)
  return rows.map(({ payload }) => payload.datasetId)
}

test('a practice goes back to its snapshot, and the data it had is deleted in the background', async () => {
  const practice = await ownPractice('back')
  await rename(practice, 'Kept')
  await services.practiceData.snapshot(practice)
  await rename(practice, 'Changed')
  const old = await datasetOf(practice)
  const steps: number[] = []

  await services.practiceData.restore(practice, {
    onProgress: ({ finished, of }) => steps.push(finished / of),
  })

  expect(await familyOf(practice)).toBe('Kept')
  expect(steps[0]).toBe(0)
  expect(steps.at(-1)).toBe(1)
  expect(await runDeletions()).toEqual([old])
  expect(await services.store.datasets.find(old)).toBeNull()

  await rename(practice, 'Changed again')
  await services.practiceData.restore(practice)
  expect(await familyOf(practice)).toBe('Kept')
})

test('a new snapshot takes the place of the old one', async () => {
  const practice = await ownPractice('twice')
  const first = await services.practiceData.snapshot(practice)
  await rename(practice, 'Second')
  const second = await services.practiceData.snapshot(practice)
  await runDeletions()

  expect(await services.store.datasets.find(first)).toBeNull()
  expect((await services.store.datasets.find(second))?.kind).toBe('snapshot')
  await rename(practice, 'Third')
  await services.practiceData.restore(practice)
  expect(await familyOf(practice)).toBe('Second')
})

test('after a reset everything has changed for who asks what changed since, and a snapshot keeps its times', async () => {
  const practice = await ownPractice('since')
  const stamps = async (datasetId: number) => {
    const { rows } = await services.database.pool.query<{ at: Date; text: string }>(
      `SELECT last_updated AS at, content::json #>> '{meta,lastUpdated}' AS text FROM clinical.resource WHERE dataset_id = $1`,
      [datasetId],
    )
    return rows.map(({ at, text }) => [at.toISOString(), text])
  }
  const before = await stamps(await datasetOf(practice))
  const snapshot = await services.practiceData.snapshot(practice)
  const { rows } = await services.database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')

  await services.practiceData.reset(practice)

  const after = await stamps(await datasetOf(practice))
  expect(after).toHaveLength(before.length)
  for (const [at, text] of after) {
    expect(Date.parse(String(at))).toBeGreaterThanOrEqual(rows[0]?.now.getTime() ?? Number.NaN)
    expect(text).toBe(at)
  }
  expect(await stamps(snapshot)).toEqual(before)
})

test('of two resets at once one wins, and the other leaves nothing behind', async () => {
  const practice = await ownPractice('both')

  const results = await Promise.allSettled([
    services.practiceData.reset(practice),
    services.practiceData.reset(practice),
  ])
  await runDeletions()

  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.kind] : []))
  expect(refused.every((kind) => kind === 'conflict')).toBe(true)
  expect(refused.length).toBeLessThan(2)
  const left = await services.store.datasets.listNamed('both')
  expect(left.map((dataset) => dataset.id)).toEqual([await datasetOf(practice)])
})

test('without a snapshot, for another kind of practice, for none, the data stays', async () => {
  const practice = await ownPractice('none')
  const office = await practiceWith('office', await datasetOf(practice), 'office')
  const before = await datasetOf(practice)

  await expect(services.practiceData.restore(practice)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(services.practiceData.reset(office)).rejects.toMatchObject({ kind: 'conflict' })
  await expect(services.practiceData.snapshot('00000000-0000-7000-8000-000000000000')).rejects.toMatchObject({
    kind: 'not_found',
  })

  expect(await datasetOf(practice)).toBe(before)
  expect(await runDeletions()).toEqual([])
})
