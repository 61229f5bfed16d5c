import { beforeAll, describe, expect, test } from 'vitest'
import type { Deprecation } from '../../server/contract/http/deprecation.ts'
import { deprecableTables } from '../../server/contract/http/deprecations.ts'
import { mcpToolNames } from '../../server/contract/mcp/tools.ts'
import { createOpenApi } from '../../server/contract/rest/openapi.ts'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { type FhirAnswer, fhirStack } from '../support/fhir.ts'
import { callTool, send } from '../support/mcp.ts'
import { type IssuedKey, type RestAnswer, restStack } from '../support/rest.ts'

/** Of everything, so that a response that forgets the headers is found. The clock of the tests begins on 2026-11-20. */
const ending = (successor?: string): Deprecation => ({
  since: '2026-11-01',
  sunset: '2027-11-01',
  note: 'It is an example of an end.',
  ...(successor && { successor }),
})

const endingAll = (rows: object) => Object.fromEntries(Object.keys(rows).map((name) => [name, ending()]))

/** One operation and the MCP server stay, to compare with. */
const { callMcp: _, getContext: __, ...endingRows } = deprecableTables.rest
const ended = Object.entries<OperationRow>(operations).filter(([id]) => id !== 'getContext')

const deprecations = {
  rest: {
    ...endingAll(endingRows),
    listPatients: ending('listPractitioners'),
    getPatient: ending('getCcda'),
    getPlatformStatus: ending('getPracticeStatus'),
  },
  tools: { search_patients: ending('get_patient') },
  fhir: { everything: ending('ccda'), docref: ending() },
}

const dates = { deprecation: '@1793491200', sunset: 'Mon, 01 Nov 2027 00:00:00 GMT' }
const none = { deprecation: null, sunset: null }
const beyondSunset = 400 * 86_400_000

let reader: IssuedKey
let writer: IssuedKey

const stack = await restStack({ deprecations })
reader = await stack.issueKey()
writer = await stack.issueWriter()

function endOf({ headers }: Pick<RestAnswer | FhirAnswer, 'headers'>) {
  return { deprecation: headers.get('deprecation'), sunset: headers.get('sunset') }
}

const linksOf = ({ headers }: Pick<RestAnswer | FhirAnswer, 'headers'>) =>
  (headers.get('link') ?? '').split(', ').filter(Boolean)

/** Its example, with values in place of its parameters. */
function callOf(row: OperationRow) {
  const { properties = {} } = row.params?.toJSONSchema({ io: 'input' }) ?? {}
  const exampleOf = (name: string) => (properties[name] as { examples?: string[] })?.examples?.[0] ?? 'none'
  return {
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)),
    method: row.method,
    ...(row.bodyExample !== undefined && {
      body: JSON.stringify(row.bodyExample),
      headers: { 'content-type': 'application/json' },
    }),
  }
}

describe('a deprecated operation of the REST API', () => {
  test.each(ended)('%s says so in every response', async (_id, row) => {
    const { path, ...options } = callOf(row)
    const key = row.level === 'full' ? writer.key : reader.key
    const answers = {
      asked: await stack.call(path, { ...options, key }),
      strange: await stack.call(`${path}?no-such=1`, { ...options, key }),
      'without a key': await stack.call(path, { ...options, headers: {} }),
      'with a wrong key': await stack.call(path, { ...options, key: 'svc_wrong' }),
      'with a read-only key': await stack.call(path, { ...options, key: reader.key }),
      'with no body': await stack.call(path, { method: row.method, key }),
    }

    const statuses = new Set(Object.values(answers).map(({ status }) => status))
    expect(statuses.size).toBeGreaterThan(row.level === 'none' ? 0 : 1)
    for (const [name, answer] of Object.entries(answers)) expect(endOf(answer), name).toEqual(dates)
  })

  test('says so in a response that the Fault Lab made', async () => {
    const headers = { 'x-sandbox-fault': '500' }
    const answer = await stack.call('/patients', { key: reader.key, headers })

    expect(answer.headers.get('x-sandbox-fault-injected')).toBeTruthy()
    expect(endOf(answer)).toEqual(dates)
  })

  test('leads to its page, to the policy and to its successor', async () => {
    const { key } = reader
    const list = await stack.call('/patients', { key })
    const head = await stack.call('/patients', { key, method: 'HEAD' })
    const one = await stack.call('/patients/pt-wren-testwell', { key })
    const other = await stack.call('/context', { key })

    expect(linksOf(list)).toEqual([
      '<https://portal.example/docs/reference/rest/listPatients>; rel="deprecation"; type="text/html"',
      '<https://portal.example/docs/versioning>; rel="sunset"; type="text/html"',
      '<https://portal.example/sandbox/api/v1/practitioners>; rel="successor-version"',
    ])
    expect(linksOf(head)).toEqual(linksOf(list))
    expect(linksOf(one).at(-1)).toBe(
      '<https://portal.example/sandbox/api/v1/patients/pt-wren-testwell/ccda>; rel="successor-version"',
    )
    expect([endOf(other), linksOf(other)]).toEqual([none, []])
  })

  test('is marked in the OpenAPI document, with its date, its successor and 410', async () => {
    const { body } = await stack.call('/openapi.json')
    const operation = body.paths['/patients'].get

    expect(operation.deprecated).toBe(true)
    expect(operation.description).toMatch(
      /^Deprecated: ends on November 1, 2027\. It is an example of an end\. Use `listPractitioners` instead\./,
    )
    expect(operation.responses['410']).toBeDefined()
    expect(Object.keys(operation.responses['200'].headers)).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    )
  })

  test('is one only by its row: today no document speaks of an end', () => {
    for (const environment of ['sandbox', 'production'] as const)
      expect(
        JSON.stringify(createOpenApi({ restOrigin: 'https://portal.example', environment })),
      ).not.toMatch(/deprecat|Sunset|"410"/i)
  })
})

describe('the other interfaces', () => {
  test('status: every response, and nothing on a preflight', async () => {
    const ask = (path: string, method = 'GET') => stack.call(path, { base: 'production', method })
    const platform = await ask('/system/status')
    const refused = await ask('/system/practice-status')

    expect([platform.status, refused.status]).toEqual([200, 400])
    for (const answer of [platform, refused]) expect(endOf(answer)).toEqual(dates)
    expect(linksOf(platform).at(-1)).toBe(
      '<https://portal.example/api/v1/system/practice-status>; rel="successor-version"',
    )
    expect(endOf(await ask('/system/status', 'OPTIONS'))).toEqual(none)
  })

  test('MCP: the tool’s description, and the response that calls it', async () => {
    const { key } = reader
    const list = await send(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key })
    const descriptions = new Map<string, string>(
      list.body.result.tools.map((tool: { name: string; description: string }) => [
        tool.name,
        tool.description,
      ]),
    )
    const called = await callTool(stack, 'search_patients', { q: 'testw' }, { key })
    const refused = await callTool(stack, 'search_patients', { nothing: 1 }, { key })
    const other = await callTool(stack, 'get_context', {}, { key })

    expect(descriptions.get('search_patients')).toMatch(
      /^Deprecated: ends on November 1, 2027\. .* Use get_patient instead\. /,
    )
    expect([...descriptions.values()].filter((each) => each.includes('Deprecated'))).toHaveLength(1)
    for (const answer of [called, refused]) expect(endOf(answer)).toEqual(dates)
    expect(refused.result.isError).toBe(true)
    expect(linksOf(called)[0]).toContain('<https://portal.example/docs/mcp>; rel="deprecation"')
    expect(endOf(other).deprecation).toBeNull()
    expect(endOf(list).deprecation).toBeNull()
  })

  test('FHIR: operations, refused or not, and the CapabilityStatement', async () => {
    const fhir = await fhirStack({ services: stack.services })
    const { token } = await fhir.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })
    const path = 'Patient/pt-wren-testwell/$everything'
    const whole = await fhir.call(path, { token })
    const refused = await fhir.call(path)
    const read = await fhir.call('Patient/pt-wren-testwell', { token })
    const metadata = await fhir.call('metadata')
    const patient = metadata.body.rest[0].resource.find(({ type }: { type: string }) => type === 'Patient')

    expect([whole.status, refused.status, read.status]).toEqual([200, 401, 200])
    for (const answer of [whole, refused]) expect(endOf(answer)).toEqual(dates)
    expect(linksOf(whole)).toEqual([
      '<https://portal.example/docs/reference/fhir/operations>; rel="deprecation"; type="text/html"',
      '<https://portal.example/docs/versioning>; rel="sunset"; type="text/html"',
      '<https://portal.example/r4/sandpiper-demonstration/Patient/pt-wren-testwell/$ccda>; rel="successor-version"',
    ])
    expect(whole.headers.get('access-control-expose-headers')).toMatch(/Deprecation.*Link.*Sunset/)
    expect(endOf(read).deprecation).toBeNull()
    expect(patient.operation[0].documentation).toMatch(/^Deprecated: ends on November 1, 2027\./)
  })
})

describe('after the sunset', () => {
  beforeAll(async () => {
    stack.services.advance(beyondSunset)
    reader = await stack.issueKey()
    writer = await stack.issueWriter()
  })

  test.each(ended)('%s is gone for those who may call it, and for nobody else', async (_id, row) => {
    const { path, ...options } = callOf(row)
    const answer = await stack.call(path, {
      ...options,
      key: row.level === 'full' ? writer.key : reader.key,
    })
    const stranger = await stack.call(path, options)

    expect([answer.status, answer.body?.error?.code]).toEqual([410, 'gone'])
    expect(stranger.status).toBe(row.level === 'none' ? 410 : 401)
    for (const each of [answer, stranger]) expect(endOf(each)).toEqual(dates)
  })

  test('a call is in the key’s activity, and in the limit', async () => {
    const { key, id } = await stack.issueKey()
    const answer = await stack.call('/patients', { key })
    // A refusal is written down after it left.
    await stack.services.recorder.flush()
    const { rows } = await stack.services.activityLog.page({ keyId: id, limit: 10 })

    expect(answer.headers.get('ratelimit')).toContain('r=149')
    expect(rows.map(({ route, status }) => [route, status])).toEqual([['/patients', 410]])
  })

  test('the Status API answers 410', async () => {
    const answer = await stack.call('/system/status', { base: 'production' })

    expect([answer.status, answer.body.error.code]).toEqual([410, 'gone'])
    expect(endOf(answer)).toEqual(dates)
  })

  test('a tool is not offered, and called by name it is the tool’s error', async () => {
    const { key } = await stack.issueKey()
    const list = await send(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key })
    const called = await callTool(stack, 'search_patients', { q: 'testw' }, { key })
    const names = list.body.result.tools.map(({ name }: { name: string }) => name)

    expect(names).not.toContain('search_patients')
    expect(names.length).toBeLessThan(mcpToolNames.length)
    expect([called.status, called.result.isError]).toEqual([200, true])
    expect(JSON.parse(called.result.content[0].text).error.code).toBe('gone')
    expect(endOf(called)).toEqual(dates)
  })

  test('FHIR answers 410 with an OperationOutcome', async () => {
    const fhir = await fhirStack({ services: stack.services })
    const { token } = await fhir.issueToken({ audience: 'patient', patientId: 'pt-wren-testwell' })
    const answer = await fhir.call('Patient/pt-wren-testwell/$everything', { token })

    expect(answer.status).toBe(410)
    expect(answer.body.resourceType).toBe('OperationOutcome')
    expect(answer.body.issue[0].code).toBe('not-supported')
    expect(endOf(answer)).toEqual(dates)
  })
})
