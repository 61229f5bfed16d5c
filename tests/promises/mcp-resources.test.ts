/** Resources and prompts of the MCP server: what they return, to whom, and what is recorded. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { problems } from '../../server/contract/http/problems.ts'
import { findResource, mcpPrompts } from '../../server/contract/mcp/resources.ts'
import { untrustedNotice } from '../../server/contract/mcp/tools.ts'
import { masked } from '../support/masked.ts'
import { callTool, connect, send } from '../support/mcp.ts'
import { type CallOptions, restStack } from '../support/rest.ts'

const wren = 'pt-wren-testwell'
const summaryOf = (id: string) => `sandpiper://patients/${id}/summary`
const method = { read: 'resources/read', get: 'prompts/get' } as const

const stack = await restStack()
const issued = await stack.issueWriter()
const key = issued.key
const keyId = issued.id
const client = await connect(stack, key)
const other = await stack.issueWriter()
const made = await stack.post(
  '/patients',
  { name: { family: 'Testwell', given: ['Ada'] }, birthDate: '1980-01-01', sex: 'female' },
  { key: other.key },
)
const strangerId = made.body.id

function ask(name: string, params: object, options: CallOptions = { key }) {
  return send(stack, { jsonrpc: '2.0', id: 1, method: name, params }, options)
}

/** Each way to a summary, as one message. */
const ways: [string, string, (id: string) => object][] = [
  [method.read, 'patient_summary', (id) => ({ uri: summaryOf(id) })],
  [method.get, 'summarize_patient', (patientId) => ({ name: 'summarize_patient', arguments: { patientId } })],
]

async function rowsOf(correlationId: string | null) {
  await stack.services.recorder.flush()
  const { rows } = await stack.services.pool.query(
    `SELECT a.route, a.status, a.refusal, a.key_id AS "keyId", p.action, p.resource_type AS type,
       p.patient_id AS "patientId", p.outcome, p.count, p.purpose
     FROM log.activity a LEFT JOIN log.phi_audit p USING (correlation_id) WHERE correlation_id = $1`,
    [correlationId],
  )
  return rows
}

describe('a client of the protocol', () => {
  test('is offered resources, templates and prompts, and no patient in a list', async () => {
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const { prompts } = await client.listPrompts()

    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} })
    expect(resources.map(({ uri }) => uri)).toEqual(['sandpiper://context'])
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'sandpiper://patients/{patientId}/summary',
    ])
    expect(prompts).toMatchObject([
      { name: 'summarize_patient', arguments: [{ name: 'patientId', required: true }] },
    ])
    for (const each of [...resources, ...resourceTemplates, ...prompts]) {
      expect(each.title).toBeTruthy()
      expect(each.description).toBeTruthy()
    }
  })

  test('reads the same summary as the tool returns, marked in the same way', async () => {
    const { contents } = await client.readResource({ uri: summaryOf(wren) })
    const tool = await callTool(stack, 'get_patient_summary', { patientId: wren }, { key })

    expect(contents).toHaveLength(1)
    expect(contents[0]).toMatchObject({ uri: summaryOf(wren), mimeType: 'application/json' })
    const text = String((contents[0] as { text?: string }).text)
    expect(masked(text)).toBe(masked(tool.result.content[0].text))
    expect(JSON.parse(text).notice).toBe(untrustedNotice)
  })

  test('gets a prompt with the summary in it, and none of the chart in the instructions', async () => {
    const { messages } = await client.getPrompt({ name: 'summarize_patient', arguments: { patientId: wren } })

    const [instructions, attached] = messages.map(({ content }) => content)
    expect(instructions).toEqual({ type: 'text', text: mcpPrompts.summarize_patient.text })
    expect(attached).toMatchObject({
      type: 'resource',
      resource: { uri: summaryOf(wren), mimeType: 'application/json' },
    })
    const { data, notice } = JSON.parse((attached as unknown as { resource: { text: string } }).resource.text)
    expect(data.name).toBe('Wren Testwell')
    expect(notice).toBe(untrustedNotice)
  })
})

describe.each(ways)('%s', (name, label, params) => {
  test('is in the activity of the key and in the record of access, with the patient', async () => {
    const answer = await ask(name, params(wren), { key, headers: { 'x-purpose': 'treatment' } })

    expect(answer.status).toBe(200)
    expect(answer.body.error).toBeUndefined()
    expect(await rowsOf(answer.headers.get('x-correlation-id'))).toEqual([
      {
        route: `/mcp ${name} ${label}`,
        status: 200,
        refusal: null,
        keyId,
        action: 'summary',
        type: 'Patient',
        patientId: wren,
        outcome: 'served',
        purpose: 'treatment',
        count: expect.any(Number),
      },
    ])
  })

  test('answers about another practice’s patient as about none, byte for byte', async () => {
    const there = await ask(name, params(strangerId))
    const nowhere = await ask(name, params(randomUUID()))

    expect(masked(there.text)).toBe(masked(nowhere.text))
    expect(there.status).toBe(200)
    const correlationId = there.headers.get('x-correlation-id')
    expect(there.body.error).toEqual({
      code: -32002,
      message: problems.not_found.message,
      data: { code: 'not_found', message: problems.not_found.message, correlationId },
    })
    expect(await rowsOf(correlationId)).toMatchObject([
      { route: `/mcp ${name} ${label}`, status: 404, patientId: null, outcome: 'refused' },
    ])
  })

  test('is refused to a revoked key and to no key, as every request is', async () => {
    const { key: dead, id } = await stack.issueKey()
    expect((await ask('ping', {}, { key: dead })).status).toBe(200)
    await stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } })

    const revoked = await ask(name, params(wren), { key: dead })
    const nobody = await ask(name, params(wren), {})

    expect([revoked.status, nobody.status]).toEqual([401, 401])
    expect(revoked.body.error.code).toBe('unauthorized')
    expect((await rowsOf(revoked.body.error.correlationId))[0]).toMatchObject({
      status: 401,
      refusal: 'key_revoked',
    })
  })

  test('counts against the limits, each one of a batch, with a row for each', async () => {
    const { key: busy } = await stack.issueKey()
    await Promise.all(Array.from({ length: 147 }, () => stack.call('/nowhere', { key: busy })))

    const batch = await send(
      stack,
      Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: name, params: params(wren) })),
      { key: busy },
    )

    const refused = batch.body.filter((each: { error?: object }) => each.error)
    expect(refused).toHaveLength(2)
    expect(refused[0].error).toMatchObject({
      code: -32003,
      data: { code: 'rate_limited', retryAfterSeconds: 1 },
    })
    await stack.services.recorder.flush()
    for (const table of ['activity', 'phi_audit']) {
      const { rows } = await stack.services.pool.query(
        `SELECT count(*)::int AS n FROM log.${table} WHERE correlation_id = $1`,
        [batch.headers.get('x-correlation-id')],
      )
      expect(rows, table).toEqual([{ n: 5 }])
    }
    stack.services.advance(1_000)
  })
})

describe('what is asked wrongly', () => {
  test.each<[string, string, object, number]>([
    ['a resource without a uri', method.read, {}, -32602],
    ['a uri that is a number', method.read, { uri: 7 }, -32602],
    ['a resource that is not there', method.read, { uri: 'sandpiper://patients' }, -32002],
    ['a template as it is written', method.read, { uri: summaryOf('{patientId}') }, -32002],
    ['an id that cannot be one', method.read, { uri: summaryOf('a%20b') }, -32002],
    ['an id that is too long', method.read, { uri: summaryOf('a'.repeat(65)) }, -32002],
    ['a uri with a line after it', method.read, { uri: `${summaryOf(wren)}\n` }, -32002],
    ['a uri of a book’s length', method.read, { uri: summaryOf('a'.repeat(500_000)) }, -32002],
    ['an address of the web', method.read, { uri: 'https://elsewhere.example/' }, -32002],
    ['a file of the machine', method.read, { uri: 'file:///etc/passwd' }, -32002],
    ['a prompt without a name', method.get, {}, -32602],
    ['a prompt of every object', method.get, { name: '__proto__' }, -32602],
    ['a prompt without its argument', method.get, { name: 'summarize_patient' }, -32602],
    [
      'a prompt with an id that cannot be one',
      method.get,
      { name: 'summarize_patient', arguments: { patientId: 'a b' } },
      -32602,
    ],
    [
      'a prompt with an argument that it does not have',
      method.get,
      { name: 'summarize_patient', arguments: { patientId: wren, maxTokens: '900' } },
      -32602,
    ],
    ['a second page of resources', 'resources/list', { cursor: 'x' }, -32602],
    ['a second page of templates', 'resources/templates/list', { cursor: 'x' }, -32602],
    ['a second page of prompts', 'prompts/list', { cursor: 'x' }, -32602],
    ['a subscription', 'resources/subscribe', { uri: summaryOf(wren) }, -32601],
  ])('%s gets its own error and one row', async (_what, name, params, code) => {
    const answer = await ask(name, params)

    expect(answer.status).toBe(200)
    expect(answer.body.error.code).toBe(code)
    expect(answer.body.error.data.correlationId).toBe(answer.headers.get('x-correlation-id'))
    expect(answer.text.length).toBeLessThan(500)
    expect(await rowsOf(answer.headers.get('x-correlation-id'))).toMatchObject([
      { status: 400, patientId: null },
    ])
  })

  test('an address has one spelling', () => {
    expect(findResource(summaryOf(wren))).toEqual({ name: 'patient_summary', args: { patientId: wren } })
    expect(findResource(`${summaryOf(wren)}/`)).toBeNull()
    expect(findResource(`${summaryOf(wren)}?maxTokens=1`)).toBeNull()
  })
})
