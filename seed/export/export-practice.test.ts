import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { noLiveness } from '../../server/store/liveness.ts'
import { createStore } from '../../server/store/store.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { importResources } from '../import/import.ts'
import { exportPractice } from './export-practice.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a practice written out and read into an empty one holds the same, byte for byte, documents too', async () => {
  const database = await testDatabase('cast')
  const store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })
  const from = await database.prisma.practice.findUniqueOrThrow({ where: { slug: 'harbor-family' } })
  const datasetId = await store.datasets.create({ name: 'empty', kind: 'practice', source: 'test' })
  await store.datasets.markReady(datasetId)
  const row = { ...from, id: undefined, slug: 'empty', purpose: 'office' as const, datasetId }
  await database.prisma.practice.create({ data: row })
  const reports = store.readAll(from.datasetId, 'DiagnosticReport')
  const { id } = JSON.parse((await reports.next()).value as string) as { id: string }
  for (const [ordinal, bytes] of [
    Buffer.from('text é'),
    Buffer.alloc(600_000, 7),
    Buffer.alloc(0),
  ].entries()) {
    await store.documents.put(from.datasetId, { type: 'DiagnosticReport', id, ordinal }, 'image/png', bytes)
  }
  const first = join(folder, 'first')
  mkdirSync(first)
  writeFileSync(join(first, 'Claim.ndjson'), '{}')
  writeFileSync(join(first, 'Group.ndjson'), 'of an earlier export')

  const exported = await exportPractice(store, from.datasetId, first)
  rmSync(join(first, 'Claim.ndjson'))
  const load = () =>
    importResources(
      { pool: database.pool, prisma: database.prisma, store },
      { practice: 'empty', paths: [first], synthetic: true },
    )
  const report = await load()
  const again = await exportPractice(store, datasetId, join(folder, 'second'))

  expect(exported.documents).toBeGreaterThan(2)
  expect(report.documents).toBe(exported.documents)
  expect(Object.values(report.types).every((each) => each.rejected === 0 && each.renamed === 0)).toBe(true)
  expect(again).toEqual(exported)
  const files = readdirSync(first, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name !== 'documents',
  )
  expect(readdirSync(join(folder, 'second'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(
    ['documents', ...files].sort(),
  )
  for (const file of files) expect(contentOf('second', file).equals(contentOf('first', file))).toBe(true)
  expect((await load()).unchanged).toBe(true)
}, 60_000)

test('a document whose bytes are missing, changed or nobody\u2019s is refused, and the rest goes on', async () => {
  const database = await testDatabase('schema')
  const store = createStore({ pool: database.pool, clock: () => new Date('2026-11-20T12:00:00.000Z') })
  const datasetId = await store.datasets.create({ name: 'few', kind: 'practice', source: 'test' })
  await store.datasets.markReady(datasetId)
  await database.prisma.practice.create({
    data: {
      slug: 'few',
      name: 'few',
      environment: 'sandbox',
      fhirEnabled: true,
      inDirectory: true,
      purpose: 'office',
      datasetId,
      createdAt: new Date(),
    },
  })
  const path = join(folder, 'few')
  mkdirSync(join(path, 'documents'), { recursive: true })
  const document = { resourceType: 'DocumentReference', id: 'dr-1', status: 'current' }
  writeFileSync(join(path, 'DocumentReference.ndjson'), JSON.stringify(document))
  const [good, other, missing] = ['good', 'other', 'missing'].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  )
  writeFileSync(join(path, 'documents', `${good}`), 'good')
  writeFileSync(join(path, 'documents', `${other}`), 'not the other')
  const lines = [
    ['DocumentReference/dr-1', 0, 'text/plain', good],
    ['DocumentReference/dr-1', 1, 'text/plain', other],
    ['DocumentReference/dr-1', 2, 'text/plain', missing],
    ['DocumentReference/dr-2', 0, 'text/plain', good],
    ['DocumentReference/dr-1', 0, 'text/plain', '../../secret'],
  ]
  writeFileSync(join(path, 'documents', 'contents.tsv'), lines.map((line) => `${line.join('\t')}\n`).join(''))
  const rejected: string[] = []

  const report = await importResources(
    { pool: database.pool, prisma: database.prisma, store },
    {
      practice: 'few',
      paths: [path],
      synthetic: true,
      onReject: ({ line, reason }) => rejected.push(`${line}: ${reason}`),
    },
  )

  expect(report.documents).toBe(1)
  expect(rejected).toEqual([
    '2: its file is not what the line says',
    '3: its file is missing',
    '4: refers to nothing: DocumentReference/dr-2',
    '5: not a line of Type/id, place, media type and SHA-256',
  ])
  const found = await store.documents.find(datasetId, { type: 'DocumentReference', id: 'dr-1' }, noLiveness)
  expect(found.document).toMatchObject({ contentType: 'text/plain', size: 4, sha256: good })
})

/** Without what says when and how often it was written here, which is the import's. */
function contentOf(part: string, file: string): Buffer {
  const bytes = readFileSync(join(folder, part, file))
  if (!file.endsWith('.ndjson')) return bytes
  return Buffer.from(bytes.toString().replace(/"lastUpdated":"[^"]*"/g, ''))
}
