/** What a storage of exports promises, for each kind of it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { startS3 } from '../../../tests/support/swift.ts'
import { createS3Client } from '../../store/s3-client.ts'
import { createFolderStorage, createS3Storage, type ExportStorage } from './export-storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-storage-'))

const s3 = await startS3()

afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

const bytesOf = async (stream: Readable | null) =>
  stream === null ? null : Buffer.concat(await stream.toArray())
const run = () => ({ exportId: randomUUID(), attempt: 1 })
const name = '1.Patient.ndjson'

describe.each([
  ['folder', () => createFolderStorage(folder)],
  ['bucket', () => createS3Storage(s3.settings)],
])('a %s', (_, open: () => ExportStorage) => {
  test.each([
    ['nothing', []],
    ['a few bytes', ['{"resourceType":"Patient"}\n', '{}\n']],
    ['more than a part holds', Array.from({ length: 5 }, () => randomBytes(4 * 1024 * 1024))],
  ])('keeps %s as it was given, and any range of it', async (_given, chunks) => {
    const storage = open()
    const all = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)))
    const file = await storage.create(run1, name)
    const shared = Buffer.alloc(4 * 1024 * 1024)
    for (const chunk of chunks) {
      // Whoever writes may use the same memory again.
      const size = Buffer.from(chunk as string).copy(shared)
      await file.write(shared.subarray(0, size))
    }

    expect(await file.finish()).toBe(all.length)

    expect((await bytesOf(await storage.read(run1, name)))?.equals(all)).toBe(true)
    if (all.length > 10)
      expect(await bytesOf(await storage.read(run1, name, { first: 3, last: 9 }))).toEqual(
        all.subarray(3, 10),
      )
    await storage.remove(run1.exportId)
    expect(await storage.read(run1, name)).toBeNull()
  })

  test('has no file under a name before it is finished, nor after it was given up', async () => {
    const storage = open()
    const own = run()
    const file = await storage.create(own, name)
    await file.write(randomBytes(9 * 1024 * 1024))

    expect(await storage.read(own, name)).toBeNull()
    await file.abandon()
    expect(await storage.read(own, name)).toBeNull()
  })

  test('keeps runs and exports apart, and removes all of one export, whatever a killed run left of it', async () => {
    const storage = open()
    const [own, other] = [run(), run()]
    const second = { ...own, attempt: 2 }
    for (const [each, text] of [
      [own, 'first'],
      [second, 'second'],
      [other, 'other'],
    ] as const) {
      const file = await storage.create(each, name)
      await file.write(Buffer.from(text))
      await file.finish()
    }
    const killed = await storage.create(second, '2.Condition.ndjson')
    await killed.write(randomBytes(9 * 1024 * 1024))

    expect(String(await bytesOf(await storage.read(second, name)))).toBe('second')
    await storage.remove(own.exportId)
    await storage.remove(own.exportId)

    expect(await storage.read(own, name)).toBeNull()
    expect(await storage.read(second, name)).toBeNull()
    expect(String(await bytesOf(await storage.read(other, name)))).toBe('other')
    await killed.abandon()
  })

  test('takes no other name than those of exports', async () => {
    const storage = open()

    for (const odd of ['../x', '1.Patient.ndjson/..', '', 'x.ndjson'])
      await expect(Promise.resolve().then(() => storage.create(run(), odd))).rejects.toThrow('not the name')
    await expect(storage.remove('../..')).rejects.toThrow('not the id')
  })
})

const run1 = run()

test('uploads that were not completed are aborted with their export', async () => {
  const storage = createS3Storage(s3.settings)
  const own = run()
  const file = await storage.create(own, name)
  await file.write(randomBytes(9 * 1024 * 1024))
  const client = createS3Client(s3.settings)

  await storage.remove(own.exportId)

  expect(await client.list(own.exportId)).toEqual([])
})

test.each([
  ['a server that is away', { endpoint: 'http://127.0.0.1:65000' }, /cannot be reached \(\w+\)/],
  ['a wrong secret', { secretAccessKey: 'wrong' }, /answered PUT with 403/],
  ['a bucket that does not exist', { bucket: 'no-such-bucket' }, /answered PUT with 404 NoSuchBucket/],
])('%s is named, without a secret', async (_, settings, reason) => {
  const storage = createS3Storage({ ...s3.settings, ...settings })
  const file = await storage.create(run(), name)

  const failure = await file.finish().catch((error: Error) => error)

  expect(String(failure)).toMatch(reason)
  expect(String(failure)).not.toMatch(/tester|wrong|secret-of/)
  expect(failure).toMatchObject({ code: 'EOBJECTSTORAGE' })
})
