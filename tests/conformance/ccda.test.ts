/** The CCD of everybody in the cast, and of charts that are odd: valid by HL7's own schema and by the rules of its templates. */
import { join } from 'node:path'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { beforeAll, expect, test } from 'vitest'
import { type Ccd, wholeOf } from '../../server/ccd/ccd.ts'
import { ccdaRoot } from '../../server/contract/ccda-sections.ts'
import { rootDir } from '../../server/root-dir.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { documentRules, templateRules } from '../support/ccda-rules.ts'
import { oddChart } from '../support/odd-chart.ts'
import { type TestServices, testServices } from '../support/services.ts'

const namespaces = {
  cda: 'urn:hl7-org:v3',
  sdtc: 'urn:hl7-org:sdtc',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
}

let services: TestServices
let validator: XsdValidator
let practice: { slug: string; name: string; datasetId: number }
let patientIds: string[]
/** Templates of all documents that were checked. */
const used = new Set<string>()

beforeAll(async () => {
  services = await testServices()
  xmlRegisterFsInputProviders()
  const folder = join(rootDir, 'tests/conformance/facts/ccda-xsd')
  const schema = join(folder, 'CDA_SDTC.xsd')
  validator = XsdValidator.fromDoc(
    XmlDocument.fromString(
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:hl7-org:v3" targetNamespace="urn:hl7-org:v3"><xs:include schemaLocation="${schema}"/></xs:schema>`,
      { url: join(folder, 'whole.xsd') },
    ),
  )
  practice = await services.prisma.practice.findUniqueOrThrow({
    where: { slug: 'sandpiper-demonstration' },
    select: { slug: true, name: true, datasetId: true },
  })
  patientIds = []
  for await (const text of services.store.readAll(practice.datasetId, 'Patient')) {
    patientIds.push(JSON.parse(text).id)
  }
})

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
    const told = new Set(document.find('//@ID', namespaces).map((each) => each.content))
    for (const { content } of document.find('//cda:reference/@value', namespaces)) {
      if (!told.has(content.slice(1))) faults.push(`${content} leads nowhere`)
    }
    return faults
  } finally {
    document.dispose()
  }
}

test('every document of the cast is valid by the schema and by the rules of its templates', async () => {
  const faults: Record<string, string[]> = {}
  for (const patientId of patientIds) {
    const xml = await wholeOf((await documentOf(patientId)).xml())
    const wrong = faultsOf(xml)
    if (wrong.length > 0) faults[patientId] = wrong
  }

  expect(faults).toEqual({})
  expect(patientIds.length).toBeGreaterThan(15)
}, 60_000)

test('the rules find what is wrong', async () => {
  const xml = await wholeOf((await documentOf('pt-wren-testwell')).xml())

  expect(faultsOf(xml.replace('<realmCode code="US"/>', ''))).not.toEqual([])
  expect(faultsOf(xml.replace(/<statusCode[^>]*>/, ''))).not.toEqual([])
  expect(faultsOf(xml.replace(/(<reference value="#)/, '$1nowhere-'))).not.toEqual([])
  expect(faultsOf(xml.replace(/<doseQuantity[^>]*>/, ''))).not.toEqual([])
})

test('a document is the same until its chart is another, and then has another id', async () => {
  const [one, other] = [await documentOf('pt-wren-testwell'), await documentOf('pt-wren-testwell')]

  expect(await wholeOf(one.xml())).toBe(await wholeOf(other.xml()))
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
    const xml = await wholeOf(ccd.xml())
    const wrong = faultsOf(xml)
    if (wrong.length > 0) faults[patientId] = wrong
    all += xml
    const page = await wholeOf(ccd.html())
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

test('no rule of the table is idle, and no template of the documents is without one', () => {
  const ruled = new Set(templateRules.map(([, template]) => `${ccdaRoot}.${template}`))
  const without = ['2.16.840.1.113883.10.20.15.3.8', `${ccdaRoot}.4.87`, `${ccdaRoot}.4.89`]

  expect([...used].filter((root) => !ruled.has(root) && !without.includes(root))).toEqual([])
  expect([...ruled].filter((root) => !used.has(root))).toEqual([])
})
