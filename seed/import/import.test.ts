import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planRead } from '../../server/search/patient-list.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { createStore, type Store } from '../../server/store/store.ts'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { type ImportOptions, importResources, type Rejected } from './import.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-import-'))
let database: TestDatabase
let store: Store
let count = 0

beforeAll(async () => {
  database = await testDatabase('schema')
  store = createStore({ pool: database.pool, clock })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** A practice with one patient, `pt-1`. */
async function practice({ environment = 'sandbox' as 'sandbox' | 'production' } = {}): Promise<string> {
  count += 1
  const slug = `practice-${count}`
  const datasetId = await store.datasets.create({ name: slug, kind: 'practice', source: 'test' })
  await store.write(datasetId, [examplePatient({ id: 'pt-1', family: 'Here' })], { liveness: noLiveness })
  await store.datasets.markReady(datasetId)
  await database.prisma.practice.create({
    data: {
      slug,
      name: slug,
      environment,
      fhirEnabled: true,
      inDirectory: true,
      purpose: 'office',
      datasetId,
      createdAt: clock(),
    },
  })
  return slug
}

function file(name: string, content: string | Buffer): string {
  count += 1
  const path = join(folder, `${count}-${name}`)
  writeFileSync(path, content)
  return path
}

const ndjson = (...resources: object[]) =>
  file('some.ndjson', resources.map((resource) => `${JSON.stringify(resource)}\n`).join(''))

async function load(slug: string, paths: string[], options: Partial<ImportOptions> = {}) {
  const rejected: Rejected[] = []
  const dependencies = { pool: database.pool, prisma: database.prisma, store }
  const report = await importResources(dependencies, {
    practice: slug,
    paths,
    synthetic: true,
    onReject: (each) => rejected.push(each),
    ...options,
  })
  return { report, reasons: rejected.map(({ line, reason }) => `${line}: ${reason}`) }
}

const datasetOf = async (slug: string) =>
  (await database.prisma.practice.findUniqueOrThrow({ where: { slug } })).datasetId

async function text(
  slug: string,
  type: 'Patient' | 'Observation' | 'Encounter',
  id: string,
): Promise<string> {
  const { rows } = await store.find(await datasetOf(slug), planRead(type, id), noLiveness)
  return rows[0]?.content ?? ''
}

const counts = async (slug: string) => store.datasets.counts(await datasetOf(slug))

const observation = (id: string, patient: string, more: object = {}) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  subject: { reference: patient },
  ...more,
})

test('lines become resources under their ids, beside those that were there', async () => {
  const slug = await practice()
  const before = await datasetOf(slug)

  const { report, reasons } = await load(slug, [
    ndjson(examplePatient({ id: 'new', family: 'Testwell' }), observation('ob-1', 'Patient/new')),
    ndjson(observation('ob-2', 'Patient/pt-1')),
  ])

  expect(reasons).toEqual([])
  expect(report.types).toMatchObject({ Patient: { imported: 1, renamed: 0 }, Observation: { imported: 2 } })
  expect(await counts(slug)).toEqual({ Patient: 2, Observation: 2 })
  expect(JSON.parse(await text(slug, 'Observation', 'ob-1'))).toMatchObject({
    subject: { reference: 'Patient/new' },
    meta: { versionId: '1', security: [{ code: 'HTEST' }] },
  })
  expect(await store.datasets.find(before)).toBeNull()
})

test('numbers stay exactly as they were written', async () => {
  const slug = await practice()
  const line =
    '{"resourceType":"Observation","id":"ob-1","status":"final","subject":{"reference":"Patient/pt-1"},"valueQuantity":{"value":1.10},"note":[{"text":"1.10 \\u00e9"}],"component":[{"valueQuantity":{"value":12345678901234567890.00}}]}'

  await load(slug, [file('exact.ndjson', line)])

  const stored = await text(slug, 'Observation', 'ob-1')
  expect(stored).toContain('"value":1.10}')
  expect(stored).toContain('"value":12345678901234567890.00}')
  expect(stored).toContain('"text":"1.10 é"')
})

const bundle = {
  resourceType: 'Bundle',
  type: 'transaction',
  note: '[{"entry": [',
  entry: [
    {
      fullUrl: 'urn:uuid:0000-a',
      resource: { ...examplePatient({ id: '0000-a', family: 'Samplewood}]"{' }) },
      request: { method: 'POST', url: 'Patient' },
    },
    {
      fullUrl: 'urn:uuid:0000-b',
      resource: {
        resourceType: 'Encounter',
        status: 'finished',
        subject: { reference: 'urn:uuid:0000-a' },
        participant: [
          { individual: { reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|9999999999' } },
        ],
      },
    },
    {
      fullUrl: 'urn:uuid:0000-c',
      resource: observation('ob-9', 'https://elsewhere.example/fhir/Patient/0000-a', {
        encounter: { reference: 'urn:uuid:0000-b' },
      }),
    },
  ],
}

const practitioner = {
  resourceType: 'Practitioner',
  id: 'pr-1',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '9999999999' }],
}

test.each([
  ['in lines of its own', () => file('bundle.json', JSON.stringify(bundle, null, 2))],
  ['in one line, packed', () => file('bundle.json.gz', gzipSync(JSON.stringify(bundle)))],
])('a Bundle %s refers by urn:uuid, by full URL and by identifier, across files', async (_, write) => {
  const slug = await practice()
  const late = file(
    'practitioner.json',
    JSON.stringify({ resourceType: 'Bundle', entry: [{ resource: practitioner }] }),
  )

  const { report, reasons } = await load(slug, [write(), late])

  expect(reasons).toEqual([])
  expect(report.types.Encounter).toEqual({ imported: 1, renamed: 1, repeated: 0, rejected: 0 })
  const stored = JSON.parse(await text(slug, 'Observation', 'ob-9'))
  expect(stored.subject.reference).toBe('Patient/0000-a')
  const [, encounterId = ''] = stored.encounter.reference.split('/')
  expect(JSON.parse(await text(slug, 'Encounter', encounterId))).toMatchObject({
    subject: { reference: 'Patient/0000-a' },
    participant: [{ individual: { reference: 'Practitioner/pr-1' } }],
  })
})

test('bad lines are named with their reason, what referred to them too, and the rest goes on', async () => {
  const slug = await practice()
  const lines = [
    JSON.stringify(examplePatient({ id: 'good', family: 'Testwell' })),
    '{"resourceType":"Patient",',
    '{"id":"x"}',
    '{"resourceType":"Claim","id":"x"}',
    '',
    JSON.stringify(observation('ob-1', 'Patient/nobody')),
    JSON.stringify({ resourceType: 'Provenance', id: 'pv-1', target: [{ reference: 'Observation/ob-1' }] }),
    JSON.stringify({ resourceType: 'Provenance', id: 'pv-2', target: [{ reference: 'Provenance/pv-1' }] }),
    JSON.stringify(observation('ob-2', 'Patient/good', { note: [{ text: 'x'.repeat(1_100_000) }] })),
    JSON.stringify(observation('ob-3', 'Patient/good', { code: { coding: [{ code: 'c'.repeat(300) }] } })),
    JSON.stringify(observation('ob-4', 'Patient/good')),
    JSON.stringify(observation('ob-4', 'Patient/good', { status: 'amended' })),
    JSON.stringify(observation('ob-4', 'Patient/good')),
  ]

  const { report, reasons } = await load(slug, [file('bad.ndjson', lines.join('\n'))])

  expect(reasons.sort()).toEqual([
    expect.stringContaining('10: A code, identifier or system is longer'),
    '12: another resource of this id came before',
    '2: not JSON',
    '3: no resourceType',
    '4: unknown type Claim',
    '6: refers to nothing',
    '7: refers to nothing',
    '8: refers to nothing',
    '9: over 1 MB',
  ])
  expect(await counts(slug)).toEqual({ Patient: 2, Observation: 1 })
  expect(report.types.Observation).toEqual({ imported: 1, renamed: 0, repeated: 1, rejected: 3 })
  expect(report.types.Provenance).toMatchObject({ imported: 0, rejected: 2 })
})

test('what refers to a line refused later is taken out again', async () => {
  const slug = await practice()
  const chain = [
    { resourceType: 'Provenance', id: 'pv-2', target: [{ reference: 'Provenance/pv-1' }] },
    { resourceType: 'Provenance', id: 'pv-1', target: [{ reference: 'Observation/ob-1' }] },
    observation('ob-1', 'Patient/nobody'),
  ]

  const { report, reasons } = await load(slug, [ndjson(...chain)])

  expect(reasons).toHaveLength(3)
  expect(report.types.Provenance).toMatchObject({ imported: 0, rejected: 2 })
  expect(await counts(slug)).toEqual({ Patient: 1 })
})

test('strict, the first bad line undoes everything', async () => {
  const slug = await practice()
  const before = await datasetOf(slug)
  const bad = ndjson(examplePatient({ id: 'new', family: 'Testwell' }), observation('ob-1', 'Patient/nobody'))

  await expect(load(slug, [bad], { strict: true })).rejects.toThrow('2: refers to nothing')

  expect(await datasetOf(slug)).toBe(before)
  expect(await store.datasets.listNamed(slug)).toHaveLength(1)
})

test('the same files once more double nothing', async () => {
  const slug = await practice()
  const path = ndjson(examplePatient({ id: 'new', family: 'Testwell' }), observation('ob-1', 'Patient/new'))
  await load(slug, [path])
  const after = await datasetOf(slug)

  const { report } = await load(slug, [path])

  expect(report.unchanged).toBe(true)
  expect(await datasetOf(slug)).toBe(after)
})

test('a resource whose id is taken gets another one, and what refers to it follows', async () => {
  const slug = await practice()

  const { report } = await load(slug, [
    ndjson(observation('ob-1', 'Patient/pt-1'), examplePatient({ id: 'pt-1', family: 'Other' })),
  ])

  expect(report.types.Patient).toMatchObject({ imported: 1, renamed: 1 })
  const { subject } = JSON.parse(await text(slug, 'Observation', 'ob-1'))
  expect(subject.reference).toMatch(/^Patient\/im-[0-9a-f]{32}$/)
  expect(await text(slug, 'Patient', subject.reference.slice(8))).toContain('Other')
  expect(await text(slug, 'Patient', 'pt-1')).toContain('Here')
})

test('a production practice asks for the word that the people are synthetic', async () => {
  const slug = await practice({ environment: 'production' })
  const path = ndjson(examplePatient({ id: 'new', family: 'Testwell' }))

  await expect(load(slug, [path], { synthetic: false })).rejects.toThrow('--synthetic')
  await expect(load('nowhere', [path])).rejects.toThrow('no practice “nowhere”')

  expect(await counts(slug)).toEqual({ Patient: 1 })
})

test('what a killed import left is removed by the next', async () => {
  const slug = await practice()
  await store.datasets.copy(await datasetOf(slug), { name: slug, kind: 'practice', state: 'loading' })

  await load(slug, [ndjson(examplePatient({ id: 'new', family: 'Testwell' }))])

  expect(await store.datasets.listNamed(slug)).toHaveLength(1)
  expect(await counts(slug)).toEqual({ Patient: 2 })
})
