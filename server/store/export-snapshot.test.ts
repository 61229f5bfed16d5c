import pg from 'pg'
import { expect, test } from 'vitest'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { testServices } from '../../tests/support/services.ts'
import { movePractice } from '../domain/practices/move-practice.ts'
import { countExported, openSnapshot } from './export-snapshot.ts'
import { noLiveness } from './liveness.ts'
import { datasetLockClass } from './locks.ts'

const services = await testServices({ template: 'schema' })
const datasetId = await datasetOf(1)
const { id } = await services.prisma.practice.create({
  data: {
    slug: 'moving',
    name: 'Moving Practice',
    environment: 'sandbox',
    fhirEnabled: true,
    inDirectory: false,
    purpose: 'organization_sandbox',
    datasetId,
    createdAt: services.clock(),
  },
})
const practiceId = id

/** So many patients. */
async function datasetOf(patients: number): Promise<number> {
  const { datasets, write } = services.store
  const id = await datasets.create({ name: 'moving', kind: 'practice', source: 'test' })
  const people = Array.from({ length: patients }, (_, at) =>
    examplePatient({ id: `pt-${at}`, family: 'Testwell' }),
  )
  await write(id, people, { liveness: noLiveness })
  await datasets.markReady(id)
  return id
}

const pointsAt = async () =>
  (await services.prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })).datasetId

/** A connection as an export has it, until the test ends. */
async function withExport<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: services.database.appUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function exportWaits(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rowCount } = await services.database.ownerPool.query(
          `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND NOT granted AND
             database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          [datasetLockClass],
        )
        return rowCount
      },
      { timeout: 10_000, interval: 10 },
    )
    .toBe(1)
}

test('a practice that moves while its snapshot waits is read where it is then, up to a time after the move', async () => {
  const from = await pointsAt()
  const to = await datasetOf(3)

  const { snapshot, patients } = await withExport(async (client) => {
    const opening = await services.prisma.$transaction(async (tx) => {
      await movePractice(tx, { practiceId, from, to, replaces: true })
      const opened = openSnapshot(client, practiceId)
      opened.catch(() => {})
      await exportWaits()
      // In a list: the transaction must not wait for it.
      return [opened]
    })
    const opened = await opening[0]
    if (opened === undefined) throw new Error('nothing was opened')
    const count = await countExported(client, opened.datasetId, {
      type: 'Patient',
      tokens: null,
      sinceMicros: null,
    })
    return { snapshot: opened, patients: count }
  })

  expect([snapshot.datasetId, patients]).toEqual([to, 3])
  expect(snapshot.practiceName).toBe('Moving Practice')
  expect(BigInt(snapshot.at.getTime()) * 1000n).toBeGreaterThanOrEqual(snapshot.replacedMicros ?? 0n)
})

test('a snapshot opened before the move stays whole, and the move counts as later than it', async () => {
  const from = await pointsAt()
  const to = await datasetOf(2)

  await withExport(async (client) => {
    const snapshot = await openSnapshot(client, practiceId)
    await services.prisma.$transaction((tx) => movePractice(tx, { practiceId, from, to, replaces: true }))
    await services.practiceData.deleteDataset(from)
    const all = { type: 'Patient', tokens: null, sinceMicros: null } as const
    expect(snapshot.datasetId).toBe(from)
    expect(await countExported(client, from, all)).toBe(3)
    const { dataReplacedAt } = await services.prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })
    expect(dataReplacedAt?.getTime()).toBeGreaterThan(snapshot.at.getTime())
  })
  expect(await services.store.datasets.find(from)).toBeNull()
})

test('of two moves at once one is made, and a copy that is the same replaces nothing', async () => {
  const from = await pointsAt()
  const { dataReplacedAt: before } = await services.prisma.practice.findUniqueOrThrow({
    where: { id: practiceId },
  })
  const targets = [await datasetOf(1), await datasetOf(1)]

  const moved = await Promise.all(
    targets.map((to) =>
      services.prisma.$transaction((tx) => movePractice(tx, { practiceId, from, to, replaces: false })),
    ),
  )

  expect([...moved].sort()).toEqual([false, true])
  expect(await pointsAt()).toBe(targets[moved.indexOf(true)])
  const { dataReplacedAt } = await services.prisma.practice.findUniqueOrThrow({ where: { id: practiceId } })
  expect(dataReplacedAt).toEqual(before)
})
