import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fhirTypeNumbers, fhirTypeOf } from '../../server/contract/fhir/registry.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { createS3Client } from '../../server/store/s3-client.ts'
import { createStore } from '../../server/store/store.ts'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { type LocalS3, startLocalS3 } from '../../tests/support/s3-server.ts'
import { slice } from '../../tests/support/slice.ts'
import { importResources } from '../import/import.ts'
import { findReferences } from '../import/references.ts'
import { exportPractice } from './export-practice.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-export-'))
const s3: LocalS3 = await startLocalS3()
afterAll(async () => {
  await s3.stop()
  rmSync(folder, { recursive: true })
})

const clock = () => new Date('2026-11-20T12:00:00.000Z')

/** Puts new documents into a bucket. */
function storeWithBucket({ pool }: Pick<TestDatabase, 'pool'>) {
  const contents = {
    place: 'object',
    objects: createS3Client(s3.settings),
    owner: 'https://portal.example',
  } as const
  return createStore({ pool, clock, contents })
}

test('a practice written out and read into an empty one holds the same, byte for byte, documents too', async () => {
  const database = await testDatabase('cast')
  const store = createStore({ pool: database.pool, clock })
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
  // Wherever its documents are.
  const withBucket = storeWithBucket(database)
  expect((await withBucket.documents.move('object')).lost).toBe(0)
  const again = await exportPractice(withBucket, datasetId, join(folder, 'second'))

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

test.each(slice(['harbor-family', 'juniper-point', 'cedar-hollow'], 1))(
  'the people of %s, read into a sandbox whose ids they share, are there whole beside its own',
  async (slug) => {
    const database = await testDatabase('cast')
    const store = createStore({ pool: database.pool, clock })
    const practices = await database.prisma.practice.findMany()
    const from = practices.find((each) => each.slug === slug) as (typeof practices)[number]
    const template = practices.find(({ purpose }) => purpose === 'template') as (typeof practices)[number]
    // A sandbox whose every resource has an id of the source's, half of them another text.
    const into = await store.datasets.copy(from.datasetId, { name: slug, kind: 'practice', source: 'test' })
    await database.ownerPool.query(
      `UPDATE clinical.resource SET content = replace(content, '"family":"', '"family":"Not ')
       WHERE dataset_id = $1 AND type IN ($2, $3)`,
      [into, fhirTypeNumbers.Patient, fhirTypeNumbers.Practitioner],
    )
    const sandbox = `sandbox-of-${slug}`
    await database.prisma.practice.create({
      data: { ...template, id: undefined, slug: sandbox, purpose: 'sandbox', datasetId: into },
    })
    const [source, before, after] = ['source', 'before', 'after'].map((part) => join(folder, slug, part))
    await exportPractice(store, from.datasetId, source as string)
    await exportPractice(store, into, before as string)
    const rejected: unknown[] = []

    const report = await importResources(
      { pool: database.pool, prisma: database.prisma, store },
      {
        practice: sandbox,
        paths: [source as string],
        synthetic: true,
        onReject: (each) => rejected.push(each),
      },
    )
    await exportPractice(store, into, after as string)

    expect(rejected).toEqual([])
    const { rows } = await database.pool.query<{ type: number; source: string; id: string }>(
      'SELECT type, source, id FROM clinical.origin WHERE dataset_id = $1',
      [into],
    )
    const ids = new Map(rows.map(({ type, source, id }) => [`${fhirTypeOf(type)}/${source}`, id]))
    const own = linesOf(before as string)
    const brought = linesOf(source as string)
    const whole = linesOf(after as string)
    const expected = new Map([
      ...own,
      ...[...brought].map(([address, line]) => {
        const resource = JSON.parse(line)
        for (const { reference, lead } of [...findReferences(resource)]) {
          const [type = '', id = ''] = reference.split('/')
          lead(`${type}/${ids.get(reference) ?? id}`)
        }
        resource.id = ids.get(address) ?? resource.id
        return [`${resource.resourceType}/${resource.id}`, JSON.stringify(resource)] as const
      }),
    ])
    expect(rows.length).toBeGreaterThan(50)
    expect([...whole.keys()].sort()).toEqual([...expected.keys()].sort())
    for (const [address, line] of expected) expect(whole.get(address)).toBe(line)
    const { imported, repeated } = {
      imported: Object.values(report.types).reduce((sum, each) => sum + each.imported, 0),
      repeated: Object.values(report.types).reduce((sum, each) => sum + each.repeated, 0),
    }
    expect(imported + repeated).toBe(brought.size)
    const people = [...brought.keys()].filter((address) => address.startsWith('Patient/'))
    for (const address of people) {
      const person = `Patient/${ids.get(address)}`
      const owned = (lines: ReadonlyMap<string, string>, reference: string) =>
        [...lines.values()].filter((line) => line.includes(`"reference":"${reference}"`)).length
      expect(owned(whole, person)).toBe(owned(brought, address))
    }
    expect(documentsOf(after as string)).toBe(documentsOf(before as string) + documentsOf(source as string))
  },
  60_000,
)

test('a document whose bytes are missing, changed or nobody\u2019s is refused, and the rest goes on', async () => {
  const database = await testDatabase('schema')
  const store = storeWithBucket(database)
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
  expect(String(s3.objects.get(`${s3.settings.prefix}${good}`))).toBe('good')
})

/** Without what says when and how often it was written here, which is the import's. */
function contentOf(part: string, file: string): Buffer {
  const bytes = readFileSync(join(folder, part, file))
  if (!file.endsWith('.ndjson')) return bytes
  return Buffer.from(bytes.toString().replace(/"lastUpdated":"[^"]*"/g, ''))
}

/** Every resource by `Type/id`, without what says when and how often it was written here. */
function linesOf(path: string): Map<string, string> {
  const files = readdirSync(path).filter((name) => name.endsWith('.ndjson'))
  const lines = files.flatMap((file) => readFileSync(join(path, file), 'utf8').trimEnd().split('\n'))
  return new Map(
    lines.map((line) => {
      const resource = JSON.parse(line)
      delete resource.meta.lastUpdated
      delete resource.meta.versionId
      return [`${resource.resourceType}/${resource.id}`, JSON.stringify(resource)]
    }),
  )
}

/** How many attachments an export has the bytes of. */
function documentsOf(path: string): number {
  const file = join(path, 'documents', 'contents.tsv')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').length : 0
}
