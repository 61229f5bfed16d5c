/** The CCD of everybody in the cast, and of charts that are odd: valid by HL7's own schema and by the rules of its templates. */
import { join } from 'node:path'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { expect, test } from 'vitest'
import { type Ccd, wholeOf } from '../../server/ccd/ccd.ts'
import { ccdaRoot } from '../../server/contract/fhir/ccda-sections.ts'
import { rootDir } from '../../server/root-dir.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { documentRules, templateRules } from '../support/ccda-rules.ts'
import { oddChart } from '../support/odd-chart.ts'
import { testServices } from '../support/services.ts'
import { longTest, slice } from '../support/slice.ts'

const namespaces = {
  cda: 'urn:hl7-org:v3',
  sdtc: 'urn:hl7-org:sdtc',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
}

/** Templates of all documents that were checked. */
const used = new Set<string>()

const services = await testServices()
xmlRegisterFsInputProviders()
const folder = join(rootDir, 'tests/conformance/facts/ccda-xsd')
const schema = join(folder, 'CDA_SDTC.xsd')
const validator = XsdValidator.fromDoc(
  XmlDocument.fromString(
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:hl7-org:v3" targetNamespace="urn:hl7-org:v3"><xs:include schemaLocation="${schema}"/></xs:schema>`,
    { url: join(folder, 'whole.xsd') },
  ),
)
const practice = await services.prisma.practice.findUniqueOrThrow({
  where: { slug: 'sandpiper-demonstration' },
  select: { slug: true, name: true, datasetId: true },
})
const patientIds: string[] = []
for await (const text of services.store.readAll(practice.datasetId, 'Patient')) {
  patientIds.push(JSON.parse(text).id)
}

async function documentOf(patientId: string, of = practice): Promise<Ccd> {
  const { ccd } = await services.ccd.open(of, patientId, noLiveness)
  if (ccd === null) throw new Error(`no document of ${patientId}`)
  return ccd
}

/** What is wrong with a document; nothing when it is valid. */
function faultsOf(xml: string): string[] {
  const document = XmlDocument.fromBuffer(Buffer.from(xml))
  for (const [, root = ''] of xml.matchAll(/templateId root="([\d.]+)"/g)) used.add(root)
  try {
    const faults: string[] = []
    try {
      validator.validate(document)
    } catch (thrown) {
      faults.push(`schema: ${(thrown as Error).message}`)
    }
    for (const [element, template, ...expressions] of templateRules) {
      const carriers = `//cda:${element}[cda:templateId/@root='${ccdaRoot}.${template}']`
      for (const expression of expressions) {
        const wrong = document.eval(`count(${carriers}[not(${expression})])`, namespaces)
        if (wrong !== 0) faults.push(`${template}: ${wrong} × not ${expression}`)
      }
    }
    for (const rule of documentRules) if (document.eval(rule, namespaces) !== true) faults.push(rule)
    const ids = new Set(document.find('//@ID', namespaces).map((each) => each.content))
    for (const { content } of document.find('//cda:reference/@value', namespaces)) {
      if (!ids.has(content.slice(1))) faults.push(`${content} leads nowhere`)
    }
    return faults
  } finally {
    document.dispose()
  }
}

test('every document of the cast is valid by the schema and by the rules of its templates', async () => {
  const faults: Record<string, string[]> = {}
  for (const patientId of slice(patientIds, 5)) {
    const xml = await wholeOf(await (await documentOf(patientId)).xml())
    const wrong = faultsOf(xml)
    if (wrong.length > 0) faults[patientId] = wrong
  }

  expect(faults).toEqual({})
  expect(patientIds.length).toBeGreaterThan(15)
}, 60_000)

test('a document is the same until its chart is another, and then has another id', async () => {
  const [one, other] = [await documentOf('pt-wren-testwell'), await documentOf('pt-wren-testwell')]

  expect(await wholeOf(await one.xml())).toBe(await wholeOf(await other.xml()))
  expect((await documentOf('pt-otis-samplewood')).id).not.toBe(one.id)
})

test('charts of odd and missing things have valid documents, without what was entered in error', async () => {
  const { store } = services
  const datasetId = await store.datasets.create({ name: 'odd', kind: 'practice', source: 'test' })
  const charts = oddChart()
  await store.write(datasetId, charts as Resource[], { liveness: noLiveness })
  const odd = { slug: 'odd', name: 'Odd & <Practice>', datasetId }
  const ids = charts.flatMap(({ resourceType, id }) => (resourceType === 'Patient' ? [id] : []))
  const faults: Record<string, string[]> = {}
  let all = ''
  for (const patientId of ids) {
    const ccd = await documentOf(patientId, odd)
    const xml = await wholeOf(await ccd.xml())
    const wrong = faultsOf(xml)
    if (wrong.length > 0) faults[patientId] = wrong
    all += xml
    const page = await wholeOf(await ccd.html())
    expect(page).not.toMatch(/<script|<img/i)
    expect(page).not.toContain('Never true')
  }

  expect(faults).toEqual({})
  expect(all).not.toContain('Never true')
  // Of another's chart, only their own.
  expect(all.match(/<family>Somebody Else/g)).toHaveLength(1)
  expect(all).toContain('Odd &amp; &lt;Practice&gt;')
  expect(all).toContain('🐦')
  expect(all).toContain('a\ufffdb')
  expect(all).toContain('line one<br/>line two')
  expect(all).toContain('<confidentialityCode code="R"')
})

/** The section with this title of a document of its own, as cells of its rows. */
function rowsOf(xml: string, title: string): string[][] {
  const document = XmlDocument.fromBuffer(Buffer.from(xml))
  try {
    return document
      .find(`//cda:section[cda:title='${title}']/cda:text//cda:tbody/cda:tr`, namespaces)
      .map((row) => row.find('cda:td', namespaces).map((cell) => cell.content))
  } finally {
    document.dispose()
  }
}

/** The document of a chart that is this test's alone. */
async function documentOfChart(name: string, resources: object[]): Promise<string> {
  const datasetId = await services.store.datasets.create({ name, kind: 'practice', source: 'test' })
  const patient = { resourceType: 'Patient', id: 'p' }
  await services.store.write(datasetId, [patient, ...resources] as Resource[], { liveness: noLiveness })
  return wholeOf(await (await documentOf('p', { slug: name, name, datasetId })).xml())
}

const subject = { reference: 'Patient/p' }

test('each prescription of the cast has one row, with what was dispensed of it inside its entry', async () => {
  const requests = new Map<string, number>()
  const dispenses = new Map<string, number>()
  for (const [type, counts] of [
    ['MedicationRequest', requests],
    ['MedicationDispense', dispenses],
  ] as const) {
    for await (const text of services.store.readAll(practice.datasetId, type)) {
      const { reference } = JSON.parse(text).subject
      counts.set(reference, (counts.get(reference) ?? 0) + 1)
    }
  }
  expect(dispenses.size).toBeGreaterThan(5)

  for (const [reference, count] of requests) {
    const xml = await wholeOf(await (await documentOf(reference.replace('Patient/', ''))).xml())
    expect([reference, rowsOf(xml, 'Medications').length]).toEqual([reference, count])
    expect([
      reference,
      xml.match(/<supply classCode="SPLY" moodCode="EVN"><templateId root="[\d.]+\.4\.18"/g)?.length ?? 0,
    ]).toEqual([reference, dispenses.get(reference) ?? 0])
  }
}, 60_000)

test('a dispense is inside the prescription that it names, else inside the one of its medicine, else of its own', async () => {
  const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm'
  const medicine = (code: string, text: string) => ({
    medicationCodeableConcept: { coding: [{ system: rxnorm, code }], text },
  })
  const inhaler = medicine('745679', 'Albuterol inhaler')
  const request = (id: string, authoredOn: string, more: object) => ({
    resourceType: 'MedicationRequest',
    id,
    subject,
    status: 'active',
    intent: 'order',
    authoredOn,
    ...more,
  })
  const fill = (id: string, whenHandedOver: string, more: object) => ({
    resourceType: 'MedicationDispense',
    id,
    subject,
    status: 'completed',
    whenHandedOver,
    quantity: { value: 1, unit: 'inhaler' },
    ...more,
  })
  const of = (id: string) => ({ authorizingPrescription: [{ reference: `MedicationRequest/${id}` }] })
  const tablets = medicine('860975', 'Metformin')
  const xml = await documentOfChart('fills', [
    request('new', '2026-02-01', inhaler),
    request('old', '2025-02-01', { ...inhaler, status: 'completed' }),
    request('brand', '2026-03-01', medicine('1', 'Brand')),
    fill('named-1', '2026-02-01T12:00:00-05:00', { ...inhaler, ...of('new') }),
    fill('named-2', '2026-05-01T12:00:00-04:00', { ...inhaler, ...of('new') }),
    fill('declined', '2026-06-01', { ...inhaler, ...of('new'), status: 'declined' }),
    fill('by-code', '2025-03', inhaler),
    fill('of-elsewhere', '2025-06-01', { ...inhaler, ...of('nowhere') }),
    fill('generic', '2026-03-02', { ...medicine('2', 'Generic'), ...of('brand') }),
    fill('alone-1', '2026-04-01', tablets),
    fill('alone-2', '2026-07-01', tablets),
    fill('unknown-1', '2026-01-01', {}),
    fill('unknown-2', '2026-01-01', { status: 'in-progress' }),
  ])

  expect(faultsOf(xml)).toEqual([])
  const rows = rowsOf(xml, 'Medications').map((cells) => [cells[0], cells[3], cells[4], cells[5]])
  expect(rows.slice(0, 4)).toEqual([
    ['Brand', 'active', '2026-03-01', '2026-03-02, 1 inhaler, Generic'],
    ['Albuterol inhaler', 'active', '2026-02-01', '2026-05-01 12:00, 1 inhaler'],
    ['Albuterol inhaler', 'completed', '2025-02-01', '2025-06-01, 1 inhaler'],
    ['Metformin', 'dispensed, completed', '2026-04-01', '2026-07-01, 1 inhaler'],
  ])
  expect(rows.slice(4).sort()).toEqual([
    ['', 'dispensed, completed', '2026-01-01', '2026-01-01, 1 inhaler'],
    ['', 'dispensed, in-progress', '2026-01-01', '2026-01-01, 1 inhaler, in-progress'],
  ])
  const entries = xml.split(
    '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.16"',
  )
  const fills = entries
    .slice(1)
    .map((each) =>
      [
        ...each.matchAll(
          /<supply .*?<statusCode (?:code|nullFlavor)="(\w+)"\/><effectiveTime value="(\d{4,8})/g,
        ),
      ].map(([, status, day]) => `${day} ${status}`),
    )
  expect(fills.slice(0, 4)).toEqual([
    ['20260302 completed'],
    ['20260601 aborted', '20260501 completed', '20260201 completed'],
    ['20250601 completed', '202503 completed'],
    ['20260701 completed', '20260401 completed'],
  ])
  expect(fills.slice(4).sort()).toEqual([['20260101 UNK'], ['20260101 completed']])
})

test('the narrative says when a diagnosis of a visit, a problem and an allergy began, whichever way it is known', async () => {
  const encounter = { reference: 'Encounter/e' }
  const condition = (id: string, category: string, more: object) => ({
    resourceType: 'Condition',
    id,
    subject,
    category: [{ coding: [{ code: category }] }],
    code: { text: id },
    ...more,
  })
  const xml = await documentOfChart('onsets', [
    { resourceType: 'Encounter', id: 'e', subject, status: 'finished', class: { code: 'AMB' } },
    condition('dated', 'encounter-diagnosis', {
      encounter,
      onsetDateTime: '2026-01-02',
      abatementDateTime: '2026-01-09',
    }),
    condition('open', 'encounter-diagnosis', { encounter, onsetPeriod: { start: '2025' } }),
    condition('none', 'encounter-diagnosis', { encounter }),
    condition('aged', 'problem-list-item', { onsetAge: { value: 42, unit: 'years' } }),
    condition('worded', 'health-concern', { onsetString: 'as a child', abatementString: 'when moved' }),
    {
      resourceType: 'AllergyIntolerance',
      id: 'a',
      patient: subject,
      code: { text: 'Pollen' },
      onsetRange: { low: { value: 5, unit: 'years' }, high: { value: 6, unit: 'years' } },
      recordedDate: '2020-01-01',
    },
  ])

  expect(faultsOf(xml)).toEqual([])
  for (const text of ['dated (since 2026-01-02, until 2026-01-09)', 'open (since 2025)', 'none<'])
    expect(xml).toContain(text)
  expect(rowsOf(xml, 'Problems')).toEqual([['aged', '', 'age 42 years', '']])
  expect(rowsOf(xml, 'Health concerns')).toEqual([['worded', '', 'as a child', 'when moved']])
  expect(rowsOf(xml, 'Allergies and intolerances')[0]?.at(-1)).toBe('age 5 years to 6 years')
})

longTest('no rule of the table is idle, and no template of the documents is without one', () => {
  const ruled = new Set(templateRules.map(([, template]) => `${ccdaRoot}.${template}`))
  const without = ['2.16.840.1.113883.10.20.15.3.8', `${ccdaRoot}.4.87`, `${ccdaRoot}.4.89`]

  expect([...used].filter((root) => !ruled.has(root) && !without.includes(root))).toEqual([])
  expect([...ruled].filter((root) => !used.has(root))).toEqual([])
})
