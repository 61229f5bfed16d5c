import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { noLiveness } from '../../server/store/liveness.ts'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { createImportFixture, observation } from '../../tests/support/import-fixture.ts'

const fixture = createImportFixture()
const { practice, file, ndjson, load, datasetOf, text, counts } = fixture
const { database, store } = await fixture.open()

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
  expect(report.types.Encounter).toMatchObject({ imported: 1, renamed: 1, repeated: 0, rejected: 0 })
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
    '6: refers to nothing: Patient/nobody',
    '7: refers to nothing: Observation/ob-1',
    '8: refers to nothing: Provenance/pv-1',
    '9: over 1 MB',
  ])
  expect(await counts(slug)).toEqual({ Patient: 2, Observation: 1 })
  expect(report.types.Observation).toMatchObject({ imported: 1, renamed: 0, repeated: 1, rejected: 3 })
  expect(report.types.Claim).toMatchObject({ imported: 0, rejected: 1 })
  expect(report.types.Provenance).toMatchObject({ imported: 0, rejected: 2 })
})

test('what refers to a line that is refused is refused with it, in whatever order they come', async () => {
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

test.each([
  ['not JSON', '{"resourceType":'],
  ['no resourceType', '{"id":"x"}'],
  ['unknown type Claim', '{"resourceType":"Claim","id":"x"}'],
  ['refers to nothing: Patient/nobody', JSON.stringify(observation('ob-1', 'Patient/nobody'))],
  [
    'over 1 MB',
    JSON.stringify(observation('ob-1', 'Patient/new', { note: [{ text: 'x'.repeat(1_100_000) }] })),
  ],
  ['another resource of this id came before', '{"resourceType":"Patient","id":"new"}'],
  [
    'A code, identifier or system is longer',
    JSON.stringify(observation('ob-1', 'Patient/new', { code: { coding: [{ code: 'c'.repeat(300) }] } })),
  ],
])('strict, a line that is bad (%s) ends the import with nothing stored', async (reason, line) => {
  const slug = await practice()
  const good = JSON.stringify(examplePatient({ id: 'new', family: 'Testwell' }))
  const path = file('strict.ndjson', [good, line, good].join('\n'))

  await expect(load(slug, [path], { strict: true })).rejects.toThrow(`2: ${reason}`)

  expect(await counts(slug)).toEqual({ Patient: 1 })
  expect((await load(slug, [path])).report.types.Patient).toMatchObject({ imported: 1 })
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

test('files that overlap with earlier ones bring what is new, and double nobody', async () => {
  const slug = await practice()
  const taken = examplePatient({ id: 'pt-1', family: 'Other' })
  const patient = examplePatient({ id: 'new', family: 'Testwell' })
  await load(slug, [ndjson(taken, patient, practitioner, observation('ob-1', 'Patient/pt-1'))])
  const before = JSON.parse(await text(slug, 'Observation', 'ob-1')).subject.reference

  const { report, reasons } = await load(slug, [
    ndjson(patient, taken, observation('ob-2', 'Patient/pt-1'), {
      resourceType: 'Encounter',
      id: 'en-1',
      status: 'finished',
      subject: { reference: 'Patient/new' },
      participant: [
        { individual: { reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|9999999999' } },
      ],
    }),
    ndjson(observation('ob-1', 'Patient/pt-1', { status: 'amended' }), observation('ob-3', 'Patient/new')),
  ])

  expect(reasons).toEqual([])
  expect(report.types).toMatchObject({
    Patient: { imported: 0, repeated: 2 },
    Observation: { imported: 2, updated: 1, repeated: 0 },
  })
  expect(await counts(slug)).toEqual({ Patient: 3, Observation: 3, Practitioner: 1, Encounter: 1 })
  expect(before).toMatch(/^Patient\/im-/)
  expect(JSON.parse(await text(slug, 'Observation', 'ob-2')).subject.reference).toBe(before)
  expect(JSON.parse(await text(slug, 'Observation', 'ob-1'))).toMatchObject({
    status: 'amended',
    meta: { versionId: '2' },
    subject: { reference: before },
  })
  expect(JSON.parse(await text(slug, 'Encounter', 'en-1')).participant[0].individual.reference).toBe(
    'Practitioner/pr-1',
  )
})

test('what was changed or deleted here since it was imported is not overwritten, nor brought back', async () => {
  const slug = await practice()
  const patient = (family: string) => examplePatient({ id: 'new', family })
  await load(slug, [
    ndjson(
      patient('First'),
      examplePatient({ id: 'gone', family: 'Gone' }),
      observation('ob-1', 'Patient/gone'),
    ),
  ])
  const datasetId = await datasetOf(slug)
  await store.write(datasetId, [patient('Ours')], { liveness: noLiveness })
  await store.deletePatient(datasetId, 'gone')

  const { reasons } = await load(slug, [
    ndjson(
      patient('Second'),
      examplePatient({ id: 'gone', family: 'Back' }),
      observation('ob-2', 'Patient/gone'),
      observation('ob-3', 'Patient/new'),
    ),
  ])

  expect(reasons.sort()).toEqual([
    '1: was changed here since it was imported',
    '2: was deleted here',
    '3: refers to nothing: Patient/gone',
  ])
  expect(await text(slug, 'Patient', 'new')).toContain('Ours')
  expect(await counts(slug)).toEqual({ Patient: 2, Observation: 1 })
})

test('writes to the practice while it is loaded stay, and the practice is served all the time', async () => {
  const slug = await practice()
  const datasetId = await datasetOf(slug)
  const many = Array.from({ length: 1_600 }, (_, at) =>
    examplePatient({ id: `many-${at}`, family: 'Testwell' }),
  )
  const written: string[] = []
  let isWriting = Promise.resolve()
  const stop = store.onStatement(({ name }) => {
    if (name !== 'copy:clinical.resource') return
    const id = `ours-${written.length}`
    written.push(id)
    isWriting = isWriting.then(async () => {
      await store.write(datasetId, [examplePatient({ id, family: 'Ours' })], { liveness: noLiveness })
    })
  })

  await load(slug, [ndjson(...many)])
  stop()
  await isWriting

  expect(written.length).toBeGreaterThan(2)
  for (const id of written) expect(await text(slug, 'Patient', id)).toContain('Ours')
  expect(await counts(slug)).toEqual({ Patient: 1_601 + written.length })
})

test('an import whose practice is given other data meanwhile says so', async () => {
  const slug = await practice()
  const stop = store.onStatement(({ name }) => {
    if (name !== 'copy:clinical.resource') return
    stop()
    void replace()
  })
  let isReplaced: Promise<unknown> = Promise.resolve()
  const replace = () => {
    isReplaced = store.datasets
      .create({ name: 'other', kind: 'practice', source: 'test' })
      .then((datasetId) => database.prisma.practice.update({ where: { slug }, data: { datasetId } }))
    return isReplaced
  }
  const many = Array.from({ length: 1_600 }, (_, at) =>
    examplePatient({ id: `many-${at}`, family: 'Testwell' }),
  )

  await expect(load(slug, [ndjson(...many)])).rejects.toThrow('run the import again')
  await isReplaced
})

test('an import into data that many share goes to a copy, killed or not, and all who share it get it', async () => {
  const slug = await practice()
  const shared = await store.datasets.create({ name: slug, kind: 'template', source: 'test' })
  await store.datasets.markReady(shared)
  const old = await datasetOf(slug)
  await database.prisma.practice.update({ where: { slug }, data: { datasetId: shared, purpose: 'template' } })
  await store.datasets.remove(old)
  const sharer = await practice()
  await database.prisma.practice.update({ where: { slug: sharer }, data: { datasetId: shared } })
  const killed = await store.datasets.copy(shared, {
    name: slug,
    kind: 'template',
    state: 'loading',
    source: `copy of dataset ${shared} with an import`,
  })

  await load(slug, [ndjson(examplePatient({ id: 'new', family: 'Testwell' }))])

  expect(await datasetOf(slug)).toBe(killed)
  expect(await datasetOf(sharer)).toBe(killed)
  expect(await counts(sharer)).toEqual({ Patient: 1 })
  expect(await store.datasets.find(shared)).toBeNull()
  await expect(
    store.write(killed, [examplePatient({ id: 'x', family: 'No' })], { liveness: noLiveness }),
  ).rejects.toMatchObject({ kind: 'forbidden' })
})
