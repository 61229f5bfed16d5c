/** An export to object storage: it has the same files as one to a folder, and survives an outage of the storage. */
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createS3Client } from '../../server/store/s3-client.ts'
import { type BulkStack, bulkStack } from '../support/bulk.ts'
import { startS3, type TestS3 } from '../support/swift.ts'

let s3: TestS3
let stack: BulkStack
let folderStack: BulkStack

beforeAll(async () => {
  s3 = await startS3()
  stack = await bulkStack({ environment: s3.environment, exportFileBytesMax: 200_000 })
  folderStack = await bulkStack({ exportFileBytesMax: 200_000 })
}, 120_000)

afterAll(() => s3.stop())

const objects = () => createS3Client(s3.settings).list('')

test('its files equal those of a folder, in full, in part and compressed, and are deleted when it is canceled', async () => {
  const { token } = await stack.issueToken({ audience: 'backend' })
  const folder = await folderStack.issueToken({ audience: 'backend' })
  const manifest = await stack.run(token)
  const expected = await folderStack.run(folder.token)

  expect(manifest.status).toBe(200)
  const typesOf = ({ body }: typeof manifest) =>
    body.output.map(({ type, count }: { type: string; count: number }) => [type, count])
  expect(typesOf(manifest)).toEqual(typesOf(expected))
  for (const type of ['Patient', 'Observation', 'Provenance'])
    expect((await stack.lines(manifest, type, token)).length).toBe(
      (await folderStack.lines(expected, type, folder.token)).length,
    )
  expect((await objects()).length).toBe(manifest.body.output.length)
  expect(stack.filesLeft()).toBe(0)

  const [file] = manifest.body.output
  const plain = await stack.call(file.url, { token })
  const part = await stack.call(file.url, { token, headers: { range: 'bytes=5-20' } })
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const zipped = await stack.app.fetch(new Request(file.url, { headers }))
  const zippedPart = await stack.app.fetch(
    new Request(file.url, { headers: { ...headers, range: 'bytes=2-9' } }),
  )
  expect([part.status, part.text]).toEqual([206, plain.text.slice(5, 21)])
  const bytes = Buffer.from(await zipped.arrayBuffer())
  expect(gunzipSync(bytes).toString()).toBe(plain.text)
  expect(Buffer.from(await zippedPart.arrayBuffer())).toEqual(bytes.subarray(2, 10))
  expect((await stack.call(file.url)).status).toBe(401)

  expect((await stack.call(manifest.url, { token, method: 'DELETE' })).status).toBe(202)
  expect((await stack.call(file.url, { token })).status).toBe(404)
  expect(await objects()).toEqual([])
}, 180_000)

test('while the storage is down, only its files respond with 503; afterwards they are available again', async () => {
  const { token } = await stack.issueToken({ audience: 'backend' })
  const reader = await stack.issueToken()
  const manifest = await stack.run(token, '?_type=Patient')
  const [file] = manifest.body.output
  const keys = await objects()
  const client = createS3Client(s3.settings)
  const contents = await Promise.all(
    keys.map(async (key) => Buffer.concat((await (await client.get(key))?.toArray()) ?? [])),
  )
  for (const key of keys) await client.remove(key)
  await s3.bucket('DELETE')

  const unavailable = await stack.call(file.url, { token })

  expect(unavailable.status).toBe(503)
  expect(unavailable.headers.get('retry-after')).toBe('30')
  expect((await stack.call('Patient/pt-wren-testwell', { token: reader.token })).status).toBe(200)

  await s3.bucket('PUT')
  for (const [index, key] of keys.entries()) await client.put(key, contents[index] as Buffer)
  expect((await stack.call(file.url, { token })).status).toBe(200)
}, 120_000)

test('an export that starts while the bucket is missing completes once the bucket exists', async () => {
  const { token } = await stack.issueToken({ audience: 'backend' })
  for (const key of await objects()) await createS3Client(s3.settings).remove(key)
  await s3.bucket('DELETE')
  const accepted = await stack.kickOff(token, '?_type=Patient')
  await stack.work()
  const url = stack.statusOf(accepted)
  for (let poll = 0; poll < 10; poll++) {
    stack.services.advance(1_000)
    expect((await stack.call(url, { token })).status).toBe(202)
  }

  await s3.bucket('PUT')
  // The queue retries by the database's clock, which the test can't advance.
  await stack.services.database.ownerPool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`,
  )

  expect((await stack.wait(url, token)).status).toBe(200)
}, 120_000)
