/**
 * Promises swept over the classes of data: every operation and tool × a key with this class alone × a key without it. What a
 * narrowed key gets equals what a whole key gets, without the resources and fields of the classes it lacks.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ccdaSectionClass,
  classesOf,
  operationNeeds,
  patientFieldClass,
  toolNeeds,
} from '../../server/contract/keys/class-coverage.ts'
import { summaryFieldClass } from '../../server/contract/keys/class-fields.ts'
import { type DataClass, dataClassNames } from '../../server/contract/keys/data-classes.ts'
import { missingClasses } from '../../server/contract/keys/key-access.ts'
import { type McpToolName, mcpToolNames, mcpTools } from '../../server/contract/mcp/tools.ts'
import { purposeNames } from '../../server/contract/rest/purposes.ts'
import { masked } from '../support/masked.ts'
import { callTool, send, toolExamples } from '../support/mcp.ts'
import { restStack } from '../support/rest.ts'

type Reference = { reference: string; documentId?: string }

/** Its chart has resources of each class, specially protected ones among them. */
const patientId = 'pt-otis-samplewood'
const unknownId = 'pt-nobody-known'
const lists = [
  'search_observations',
  'list_medications',
  'list_encounters',
  'list_conditions',
  'list_allergies',
  'list_immunizations',
  'list_procedures',
  'list_documents',
] as const satisfies readonly McpToolName[]

/** No test is to meet a limit of the one before. */
beforeEach(() => stack.services.advance(60_000))

const keyOf = async (classes: readonly DataClass[], mcpWrites = false) => {
  const access = { classes, purposes: purposeNames }
  return (await stack.issueKey({ access, mcpWrites, level: mcpWrites ? 'full' : 'read_only' })).key
}

const stack = await restStack()
const whole = (await stack.issueKey()).key
const { rows } = await stack.services.database.ownerPool.query<{ content: string }>(
  `SELECT r.content FROM clinical.resource r JOIN portal.practice p ON p.dataset_id = r.dataset_id
    WHERE p.slug = 'sandpiper-demonstration' AND NOT r.deleted`,
)
const classesByReference = new Map(
  rows.map(({ content }) => {
    const resource = JSON.parse(content)
    return [`${resource.resourceType}/${resource.id}`, classesOf(resource)]
  }),
)
const everything = {} as Record<(typeof lists)[number], Reference[]>
for (const name of lists) everything[name] = (await allOf(name, whole)).items

/** Page by page, a few at a time. */
async function allOf(name: McpToolName, key: string): Promise<{ items: Reference[]; total: number | null }> {
  const items: Reference[] = []
  let total: number | null = null
  for (let cursor: string | null = null; ; ) {
    const args = { patientId, limit: 50, ...(cursor !== null && { cursor }) }
    const { result } = await callTool(stack, name, args, { key })
    const { data, page } = result.structuredContent
    items.push(...data)
    total = page.total
    cursor = page.nextCursor
    if (cursor === null) return { items, total }
  }
}

const isOpen = (reference: string, classes: readonly DataClass[]) =>
  (classesByReference.get(reference) ?? []).every((each) => classes.includes(each))

const others = (left: DataClass) => dataClassNames.filter((each) => each !== left)
const keys: [string, readonly DataClass[]][] = dataClassNames.flatMap((dataClass) => [
  [`${dataClass} alone`, [dataClass]],
  [`all but ${dataClass}`, others(dataClass)],
])

test('the chart has something of each class', () => {
  const found = new Set([...classesByReference.values()].flat())
  // Every document of the cast is a clinical note.
  const elsewhere: readonly DataClass[] = ['demographics', 'identifiers', 'documents']
  const ofCharts = dataClassNames.filter((each) => !elsewhere.includes(each))
  expect([...found]).toEqual(expect.arrayContaining(ofCharts))
})

describe.each(keys)('a key with %s', (_name, classes) => {
  const access = { classes, purposes: purposeNames }
  let key: string

  beforeAll(async () => {
    key = await keyOf(classes, true)
  })

  test('lists through MCP what it may read, in the same order, with totals and pages of that alone', async () => {
    for (const name of lists) {
      if (missingClasses(access, toolNeeds[name]).length > 0) continue
      const wanted = everything[name].filter(({ reference }) => isOpen(reference, classes))
      const { items, total } = await allOf(name, key)
      expect(items.map(({ reference }) => reference)).toEqual(wanted.map(({ reference }) => reference))
      expect(total).toBe(wanted.length)
    }
  })

  test('is refused every other operation and tool, with the class and the same bytes for any patient', async () => {
    for (const [operationId, path] of [
      ['listPatients', '/patients?limit=1'],
      ['getPatient', '/patients/{id}'],
      ['getCcda', '/patients/{id}/ccda'],
    ] as const) {
      const missing = missingClasses(access, operationNeeds[operationId])
      if (missing.length === 0) continue
      const [one, other] = await Promise.all(
        [patientId, unknownId].map((id) => stack.call(path.replace('{id}', id), { key })),
      )
      expect(one?.status).toBe(403)
      expect(one?.body.error.code).toBe('forbidden')
      for (const each of missing) expect(one?.body.error.message).toContain(each)
      expect(masked(one?.text ?? '')).toBe(masked(other?.text ?? ''))
    }
    const examples = toolExamples(stack, 0)
    for (const name of mcpToolNames) {
      const missing = missingClasses(access, toolNeeds[name])
      if (missing.length === 0) continue
      const args = name === 'get_document_text' ? { documentId: 'unknown' } : await examples[name]()
      const { result } = await callTool(stack, name, args, { key })
      expect(result.isError).toBe(true)
      for (const each of missing) expect(result.content[0].text).toContain(each)
    }
  })

  test('finds in tools/list what it may call, and nothing else', async () => {
    const { body } = await send(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key })
    const wanted = mcpToolNames.filter((name) => missingClasses(access, toolNeeds[name]).length === 0)
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(wanted)
  })

  test('gets patients without the fields of classes it lacks, and cannot ask by them', async () => {
    if (missingClasses(access, operationNeeds.getPatient).length > 0) return
    const open = ([field]: [string, unknown]) => {
      const dataClass = (patientFieldClass as Record<string, DataClass>)[field]
      return dataClass === undefined || classes.includes(dataClass)
    }
    const narrowed = (record: object) => Object.fromEntries(Object.entries(record).filter(open))
    const [full, found] = await Promise.all(
      [whole, key].map((each) => stack.call(`/patients/${patientId}`, { key: each })),
    )
    expect(found?.body).toEqual(narrowed(full?.body))
    const { body: all } = await stack.call('/patients?limit=100', { key: whole })
    const { body: list } = await stack.call('/patients?limit=100', { key })
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
    const wanted: { id: string }[] = all.data.map(narrowed)
    expect(list.data).toEqual(classes.includes('demographics') ? wanted : wanted.sort(byId))
    for (const [query, dataClass] of [
      ['q=samplewood', 'demographics'],
      ['dob=1971', 'demographics'],
      ['mrn=SYN-004217', 'identifiers'],
    ] as const) {
      const answer = await stack.call(`/patients?${query}`, { key })
      expect(answer.status).toBe(classes.includes(dataClass) ? 200 : 403)
    }
  })

  test('gets a CCD of the sections it may read, which names nothing of the others', async () => {
    if (!classes.includes('documents')) return
    const { status, text } = await stack.call(`/patients/${patientId}/ccda`, { key })
    expect(status).toBe(200)
    const references = [...text.matchAll(/extension="([A-Za-z]+\/[A-Za-z0-9.-]+)/g)].map(
      ([, each]) => each ?? '',
    )
    expect(references.filter((each) => !isOpen(each, classes))).toEqual([])
    const masks = text.split('<section nullFlavor="MSK"').length - 1
    expect(masks).toBe(Object.values(ccdaSectionClass).filter((each) => !classes.includes(each)).length)
    expect(text.includes('Samplewood')).toBe(classes.includes('demographics'))
  })

  test('gets a summary that says what is left out', async () => {
    if (missingClasses(access, toolNeeds.get_patient_summary).length > 0) return
    const { result } = await callTool(stack, 'get_patient_summary', { patientId }, { key })
    const { data } = result.structuredContent
    for (const [field, dataClass] of Object.entries(summaryFieldClass))
      expect(field in data).toBe(classes.includes(dataClass))
    const lacking = [...new Set(Object.values(summaryFieldClass))].filter((each) => !classes.includes(each))
    expect(data.withheld).toEqual(lacking)
  })
})

test('a number finds nobody for a key that may read names alone', async () => {
  const key = await keyOf(['demographics'])
  const { body } = await stack.call('/patients?q=SYN', { key })
  const { body: byName } = await stack.call('/patients?q=samplew', { key })
  expect(body.data).toEqual([])
  expect(byName.data.length).toBeGreaterThan(0)
})

test.each(purposeNames)(
  'a key with the purpose %s alone has it by default, and no other',
  async (purpose) => {
    const access = { classes: dataClassNames, purposes: [purpose] }
    const { key } = await stack.issueKey({ access })
    const silent = await stack.call(`/patients/${patientId}`, { key })
    expect(silent.status).toBe(200)
    for (const other of purposeNames.filter((each) => each !== purpose)) {
      const headers = { 'x-purpose': other }
      for (const id of [patientId, unknownId]) {
        const refused = await stack.call(`/patients/${id}`, { key, headers })
        expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
        expect(refused.body.error.message).toContain(purpose)
      }
      expect((await callTool(stack, 'get_patient', { patientId }, { key, headers })).status).toBe(403)
    }
    await stack.services.recorder.flush()
    const { rows } = await stack.services.pool.query(
      `SELECT DISTINCT p.purpose, a.refusal FROM log.activity a JOIN log.phi_audit p USING (correlation_id)
      JOIN portal.api_key k ON k.id = a.key_id WHERE k.prefix = $1 ORDER BY 2 NULLS FIRST, 1`,
      [key.slice(0, 12)],
    )
    expect(rows[0]).toEqual({ purpose, refusal: null })
    expect(rows.slice(1).every(({ refusal }) => refusal === 'purpose_not_allowed')).toBe(true)
  },
)

test('a key with several purposes and not the default must name one', async () => {
  const access = { classes: dataClassNames, purposes: ['treatment', 'payment'] as const }
  const { key } = await stack.issueKey({ access })
  const silent = await stack.call(`/patients/${patientId}`, { key })
  const named = await stack.call(`/patients/${patientId}`, { key, headers: { 'x-purpose': 'payment' } })
  expect([silent.status, named.status]).toEqual([403, 200])
  expect(silent.body.error.message).toContain('treatment, payment')
})

test('narrowing holds at the next request in another process, and begins when it is to begin', async () => {
  const other = await restStack()
  const { key, id } = await other.issueKey()
  const { services } = other
  expect((await other.call(`/patients/${patientId}`, { key })).body.name).toBeDefined()
  const narrow = (narrowedFrom: Date) =>
    services.prisma.apiKey.update({
      where: { id },
      data: {
        dataClasses: ['identifiers'],
        purposes: [...purposeNames],
        narrowedFrom,
        version: { increment: 1 },
      },
    })
  await narrow(new Date(services.clock().getTime() + 60_000))
  expect((await other.call(`/patients/${patientId}`, { key })).body.name).toBeDefined()
  await narrow(services.clock())
  const { body } = await other.call(`/patients/${patientId}`, { key })
  expect(Object.keys(body).sort()).toEqual(['active', 'id', 'lastUpdated', 'mrn'])
  const context = await other.call('/context', { key })
  expect(context.body.principal.dataClasses).toEqual(['identifiers'])
  expect(mcpTools.get_context.phi).toBe(false)
})
