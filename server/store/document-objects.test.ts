/** Documents in a bucket: what every server keeps, and what happens when it is away, slow or loses something. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type LocalS3, startLocalS3 } from '../../tests/support/s3-server.ts'
import { toProblem } from '../contract/http/problems.ts'
import {
  address,
  type DocumentWorld,
  documentObjectPromises,
  documentWorld,
  keyOf,
} from './document-objects.suite.ts'
import { noLiveness } from './liveness.ts'

const started = startLocalS3()
documentObjectPromises('our own server', async () => ({ ...(await started).settings, prefix: 'promises/' }))

const s3: LocalS3 = await started
const world: DocumentWorld = await documentWorld(s3.settings)
afterAll(() => s3.stop())
afterEach(() => {
  s3.away = false
  s3.breakAfter = null
  s3.before = () => {}
})

const nameOf = (bytes: Buffer) => ({ sha256: createHash('sha256').update(bytes).digest('hex') })
const put = (dataset: number, bytes: Buffer) =>
  world.store.documents.put(dataset, address, 'text/plain', bytes)
const problemOf = async (work: Promise<unknown>) =>
  toProblem(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  )

/** Resolves when a request of this method comes, which is then held until `release`. */
function holdNext(method: string, skip = 0) {
  let left = skip
  let release = () => {}
  const reached = new Promise<void>((resolve) => {
    s3.before = (order) => {
      if (order.method !== method || left-- !== 0) return
      resolve()
      return new Promise<void>((done) => {
        release = done
      })
    }
  })
  return { reached, release: () => release() }
}

describe('a document is never stored without its bytes', () => {
  test('ended between upload and commit, an object is left that the next sweep removes', async () => {
    const { database, newDataset, read, placeOf, hasObject, store } = world
    const dataset = await newDataset()
    const bytes = randomBytes(100)
    const { reached, release } = holdNext('HEAD', 1)

    const storing = problemOf(put(dataset, bytes))
    await reached
    await database.cut(`state = 'idle in transaction'`)
    release()

    expect(await storing).toMatchObject({ kind: 'unavailable' })
    expect([await placeOf(nameOf(bytes)), await read(dataset)]).toEqual([null, null])
    expect(await hasObject(nameOf(bytes))).toBe(true)
    await store.documents.sweepObjects()
    expect(await hasObject(nameOf(bytes))).toBe(false)
  })

  test('when a sweep takes the object before the commit, it is uploaded again', async () => {
    const { newDataset, read } = world
    const dataset = await newDataset()
    const bytes = randomBytes(100)
    const { reached, release } = holdNext('HEAD', 1)

    const storing = put(dataset, bytes)
    await reached
    s3.objects.delete(`${s3.settings.prefix}${keyOf(nameOf(bytes))}`)
    release()
    await storing

    expect(await read(dataset)).toEqual(bytes)
  })

  test('a sweep passes over an object that is being stored, and storing waits for one that is being removed', async () => {
    const { newDataset, read, store, objects, hasObject } = world
    const dataset = await newDataset()
    const bytes = randomBytes(100)
    const stored = holdNext('HEAD', 1)
    const storing = put(dataset, bytes)
    await stored.reached
    s3.before = () => {}
    expect(await store.documents.sweepObjects()).toBe(0)
    stored.release()
    await storing
    expect(await read(dataset)).toEqual(bytes)

    const other = randomBytes(100)
    await objects.put(keyOf(nameOf(other)), other)
    const removed = holdNext('DELETE')
    const sweeping = store.documents.sweepObjects()
    await removed.reached
    const storingAgain = put(dataset, other)
    await new Promise((done) => setTimeout(done, 100))
    removed.release()
    expect(await sweeping).toBe(1)
    await storingAgain

    expect(await hasObject(nameOf(other))).toBe(true)
    expect(await read(dataset)).toEqual(other)
  })
})

describe('reading', () => {
  test('a download that breaks continues where it stopped', async () => {
    const { newDataset, read } = world
    const dataset = await newDataset()
    const bytes = randomBytes(900_000)
    await put(dataset, bytes)
    s3.breakAfter = 300_000

    expect((await read(dataset))?.equals(bytes)).toBe(true)
    expect(
      (await read(dataset, { part: { first: 10, last: 800_000 } }))?.equals(bytes.subarray(10, 800_001)),
    ).toBe(true)
  })
})

test.each([
  ['short', 100],
  ['long', 900_000],
])('a %s document whose object was changed does not arrive whole', async (_length, size) => {
  const { newDataset, store } = world
  const dataset = await newDataset()
  const bytes = randomBytes(size)
  const { sha256 } = await put(dataset, bytes)
  const stored = s3.objects.get(`${s3.settings.prefix}${sha256}`)
  stored?.fill(stored[5] === 0 ? 1 : 0, 5, 6)
  const { document } = await store.documents.find(dataset, address, noLiveness)
  const arrived: Buffer[] = []

  const problem = await problemOf(
    (async () => {
      for await (const piece of document?.bytes() ?? []) arrived.push(piece)
    })(),
  )

  expect(problem).toMatchObject({
    kind: 'unavailable',
    cause: { message: expect.stringContaining(sha256.slice(0, 12)) },
  })
  expect(Buffer.concat(arrived).length).toBeLessThan(size)
})

describe('removing', () => {
  test('with the bucket away a patient is deleted, and the object goes with a later sweep', async () => {
    const { newDataset, read, store, placeOf, hasObject } = world
    const dataset = await newDataset()
    const stored = await put(dataset, randomBytes(100))
    s3.away = true

    await store.deletePatient(dataset, 'pt-1')
    expect([await read(dataset), await placeOf(stored)]).toEqual([null, null])
    expect(await problemOf(store.documents.sweepObjects())).toMatchObject({ kind: 'unavailable' })

    s3.away = false
    expect(await hasObject(stored)).toBe(true)
    await store.documents.sweepObjects()
    expect(await hasObject(stored)).toBe(false)
  })

  test('many contents go in batches, between which others are stored', async () => {
    const { newDataset, store, storeFor, database } = world
    const dataset = await newDataset()
    await database.pool.query(
      `INSERT INTO clinical.binary (sha256, size, created_at) SELECT sha256(n::text::bytea), 1, now() FROM generate_series(1, 450) n`,
    )
    const kept = await storeFor('database').documents.put(dataset, address, 'text/plain', randomBytes(10))

    expect(await store.documents.sweep()).toBeGreaterThanOrEqual(450)

    expect(await world.placeOf(kept)).toBe('database')
  })
})

test('a copy of the database with the settings of the original stores and removes nothing in its bucket', async () => {
  const { newDataset, read, store, storeFor, objects } = world
  const dataset = await newDataset()
  const bytes = randomBytes(100)
  await put(dataset, bytes)
  const copy = storeFor('object', objects, 'https://copy.example')
  const before = [...s3.objects.keys()]
  const foreign = { cause: { message: expect.stringContaining('names https://portal.example') } }

  expect(await problemOf(copy.documents.put(dataset, address, 'text/plain', randomBytes(10)))).toMatchObject(
    foreign,
  )
  expect(await problemOf(copy.documents.move('object'))).toMatchObject(foreign)
  await objects.put(nameOf(bytes).sha256.replaceAll(/./g, '0'), bytes)
  expect(await problemOf(copy.documents.sweepObjects())).toMatchObject(foreign)
  expect(await copy.documents.findForeignOwner()).toContain('names https://portal.example')
  expect(await store.documents.findForeignOwner()).toBeNull()
  // It can bring the documents to its own database.
  await copy.documents.move('database')

  expect(before.filter((key) => !s3.objects.has(key))).toEqual([])
  expect(await read(dataset, { from: copy })).toEqual(bytes)
  expect(await store.documents.sweepObjects()).toBeGreaterThanOrEqual(2)
})

describe('moving', () => {
  test('cut off when the bucket goes away, it continues with what is left', async () => {
    const { newDataset, read, store, storeFor } = world
    const dataset = await newDataset()
    await store.documents.move('object')
    const contents = Array.from({ length: 5 }, () => randomBytes(300_000))
    for (const [ordinal, bytes] of contents.entries())
      await storeFor('database').documents.put(dataset, { ...address, ordinal }, 'text/plain', bytes)
    let uploads = 0
    s3.before = ({ method }) => {
      if (method === 'PUT' && ++uploads === 3) s3.away = true
    }

    expect(await problemOf(store.documents.move('object'))).toMatchObject({ kind: 'unavailable' })
    s3.away = false
    expect(await store.documents.move('object')).toMatchObject({ contents: 3, bytes: 900_000, lost: 0 })

    for (const [ordinal, bytes] of contents.entries())
      expect((await read(dataset, { ordinal }))?.equals(bytes)).toBe(true)
  })

  test('a content whose object is lost or changed stays where it was and is counted', async () => {
    const { newDataset, store, placeOf } = world
    const before = await store.documents.move('database')
    const dataset = await newDataset()
    const lost = await put(dataset, randomBytes(100))
    const changed = await store.documents.put(
      dataset,
      { ...address, ordinal: 1 },
      'text/plain',
      randomBytes(100),
    )
    s3.objects.delete(`${s3.settings.prefix}${keyOf(lost)}`)
    s3.objects.set(`${s3.settings.prefix}${keyOf(changed)}`, randomBytes(100))

    expect(await store.documents.move('database')).toEqual({
      contents: 0,
      bytes: 0,
      lost: before.lost + 2,
    })

    expect([await placeOf(lost), await placeOf(changed)]).toEqual(['object', 'object'])
  })
})
