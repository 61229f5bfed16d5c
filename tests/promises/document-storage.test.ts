/** Documents whose bytes are in a bucket, as callers of the interfaces get them: the same bytes, or 503 until it is back. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { entriesOf, fhirOrigin, fhirStack } from '../support/fhir.ts'
import { callTool } from '../support/mcp.ts'
import { restStack } from '../support/rest.ts'
import { startLocalS3 } from '../support/s3-server.ts'

const logLines: string[] = []
let url = ''

const wren = 'pt-wren-testwell'
const read = async (from: string, headers: Record<string, string> = {}) => {
  const response = await stack.app.fetch(
    new Request(new URL(from, fhirOrigin), { headers: { authorization: `Bearer ${token}`, ...headers } }),
  )
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
const readNote = () => callTool(rest, 'get_document_text', { documentId }, { key })

const s3 = await startLocalS3()
const stack = await fhirStack({ environment: s3.environment, logLines })
const rest = await restStack({ services: stack.services })
const token = (await stack.issueToken()).token
const writer = await rest.issueWriter({ mcpWrites: true })
const key = writer.key
const found = entriesOf(await stack.call('DocumentReference?patient=pt-cal-notareal', { token }))
const urls = found.map(({ resource }) => resource.content[0].attachment.url)
url = urls.find((each) => each !== undefined)
const { rows } = await stack.services.database.ownerPool.query<{ id: string }>(
  `SELECT id FROM clinical.attachment WHERE dataset_id = $1 AND content_type LIKE 'text/plain%' LIMIT 1`,
  [writer.datasetId],
)
const documentId = rows[0]?.id ?? ''
afterAll(() => s3.stop())
beforeEach(() => {
  s3.away = false
  stack.services.advance(1_000)
})

test('a document that moved to the bucket and back has the same bytes, whole, in part and as text', async () => {
  const { documents } = stack.services.store
  const whole = await read(url)
  const text = await readNote()

  const moved = await documents.move('object')
  s3.requests.length = 0

  expect(moved.lost).toBe(0)
  expect((await documents.count()).database.contents).toBe(0)
  const there = await read(url)
  expect(there.bytes.equals(whole.bytes)).toBe(true)
  expect([there.status, there.headers.get('etag'), there.headers.get('content-length')]).toEqual([
    200,
    whole.headers.get('etag'),
    String(whole.bytes.length),
  ])
  const { length } = whole.bytes
  const part = await read(url, { range: `bytes=10-${length - 10}` })
  expect([part.status, part.bytes.equals(whole.bytes.subarray(10, length - 9))]).toEqual([206, true])
  expect((await readNote()).result.structuredContent.data).toEqual(text.result.structuredContent.data)
  expect(text.result.structuredContent.data.text.text).not.toBe('')
  const before = s3.requests.length
  expect((await read(url, { 'if-none-match': there.headers.get('etag') ?? '' })).status).toBe(304)
  expect((await stack.call(url, { token, method: 'HEAD' })).status).toBe(200)
  expect((await stack.call(url)).status).toBe(401)
  // What needs no bytes does not call the bucket.
  expect(s3.requests.length).toBe(before)
})

test('while the bucket is away its documents are 503 at each interface, other requests are served, and it heals', async () => {
  await stack.services.store.documents.move('object')
  const whole = await read(url)
  s3.away = true

  const outcome = await stack.call(url, { token })
  const part = await read(url, { range: 'bytes=0-9' })
  const tool = await readNote()

  expect([outcome.status, outcome.headers.get('retry-after')]).toEqual([503, '30'])
  expect(outcome.body).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ code: 'transient' }] })
  expect([part.status, part.headers.get('retry-after')]).toEqual([503, '30'])
  expect([tool.status, tool.headers.get('retry-after'), tool.body.error.code]).toEqual([
    503,
    '30',
    'unavailable',
  ])
  expect((await stack.call(`Patient/${wren}`, { token })).status).toBe(200)
  expect((await rest.call(`/patients/${wren}`, { key })).status).toBe(200)

  s3.away = false
  expect((await read(url)).bytes.equals(whole.bytes)).toBe(true)
  expect((await readNote()).result.isError).toBeUndefined()
})

test('a lost object is 503, and the log says which without naming a document or a patient', async () => {
  await stack.services.store.documents.move('object')
  const { headers } = await read(url)
  const sha256 = headers.get('etag')?.replaceAll('"', '') ?? ''
  const name = `${s3.settings.prefix}${sha256}`
  const kept = s3.objects.get(name)
  s3.objects.delete(name)
  logLines.length = 0

  expect((await read(url)).status).toBe(503)

  const log = logLines.join('\n')
  expect(log).toContain(sha256.slice(0, 12))
  expect(log).not.toMatch(new RegExp(`${sha256}|pt-cal-notareal|notareal`, 'i'))
  if (kept) s3.objects.set(name, kept)
  expect((await read(url)).status).toBe(200)
})
