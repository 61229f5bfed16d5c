import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import type { AttachmentAddress } from './documents.ts'
import { noLiveness } from './liveness.ts'
import { createStore, type Store } from './store.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

const database = await testDatabase('schema')
const store: Store = createStore({ pool: database.pool, clock })

/** A dataset with one document, whose text is its id. */
async function withDocument(id = 'doc-1', text = 'A visit to Harbor'): Promise<number> {
  const dataset = await store.datasets.create({ name: 'documents', kind: 'practice', source: 'test' })
  const document = { resourceType: 'DocumentReference', id, subject: { reference: 'Patient/pt-1' } }
  await store.write(dataset, [examplePatient({ id: 'pt-1', family: 'Testwell' }), document], {
    liveness: noLiveness,
  })
  await store.documents.put(dataset, { type: 'DocumentReference', id }, 'text/plain', Buffer.from(text))
  await store.datasets.markReady(dataset)
  return dataset
}

async function read(dataset: number, address: Partial<AttachmentAddress> = {}): Promise<Buffer | null> {
  const { document } = await store.documents.find(
    dataset,
    { type: 'DocumentReference', id: 'doc-1', ...address },
    noLiveness,
  )
  if (document === null) return null
  const pieces: Buffer[] = []
  for await (const piece of document.bytes()) pieces.push(piece)
  return Buffer.concat(pieces)
}

const contents = async () =>
  (await database.pool.query('SELECT count(*)::int AS n FROM clinical.binary')).rows[0]?.n as number

test('equal contents are stored once, whoever stores them at the same time', async () => {
  const dataset = await withDocument()
  const before = await contents()
  async function* pieces() {
    yield Buffer.from('the same ')
    yield Buffer.from('text')
  }

  await Promise.all(
    // Beside the document that is there already.
    Array.from({ length: 8 }, (_, place) =>
      store.documents.put(
        dataset,
        { type: 'DocumentReference', id: 'doc-1', ordinal: place + 1 },
        'text/plain',
        place % 2 === 0 ? Buffer.from('the same text') : pieces(),
      ),
    ),
  )

  expect(await contents()).toBe(before + 1)
  expect((await read(dataset, { ordinal: 7 }))?.toString()).toBe('the same text')
})

test('a copy refers to the same contents, and they stay until the last dataset that holds them goes', async () => {
  const text = `kept ${randomBytes(8).toString('hex')}`
  const source = await withDocument('doc-1', text)
  const before = await contents()
  const copy = await store.datasets.copy(source, { name: 'copy', kind: 'practice' })
  expect(await contents()).toBe(before)

  await store.datasets.remove(source)
  expect((await read(copy))?.toString()).toBe(text)

  await store.datasets.remove(copy)
  expect(await read(copy)).toBeNull()
  expect(await contents()).toBe(before - 1)
})

test('another dataset, another document and a resource that is not there have no bytes', async () => {
  const dataset = await withDocument()
  const other = await store.datasets.create({ name: 'other', kind: 'practice', source: 'test' })
  await store.documents.put(other, { type: 'DocumentReference', id: 'doc-9' }, 'text/plain', Buffer.from('?'))

  expect(await read(other)).toBeNull()
  expect(await read(other, { id: 'doc-9' })).toBeNull()
  expect(await read(dataset, { type: 'DiagnosticReport' })).toBeNull()
  expect(await read(dataset, { ordinal: 3 })).toBeNull()
})

test('an empty document is a document; one over 20 MB and one of a shared dataset are refused', async () => {
  const dataset = await withDocument()
  const template = await store.datasets.create({ name: 'template', kind: 'template', source: 'test' })
  await store.datasets.markReady(template)
  const address = { type: 'DocumentReference', id: 'doc-1' } as const

  await store.documents.put(dataset, address, 'text/plain', Buffer.alloc(0))

  expect((await read(dataset))?.length).toBe(0)
  await expect(
    store.documents.put(dataset, address, 'text/plain', Buffer.alloc(20_000_001)),
  ).rejects.toMatchObject({ kind: 'payload_too_large' })
  await expect(store.documents.put(template, address, 'text/plain', Buffer.from('x'))).rejects.toMatchObject({
    kind: 'forbidden',
  })
})
