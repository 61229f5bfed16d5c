/**
 * Promises about patients whom a practice withholds: to every key, app and system they look like patients it does not have,
 * by every operation, tool and interaction, from the next request on in every process, until it ends.
 */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { fhirOperations } from '../../server/contract/fhir/operations.ts'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { dataClassNames } from '../../server/contract/keys/data-classes.ts'
import { mcpToolNames, mcpTools } from '../../server/contract/mcp/tools.ts'
import { purposeNames } from '../../server/contract/rest/purposes.ts'
import { entriesOf, matchesOf } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'
import { callTool, toolExamples } from '../support/mcp.ts'
import { slice } from '../support/slice.ts'
import { withheldStack } from '../support/withheld.ts'

/** Its chart has resources of each class, specially protected ones among them. */
const patientId = 'pt-otis-samplewood'
/** As long, and nobody's. */
const unknownId = 'pt-nobody-samplewd'
const types = Object.keys(fhirRegistry) as FhirType[]
const chartTypes = types.filter((type) => fhirRegistry[type].compartment !== null)

beforeEach(() => stack.services.advance(60_000))

/** Requests whose answers name many patients, with everybody in them. */
const wide = {
  fhir: [
    'Patient?_id=pt-wren-testwell&_revinclude=Provenance:target',
    'Observation?patient=pt-wren-testwell&_count=50',
    'Group',
    'Group/gr-all-patients',
    'Practitioner?_count=50',
    'Organization?_count=50',
    'Location?_count=50',
    'Medication?_count=50',
  ],
  rest: [
    '/patients?limit=100',
    '/patients?q=samplewood',
    '/patients?q=syn',
    '/patients?dob=1971',
    '/context',
  ],
}

async function collectWide(): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const path of wide.fhir) {
    const pages = await stack.fhir.collect(path, { token: backend })
    const entries = pages.flatMap((page) => (page.body.entry ? entriesOf(page) : [page.body]))
    answers.set(path, JSON.stringify([pages[0]?.body.total, entries]))
  }
  for (const path of wide.rest) answers.set(path, (await stack.rest.call(path, { key })).text)
  return answers
}

const stack = await withheldStack()
const key = (await stack.rest.issueKey({ level: 'full', mcpWrites: true })).key
const expiresAt = new Date(stack.services.clock().getTime() + 86_400_000)
const backend = (await stack.fhir.issueToken({ audience: 'backend', expiresAt })).token
const { rows } = await stack.services.pool.query<{ content: string }>(
  `SELECT r.content FROM clinical.resource r JOIN portal.practice p ON p.dataset_id = r.dataset_id
    WHERE p.id = $1 AND r.patient_id = $2 AND NOT r.deleted`,
  [stack.practiceId, patientId],
)
const chart = rows.map(({ content }) => {
  const { resourceType, id } = JSON.parse(content)
  return `${resourceType}/${id}`
})
const before = await collectWide()
const end = await stack.withhold(patientId)

test('the chart has resources of every type of a chart that the sandbox has', () => {
  expect(chart.length).toBeGreaterThan(100)
  expect(chart).toContain(`Patient/${patientId}`)
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('FHIR', () => {
  test.each(chartTypes)(
    '%s: whatever is asked of the chart, the answer is that of nobody’s',
    async (type) => {
      const ids = chart.filter((each) => each.startsWith(`${type}/`)).map((each) => each.split('/')[1] ?? '')
      const searchOf = (id: string) => `${type}?${type === 'Patient' ? '_id' : 'patient'}=${id}`
      const operationsOf = (id: string, own: string) =>
        Object.values(fhirOperations)
          .filter((each) => each.type === type)
          .map(({ name, level }) =>
            level === 'instance' ? `${type}/${own}/$${name}` : `${type}/$${name}?patient=${id}`,
          )
      const asks = (id: string, own: string) => [
        `${type}/${own}`,
        searchOf(id),
        `${searchOf(id)}&_count=1`,
        `${searchOf(id)}&_lastUpdated=ge2000`,
        ...fhirRegistry[type].revIncludes.map((each) => `${searchOf(id)}&_revinclude=${each}`),
        ...fhirRegistry[type].includes.map((each) => `${searchOf(id)}&_include=${each}`),
        ...operationsOf(id, own),
      ]
      for (const own of slice(ids.slice(0, 3), 1).concat(type === 'Patient' ? patientId : [])) {
        const [of, nobodys] = [
          asks(patientId, own),
          asks(unknownId, type === 'Patient' ? unknownId : randomUUID()),
        ]
        for (const [at, path] of of.entries()) {
          stack.services.advance(1_000)
          const other = nobodys[at] ?? ''
          const [hidden, none] = [
            await stack.fhir.call(path, { token: backend }),
            await stack.fhir.call(other, { token: backend }),
          ]
          expect(hidden.status, path).toBe(none.status)
          expect([200, 400, 404], path).toContain(hidden.status)
          const said = (text: string) =>
            masked(text.replaceAll(patientId, 'ID').replaceAll(unknownId, 'ID')).replace(
              /"(?:lastUpdated|timestamp)":"[^"]*"/g,
              '',
            )
          expect(said(hidden.text), path).toBe(said(none.text))
          expect([...hidden.headers.keys()]).toEqual([...none.headers.keys()])
        }
        const posted = await stack.fhir.call(`${type}/_search`, {
          token: backend,
          method: 'POST',
          headers: form,
          body: searchOf(patientId).split('?')[1] ?? '',
        })
        if (posted.status === 200) expect(posted.body.total).toBe(0)
      }
    },
  )

  test('every resource of the chart is 404 by its id', async () => {
    for (const reference of chart) {
      stack.services.advance(1_000)
      expect((await stack.fhir.call(reference, { token: backend })).status, reference).toBe(404)
    }
  })

  test('lists, totals, pages and the Group are those without it', async () => {
    for (const path of wide.fhir) {
      const pages = await stack.fhir.collect(path, { token: backend })
      const found = pages.flatMap((page) => (page.body.entry ? entriesOf(page) : [page.body]))
      expect(JSON.stringify(found), path).not.toContain(patientId)
      // A search is about one patient, so that the lists are of others, or of what belongs to nobody.
      if (!path.startsWith('Group'))
        expect(JSON.stringify([pages[0]?.body.total, found]), path).toBe(before.get(path))
    }
    const [, [group]] = JSON.parse(before.get('Group/gr-all-patients') ?? '')
    expect(JSON.stringify(group)).toContain(patientId)
    const now = await stack.fhir.call('Group/gr-all-patients', { token: backend })
    expect(now.body.quantity).toBe(group.quantity - 1)
    expect(now.body.member).toHaveLength(group.member.length - 1)
  })

  test('the patient’s own app and a clinician’s app find nothing either', async () => {
    const own = await stack.fhir.issueToken({ audience: 'clinician', patientId: 'pt-wren-testwell' })
    for (const path of [`Patient/${patientId}`, `Patient/${patientId}/$everything`])
      expect((await stack.fhir.call(path, { token: own.token })).status).toBe(404)
    const found = await stack.fhir.call('Patient?name=otis', { token: own.token })
    expect(matchesOf(found)).not.toContain(`Patient/${patientId}`)
  })
})

const nobody = (text: string) =>
  masked(text)
    .replaceAll(patientId, 'ID')
    .replaceAll(unknownId, 'ID')
    .replace(/"asOf":"[^"]*"/g, '')

describe('REST and MCP', () => {
  const access = [
    ['a whole key', undefined],
    ...dataClassNames.map(
      (each) => [`a key of ${each}`, { classes: [each], purposes: purposeNames }] as const,
    ),
  ] as const

  test.each(slice(access, 3))('%s gets for it what it gets for nobody', async (_name, narrowed) => {
    const { key: own } = await stack.rest.issueKey({
      level: 'full',
      mcpWrites: true,
      ...(narrowed && { access: narrowed }),
    })
    for (const purpose of purposeNames)
      for (const path of ['/patients/{id}', '/patients/{id}/ccda']) {
        stack.services.advance(1_000)
        const headers = { 'x-purpose': purpose }
        const [hidden, none] = await Promise.all(
          [patientId, unknownId].map((id) =>
            stack.rest.call(path.replace('{id}', id), { key: own, headers }),
          ),
        )
        expect(hidden?.status).toBe(none?.status)
        expect([403, 404]).toContain(hidden?.status)
        expect(nobody(hidden?.text ?? '')).toBe(nobody(none?.text ?? ''))
      }
    const examples = toolExamples(stack.rest, 0)
    for (const name of mcpToolNames) {
      stack.services.advance(1_000)
      const example = name === 'get_document_text' ? { documentId: 'unknown' } : await examples[name]()
      if (!('patientId' in example)) continue
      for (const purpose of purposeNames) {
        stack.services.advance(1_000)
        const options = { key: own, headers: { 'x-purpose': purpose } }
        const [hidden, none] = await Promise.all(
          [patientId, unknownId].map((id) =>
            callTool(stack.rest, name, { ...example, patientId: id }, options),
          ),
        )
        expect(nobody(hidden?.text ?? ''), `${name} for ${purpose}`).toBe(nobody(none?.text ?? ''))
      }
      expect(mcpTools[name]).toBeDefined()
    }
  })

  test('lists and searches are those without it, in the same order, with their totals', async () => {
    for (const path of wide.rest.filter((each) => each.startsWith('/patients'))) {
      expect((await stack.rest.call(path, { key })).status, path).toBe(200)
      const was = JSON.parse(before.get(path) ?? '')
      const now = (await stack.rest.call(path, { key })).body
      const others = was.data.filter(({ id }: { id: string }) => id !== patientId)
      expect(now.data, path).toEqual(others)
      const left = was.data.length - others.length
      const totalOf = (body: { page?: { total?: number } }) => body.page?.total
      if (totalOf(was) !== undefined) expect(totalOf(now), path).toBe((totalOf(was) ?? 0) - left)
    }
    const { rows } = await stack.services.pool.query<{ value: string }>(
      `SELECT i.value FROM clinical.identifier i JOIN portal.practice p ON -p.dataset_id = i.dataset_id
        WHERE p.id = $1 AND i.id = $2 AND i.system LIKE '%mrn%'`,
      [stack.practiceId, patientId],
    )
    for (const { value } of rows)
      expect((await stack.rest.call(`/patients?mrn=${value}`, { key })).body.data).toEqual([])
  })

  test('a document of it is nobody’s', async () => {
    const reference = chart.find((each) => each.startsWith('DocumentReference/')) ?? ''
    const asked = (documentId: string) => callTool(stack.rest, 'get_document_text', { documentId }, { key })
    const [hidden, none] = [await asked(reference.split('/')[1] ?? ''), await asked('dr-nobody')]
    expect(hidden.result.isError).toBe(true)
    expect(nobody(hidden.text)).toBe(nobody(none.text))
  })
})

test('the store is asked the same statements as about nobody, so that time tells nothing', async () => {
  const asked = async (work: () => Promise<unknown>) => {
    stack.services.advance(1_000)
    const names: string[] = []
    // What belongs to no practice is looked at every few seconds, whoever asks.
    const stop = stack.services.store.onStatement(({ name, datasetId }) => {
      if (datasetId !== 0) names.push(`${name} ${datasetId}`)
    })
    await work()
    stop()
    return names
  }
  const everyWay = (id: string): (() => Promise<unknown>)[] => [
    () => stack.rest.call(`/patients/${id}`, { key }),
    () => stack.rest.call(`/patients/${id}/ccda`, { key }),
    () => callTool(stack.rest, 'get_patient_summary', { patientId: id }, { key }),
    () => callTool(stack.rest, 'search_observations', { patientId: id }, { key }),
    () => stack.fhir.call(`Patient/${id}`, { token: backend }),
    () => stack.fhir.call(`Patient/${id}/$everything`, { token: backend }),
    () => stack.fhir.call(`Observation?patient=${id}&_include=Observation:subject`, { token: backend }),
    () => stack.fhir.call(`DocumentReference/$docref?patient=${id}`, { token: backend }),
  ]
  const none = everyWay(unknownId)
  for (const [at, hidden] of everyWay(patientId).entries()) {
    // A statement gets its name at its second use.
    await asked(hidden)
    const names = await asked(hidden)
    expect(names.length).toBeGreaterThan(0)
    expect(names).toEqual(await asked(none[at] ?? hidden))
  }
})

test('its end gives back the same bytes as before', async () => {
  await end()
  const after = await collectWide()
  for (const [path, text] of before) if (path !== '/context') expect(after.get(path), path).toBe(text)
  for (const reference of chart.slice(0, 20))
    expect((await stack.fhir.call(reference, { token: backend })).status).toBe(200)
})
