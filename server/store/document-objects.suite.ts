/** What documents in a bucket promise, on any server that speaks S3. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import type { AttachmentAddress } from './documents.ts'
import { noLiveness } from './liveness.ts'
import { type ContentPlace, createS3Client, type S3Client, type S3Settings } from './s3-client.ts'
import { createStore, type Store } from './store.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')
export const address = { type: 'DocumentReference', id: 'doc-1' } as const
export const keyOf = ({ sha256 }: { sha256: string }) => sha256

export type DocumentWorld = Awaited<ReturnType<typeof documentWorld>>

/** A database and a bucket, with a store for each place of new contents. */
export async function documentWorld(settings: S3Settings) {
  const database = await testDatabase('schema')
  const objects = createS3Client(settings, { requestMs: 5_000 })
  const storeFor = (
    place: ContentPlace,
    client: S3Client | null = objects,
    owner = 'https://portal.example',
  ) => createStore({ pool: database.pool, clock, contents: { place, objects: client, owner } })
  const store = storeFor('object')

  async function newDataset(): Promise<number> {
    const dataset = await store.datasets.create({ name: 'documents', kind: 'practice', source: 'test' })
    const document = {
      resourceType: 'DocumentReference',
      id: 'doc-1',
      subject: { reference: 'Patient/pt-1' },
    }
    await store.write(dataset, [examplePatient({ id: 'pt-1', family: 'Testwell' }), document], {
      liveness: noLiveness,
    })
    await store.datasets.markReady(dataset)
    return dataset
  }

  async function read(
    dataset: number,
    {
      from = store,
      part,
      ...at
    }: Partial<AttachmentAddress> & { from?: Store; part?: { first: number; last: number } } = {},
  ): Promise<Buffer | null> {
    const { document } = await from.documents.find(dataset, { ...address, ...at }, noLiveness)
    if (document === null) return null
    const pieces: Buffer[] = []
    for await (const piece of document.bytes(part)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  const placeOf = async ({ sha256 }: { sha256: string }) =>
    (
      await database.pool.query<{ place: ContentPlace }>(
        `SELECT stored_in AS place FROM clinical.binary WHERE sha256 = decode($1, 'hex')`,
        [sha256],
      )
    ).rows[0]?.place ?? null
  const listObjects = async () => (await objects.list('')).filter((key) => key !== 'owner').sort()
  const hasObject = async (content: { sha256: string }) => (await objects.sizeOf(keyOf(content))) !== null
  const chunks = async ({ sha256 }: { sha256: string }) =>
    (
      await database.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM clinical.binary_chunk WHERE sha256 = decode($1, 'hex')`,
        [sha256],
      )
    ).rows[0]?.n

  return { database, objects, listObjects, store, storeFor, newDataset, read, placeOf, hasObject, chunks }
}

export function documentObjectPromises(title: string, start: () => Promise<S3Settings>): void {
  let world: DocumentWorld

  beforeAll(async () => {
    world = await documentWorld(await start())
  })

  describe(title, () => {
    test.each([
      ['nothing', Buffer.alloc(0)],
      ['a few bytes', Buffer.from('A visit to Harbor')],
      ['9 MB', randomBytes(9_000_000)],
    ])('a document of %s comes back as it was stored, whole and in part', async (_size, bytes) => {
      const { store, newDataset, read, placeOf, chunks } = world
      const dataset = await newDataset()

      const stored = await store.documents.put(dataset, address, 'application/pdf', bytes)

      expect(await placeOf(stored)).toBe('object')
      expect(await chunks(stored)).toBe(0)
      expect((await read(dataset))?.equals(bytes)).toBe(true)
      if (bytes.length === 0) return
      expect(await read(dataset, { part: { first: 2, last: 9 } })).toEqual(bytes.subarray(2, 10))
      const end = { first: bytes.length - 5, last: bytes.length - 1 }
      expect(await read(dataset, { part: end })).toEqual(bytes.subarray(-5))
    })

    test('equal contents share one object, also when stored at the same time, until the last reference is removed', async () => {
      const { store, newDataset, read, hasObject, listObjects } = world
      const datasets = [await newDataset(), await newDataset()]
      const bytes = randomBytes(70_000)
      const before = (await listObjects()).length

      const puts = Array.from({ length: 8 }, (_, ordinal) =>
        store.documents.put(datasets[ordinal % 2] ?? 0, { ...address, ordinal }, 'text/plain', bytes),
      )
      const [stored] = await Promise.all(puts)
      if (!stored) throw new Error('nothing was stored')

      expect((await listObjects()).length).toBe(before + 1)
      await store.datasets.remove(datasets[0] ?? 0)
      expect((await read(datasets[1] ?? 0, { ordinal: 7 }))?.equals(bytes)).toBe(true)
      await store.datasets.remove(datasets[1] ?? 0)
      expect(await hasObject(stored)).toBe(false)
    })

    test('a replaced document leaves with the next sweep, a deleted patient’s at once', async () => {
      const { store, newDataset, read, hasObject } = world
      const dataset = await newDataset()
      const old = await store.documents.put(dataset, address, 'text/plain', randomBytes(100))
      const bytes = randomBytes(100)
      const current = await store.documents.put(dataset, address, 'text/plain', bytes)

      expect(await read(dataset)).toEqual(bytes)
      expect(await store.documents.sweep()).toBe(1)
      expect([await hasObject(old), await hasObject(current)]).toEqual([false, true])

      await store.deletePatient(dataset, 'pt-1')
      expect(await hasObject(current)).toBe(false)
      expect(await read(dataset)).toBeNull()
    })

    test('both places are read, whichever is set for new documents, and a content stays where it was first', async () => {
      const { store, storeFor, newDataset, read, placeOf } = world
      const inDatabase = storeFor('database')
      const dataset = await newDataset()
      const [one, other] = [randomBytes(600_000), randomBytes(600_000)]
      const first = await inDatabase.documents.put(dataset, address, 'text/plain', one)
      const second = await store.documents.put(dataset, { ...address, ordinal: 1 }, 'text/plain', other)

      expect([await placeOf(first), await placeOf(second)]).toEqual(['database', 'object'])
      await store.documents.put(dataset, { ...address, ordinal: 2 }, 'text/plain', one)
      await inDatabase.documents.put(dataset, { ...address, ordinal: 3 }, 'text/plain', other)
      expect([await placeOf(first), await placeOf(second)]).toEqual(['database', 'object'])
      for (const from of [store, inDatabase])
        for (const [ordinal, bytes] of [one, other, one, other].entries())
          expect((await read(dataset, { from, ordinal }))?.equals(bytes)).toBe(true)
    })

    test('all move to the bucket and back while they are read, and leave nothing behind', async () => {
      const { store, storeFor, newDataset, read, objects, listObjects, chunks, placeOf } = world
      const dataset = await newDataset()
      const contents = Array.from({ length: 6 }, (_, at) => randomBytes(400_000 + at))
      const stored = await Promise.all(
        contents.map((bytes, ordinal) =>
          storeFor('database').documents.put(dataset, { ...address, ordinal }, 'text/plain', bytes),
        ),
      )
      const places = { moving: true, reads: 0 }
      async function readOn(): Promise<void> {
        for (let ordinal = 0; places.moving; ordinal = (ordinal + 1) % contents.length) {
          expect((await read(dataset, { ordinal }))?.equals(contents[ordinal] ?? Buffer.alloc(0))).toBe(true)
          places.reads += 1
        }
      }
      const reading = Promise.all([readOn(), readOn()])

      const there = await store.documents.move('object')
      for (const each of stored)
        expect([
          await placeOf(each),
          await chunks(each),
          (await objects.sizeOf(keyOf(each))) === each.size,
        ]).toEqual(['object', 0, true])
      expect(there.contents).toBeGreaterThanOrEqual(6)
      expect(await store.documents.move('object')).toEqual({ contents: 0, bytes: 0, lost: 0 })
      const back = await store.documents.move('database')
      places.moving = false
      await reading

      expect(places.reads).toBeGreaterThan(0)
      expect(back.lost).toBe(0)
      expect(await store.documents.count()).toMatchObject({ object: { contents: 0, bytes: 0 } })
      await store.documents.sweepObjects()
      expect(await listObjects()).toEqual([])
      expect((await read(dataset, { ordinal: 5 }))?.equals(contents[5] ?? Buffer.alloc(0))).toBe(true)
    })

    test('objects without a row are removed page by page; other objects stay', async () => {
      const { store, newDataset, hasObject, objects, listObjects } = world
      const dataset = await newDataset()
      const used = await store.documents.put(dataset, address, 'text/plain', randomBytes(100))
      const orphans = Array.from({ length: 130 }, () => randomBytes(32).toString('hex'))
      await Promise.all([...orphans, 'notes.txt'].map((key) => objects.put(key, Buffer.from('left'))))

      expect(await store.documents.sweepObjects()).toBe(130)

      expect(await listObjects()).toEqual([keyOf(used), 'notes.txt'].sort())
      expect(await hasObject(used)).toBe(true)
      await objects.remove('notes.txt')
    })
  })

  afterAll(() => world.database.close())
}
