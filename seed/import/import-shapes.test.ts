/** Shapes in which other programs write R4 resources. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { examplePatient } from '../../tests/support/example-resources.ts'
import { createImportFixture, observation } from '../../tests/support/import-fixture.ts'
import { createRejectsFile } from './report.ts'

const fixture = createImportFixture()
const { practice, file, bundle, ndjson, load, text, counts } = fixture

beforeAll(() => fixture.open())

const entry = (fullUrl: string, resource: object) => ({
  fullUrl,
  resource,
  request: { method: 'POST', url: 'x' },
})

test('a byte order mark, CRLF, empty lines and a last line without an end are taken as they are', async () => {
  const slug = await practice()
  const lines = [examplePatient({ id: 'a', family: 'Testwell' }), observation('ob-1', 'Patient/a')]

  const { reasons } = await load(slug, [
    file('marked.ndjson', `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n\r\n')}`),
    file('marked.json', `\uFEFF${JSON.stringify(observation('ob-2', 'Patient/a'))}`),
  ])

  expect(reasons).toEqual([])
  expect(await counts(slug)).toEqual({ Patient: 2, Observation: 2 })
})

test.each(['transaction', 'batch', 'collection', 'searchset', 'document'])(
  'a %s Bundle gives its entries, contained resources with them',
  async (type) => {
    const slug = await practice()
    const contained = [{ resourceType: 'Practitioner', id: 'who', name: [{ family: 'Inside' }] }]
    const performer = [{ reference: '#who' }]

    const { reasons } = await load(slug, [
      bundle(
        type,
        entry('https://elsewhere.example/fhir/Patient/a', examplePatient({ id: 'a', family: 'Testwell' })),
        entry(
          'urn:uuid:1',
          observation('ob-1', 'https://elsewhere.example/fhir/Patient/a/_history/3', {
            contained,
            performer,
          }),
        ),
        { search: { mode: 'outcome' } },
      ),
    ])

    expect(reasons).toEqual(['3: no resourceType'])
    expect(JSON.parse(await text(slug, 'Observation', 'ob-1'))).toMatchObject({
      subject: { reference: 'Patient/a' },
      contained,
      performer,
    })
  },
)

test('a person whose name nobody could read is rejected, with the reason', async () => {
  const slug = await practice()
  const people = [
    examplePatient({ id: 'a', family: 'Testwell' }),
    examplePatient({ id: 'b', family: '\u200b' }),
    { resourceType: 'Practitioner', id: 'c', name: [{ family: 'Placeholder' }, { given: ['In\u00ades'] }] },
    { resourceType: 'RelatedPerson', id: 'd', patient: { reference: 'Patient/a' }, name: [{ text: '- -' }] },
    examplePatient({ id: 'e', family: 'Samplewood "O\\\\Mock" {}' }),
  ]

  const { reasons } = await load(slug, [
    file('names.ndjson', people.map((each) => JSON.stringify(each)).join('\n')),
  ])

  expect(reasons).toEqual([
    '2: name: control or invisible characters',
    '3: name: control or invisible characters',
    '4: name: neither letters nor digits',
  ])
  expect(await counts(slug)).toEqual({ Patient: 3 })
})

test('a urn:uuid means the entry of its own Bundle, whatever other Bundles call theirs', async () => {
  const slug = await practice()
  const chart = (patient: string) =>
    bundle(
      'transaction',
      entry('urn:uuid:patient', examplePatient({ id: patient, family: patient })),
      entry('urn:uuid:observation', observation(`ob-${patient}`, 'urn:uuid:patient')),
    )

  const { reasons } = await load(slug, [chart('a'), chart('b')])

  expect(reasons).toEqual([])
  for (const patient of ['a', 'b']) {
    const { subject } = JSON.parse(await text(slug, 'Observation', `ob-${patient}`))
    expect(subject.reference).toBe(`Patient/${patient}`)
  }
})

test('references to types that are not stored are left out, and what else is said stays', async () => {
  const slug = await practice()
  const path = bundle(
    'transaction',
    entry('urn:uuid:p', examplePatient({ id: 'a', family: 'Testwell' })),
    entry('urn:uuid:c', { resourceType: 'Claim', id: 'cl-1', patient: { reference: 'urn:uuid:p' } }),
    entry('urn:uuid:e', {
      resourceType: 'Encounter',
      id: 'en-1',
      status: 'finished',
      subject: { reference: 'urn:uuid:p' },
      appointment: [{ reference: 'Appointment/7', display: 'Monday' }],
      account: [{ reference: 'Account?identifier=x|1' }],
    }),
    entry('urn:uuid:v', {
      resourceType: 'Provenance',
      id: 'pv-1',
      target: ['p', 'c', 'e'].map((each) => ({ reference: `urn:uuid:${each}` })),
    }),
  )

  const { report, reasons } = await load(slug, [path])

  expect(reasons).toEqual(['2: unknown type Claim'])
  expect(report.types).toMatchObject({
    Claim: { imported: 0, rejected: 1 },
    Encounter: { imported: 1, trimmed: 1 },
    Provenance: { imported: 1, trimmed: 1 },
    Patient: { imported: 1, trimmed: 0 },
  })
  expect(JSON.parse(await text(slug, 'Provenance', 'pv-1')).target).toEqual([
    { reference: 'Patient/a' },
    { reference: 'Encounter/en-1' },
  ])
  expect(JSON.parse(await text(slug, 'Encounter', 'en-1'))).toMatchObject({
    appointment: [{ type: 'Appointment', display: 'Monday' }],
    account: [{ type: 'Account' }],
  })
})

test('a file that breaks off is said to be broken, and nothing of the load is stored', async () => {
  const slug = await practice()
  const good = ndjson(examplePatient({ id: 'a', family: 'Testwell' }))
  const packed = gzipSync(JSON.stringify(examplePatient({ id: 'b', family: 'Testwell' })))

  await expect(load(slug, [good, file('half.ndjson.gz', packed.subarray(0, 60))])).rejects.toThrow(
    /half.ndjson.gz cannot be read/,
  )
  await expect(load(slug, ['/nowhere/at/all'])).rejects.toThrow('ENOENT')

  expect(await counts(slug)).toEqual({ Patient: 1 })
})

test('bad lines are kept for their owner alone, with file, line, reason and text; without any there is no file', async () => {
  const slug = await practice()
  const bad = '{"resourceType":"Claim","id":"x"}'
  const path = file('bad.ndjson', `${bad}\n${'x'.repeat(1_100_000)}\n`)
  const out = file('rejects.ndjson', '')
  const rejects = createRejectsFile(out)

  const { rejected } = await load(slug, [path])
  for (const each of rejected) rejects.write(each)
  rejects.close()

  expect(
    readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { file: path, line: 1, reason: 'unknown type Claim', text: bad },
    { file: path, line: 2, reason: 'over 1 MB', text: null },
  ])
  expect(statSync(out).mode & 0o777).toBe(0o600)
  createRejectsFile(out).close()
  expect(existsSync(out)).toBe(false)
  expect(() => createRejectsFile('/nowhere/at/all')).toThrow('ENOENT')
})
