import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { addAccount, addPractice } from '../../tests/support/people.ts'
import { planPatientList, planRead } from '../search/lists.ts'
import { type Liveness, noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
let practiceId: string
let keyId: string

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock: () => now })
const dataset: number = await store.datasets.create({ name: 'live', kind: 'practice', source: 'test' })
await store.write(dataset, [examplePatient({ id: 'pt-1', family: 'Testwell' })], { liveness: noLiveness })

beforeEach(async () => {
  const base = { prisma: database.prisma, clock: () => now }
  const practice = await addPractice(base, { datasetId: dataset })
  const account = await addAccount(base, 'developer')
  const key = await database.prisma.apiKey.create({
    data: {
      prefix: randomUUID().slice(0, 12),
      secretHash: Buffer.from(randomUUID()),
      name: 'Test',
      level: 'read_only',
      environment: 'production',
      practiceId: practice.id,
      createdById: account.id,
      createdAt: now,
      expiresAt: new Date('2026-11-21T12:00:00.000Z'),
    },
  })
  practiceId = practice.id
  keyId = key.id
})

const liveness = (changes: object = {}): Liveness => ({
  kind: 'api_key',
  keyId,
  keyVersion: 0,
  practiceId,
  datasetId: dataset,
  now,
  ...changes,
})

async function outcome(as: Liveness) {
  const read = await store.read(dataset, planRead('Patient', 'pt-1'), as)
  const list = await store.search(dataset, planPatientList({ q: 'testwell', limit: 1, offset: 0 }), as)
  return {
    alive: [read.alive, list.alive, await store.isAlive(dataset, as)],
    rows: (read.resource === null ? 0 : 1) + list.matches.length,
  }
}

const good = { alive: [true, true, true], rows: 2 }
const refused = { alive: [false, false, false], rows: 0 }

test('a live key reads', async () => {
  expect(await outcome(liveness())).toEqual(good)
})

test('a live key that finds nothing is alive all the same', async () => {
  const missing = await store.read(dataset, planRead('Patient', 'nobody'), liveness())

  expect(missing).toEqual({ alive: true, resource: null })
})

test.each([
  ['a revoked key', () => database.prisma.apiKey.update({ where: { id: keyId }, data: { revokedAt: now } })],
  [
    'a suspended key',
    () => database.prisma.apiKey.update({ where: { id: keyId }, data: { suspendedAt: now } }),
  ],
  [
    'a key that expires now',
    () => database.prisma.apiKey.update({ where: { id: keyId }, data: { expiresAt: now } }),
  ],
  [
    'a key whose networks or limits have changed',
    () => database.prisma.apiKey.update({ where: { id: keyId }, data: { version: { increment: 1 } } }),
  ],
  [
    'a suspended practice',
    () => database.prisma.practice.update({ where: { id: practiceId }, data: { state: 'suspended' } }),
  ],
  [
    'a practice on another dataset',
    () => database.prisma.practice.update({ where: { id: practiceId }, data: { datasetId: dataset + 1 } }),
  ],
])('%s reads nothing on the very next statement', async (_, change) => {
  expect(await outcome(liveness())).toEqual(good)

  await change()

  expect(await outcome(liveness())).toEqual(refused)
})

test('an unknown key or a key of another practice reads nothing', async () => {
  expect(await outcome(liveness({ keyId: randomUUID() }))).toEqual(refused)
  expect(await outcome(liveness({ practiceId: randomUUID() }))).toEqual(refused)
})

test('a dead key writes nothing', async () => {
  await database.prisma.apiKey.update({ where: { id: keyId }, data: { revokedAt: now } })

  const written = await store.write(dataset, [examplePatient({ id: 'pt-2', family: 'Never' })], {
    liveness: liveness(),
  })

  expect(written).toEqual({ alive: false, resources: [] })
  expect((await store.read(dataset, planRead('Patient', 'pt-2'), noLiveness)).resource).toBeNull()
})

test.each([
  ['a read', () => store.read(dataset, planRead('Patient', 'pt-1'), liveness())],
  ['a page', () => store.search(dataset, planPatientList({ q: '', limit: 1, offset: 0 }), liveness())],
  ['the state of a chart', () => store.chartState(dataset, 'pt-1', liveness())],
  ['a document', () => store.documents.find(dataset, { type: 'DocumentReference', id: 'doc-1' }, liveness())],
  ['a group', () => store.findPopulation(dataset, 'everybody', [], liveness())],
])('%s decides once on the credential', async (_, ask) => {
  const query = vi.spyOn(database.pool, 'query')
  await ask()
  const [statement] = query.mock.calls[0] as unknown as [{ text: string; values: unknown[] }]
  query.mockRestore()

  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN ${statement.text}`,
    values: statement.values,
  })

  const scans = rows.filter((row) => / on live l(_\d+)? /.test(row['QUERY PLAN']))
  expect(scans).toHaveLength(1)
})
