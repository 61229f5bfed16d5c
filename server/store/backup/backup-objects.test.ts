/** Documents in object storage are in the backup, and a restore needs no bucket. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { type LocalS3, startLocalS3 } from '../../../tests/support/s3-server.ts'
import { address, type DocumentWorld, documentWorld } from '../document-objects.suite.ts'
import { createStore } from '../store.ts'
import { backUp } from './back-up.ts'
import { beginFolder, openFolder } from './place.ts'
import { restore } from './restore.ts'

let s3: LocalS3
let world: DocumentWorld
let folder: string

beforeAll(async () => {
  s3 = await startLocalS3()
  folder = await mkdtemp(join(tmpdir(), 'sandpiper-backup-'))
  world = await documentWorld(s3.settings)
})
afterAll(async () => {
  await s3.stop()
  await rm(folder, { recursive: true })
})
afterEach(() => {
  s3.before = () => {}
})

const copyTo = (name: string, options: Partial<Parameters<typeof backUp>[0]> = {}) =>
  backUp({
    url: world.database.ownerUrl,
    begin: () => beginFolder(join(folder, name)),
    format: 'portable',
    keyIds: ['test'],
    program: '0.0.0',
    objects: world.objects,
    ...options,
  })

async function restoreInto(name: string) {
  const database = await testDatabase('schema')
  await restore({ ...database, from: openFolder(join(folder, name)), replace: false })
  return database
}

test('every document of the bucket and of the database comes back, into a database without a bucket', async () => {
  const { store, storeFor, newDataset, read } = world
  const dataset = await newDataset()
  // Objects and pieces of the database alternate in the order of their hashes.
  const contents = [
    Buffer.alloc(0),
    ...[10, 600_000, 1_000, 300_000, 10, 100, 20].map((size) => randomBytes(size)),
  ]
  for (const [ordinal, bytes] of contents.entries())
    await (ordinal % 3 === 1 ? storeFor('database') : store).documents.put(
      dataset,
      { ...address, ordinal },
      'text/plain',
      bytes,
    )
  const counts = await store.documents.count()
  expect([counts.object.contents, counts.database.contents]).toEqual([5, 3])

  const { manifest } = await copyTo('whole', { format: null })
  const requests = s3.requests.length
  const restored = await restoreInto('whole')

  expect([manifest.format, manifest.lost]).toEqual(['portable', undefined])
  const there = createStore({ pool: restored.pool, clock: () => new Date() })
  for (const [ordinal, bytes] of contents.entries())
    expect((await read(dataset, { from: there, ordinal }))?.equals(bytes)).toBe(true)
  expect(await there.documents.count()).toEqual({
    database: { contents: 8, bytes: counts.object.bytes + counts.database.bytes },
    object: { contents: 0, bytes: 0 },
  })
  expect(s3.requests.length).toBe(requests)
})

test('the format of pg_dump, and a backup without the bucket, are refused with what to do', async () => {
  await expect(copyTo('custom', { format: 'custom' })).rejects.toThrow('use --format portable')
  await expect(copyTo('unset', { objects: null })).rejects.toThrow('DOCUMENT_URL is missing')
  s3.away = true
  await expect(copyTo('away')).rejects.toThrow('object storage cannot be reached')
  s3.away = false
})

test('a document that is removed during the backup is in it, and its object goes afterwards', async () => {
  const { store, newDataset } = world
  const dataset = await newDataset()
  await store.documents.put(dataset, address, 'text/plain', Buffer.from('removed while it is backed up'))
  const objectsBefore = s3.objects.size
  let removed = false
  s3.before = async ({ method }) => {
    if (method !== 'GET' || removed) return
    removed = true
    await store.datasets.remove(dataset)
    await store.documents.sweepObjects()
  }

  const { manifest } = await copyTo('raced')

  expect([removed, manifest.lost]).toEqual([true, undefined])
  expect(s3.objects.size).toBe(objectsBefore)
  s3.before = () => {}
  expect(await store.documents.sweepObjects()).toBe(1)
})

test('a document whose object is missing is named, and all others are in the backup', async () => {
  const [name = '', kept = Buffer.alloc(0)] =
    [...s3.objects].find(([key, bytes]) => !key.endsWith('owner') && bytes.length > 0) ?? []
  s3.objects.delete(name)

  const { manifest } = await copyTo('lacking')
  s3.objects.set(name, kept)

  expect(manifest.lost).toEqual([name.slice(s3.settings.prefix.length)])
  const { contents } = (await world.store.documents.count()).object
  expect(contents).toBeGreaterThan(1)
  expect(manifest.tables.find((table) => table.name === 'clinical.binary')?.rows).toBeGreaterThan(contents)
})
