/** Promises swept over the table of tools: every tool × every caller and record that it must refuse. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { problems } from '../../server/contract/http/problems.ts'
import {
  type McpToolName,
  type McpToolRow,
  mcpIdSources,
  mcpToolNames,
  mcpTools,
} from '../../server/contract/mcp/tools.ts'
import { masked } from '../support/masked.ts'
import { callTool, send, toolExamples } from '../support/mcp.ts'
import { type IssuedKey, restStack } from '../support/rest.ts'

const rows: [McpToolName, McpToolRow][] = mcpToolNames.map((name) => [name, mcpTools[name]])
const writes = rows.filter(([, { writes: isWrite }]) => isWrite)
const idNames = ['patientId', 'documentId'] as const
const withId = rows.filter(([, { input }]) => idNames.some((name) => name in input.shape))

const stack = await restStack()
const writer = await stack.issueWriter({ mcpWrites: true })
const other = await stack.issueWriter({ mcpWrites: true })
const patient = await callTool(stack, 'create_patient', await example('create_patient'), { key: other.key })
const { id: patientId } = patient.result.structuredContent.data
const document = await callTool(
  stack,
  'register_document',
  { ...(await example('register_document')), patientId },
  { key: other.key },
)
const others = { patientId, documentId: document.result.structuredContent.data.id }

function example(name: McpToolName): Promise<Record<string, unknown>> {
  return toolExamples(stack, writer.datasetId)[name]()
}

async function lastRow(correlationId: string) {
  await stack.services.recorder.flush()
  const { rows: found } = await stack.services.pool.query(
    `SELECT a.method, a.route, a.status, a.refusal, a.key_id AS "keyId", p.action, p.resource_type AS type,
       p.patient_id AS "patientId", p.outcome, p.count, p.purpose
     FROM log.activity a LEFT JOIN log.phi_audit p USING (correlation_id) WHERE correlation_id = $1`,
    [correlationId],
  )
  expect(found).toHaveLength(1)
  return found[0]
}

const envelope = (kind: keyof typeof problems, message: string = problems[kind].message) =>
  JSON.stringify({ error: { code: problems[kind].restCode, message, correlationId: 'masked' } })

describe.each(rows)('%s', (name, row) => {
  test('is in the activity of the key and in the record of access, with the patient it was about', async () => {
    const args = await example(name)

    const answer = await callTool(stack, name, args, {
      key: writer.key,
      headers: { 'x-purpose': 'treatment' },
    })

    expect(answer.status).toBe(200)
    const { data, correlationId } = answer.result.structuredContent
    expect(answer.headers.get('x-correlation-id')).toBe(correlationId)
    const logged = await lastRow(correlationId)
    expect(logged).toMatchObject({
      method: 'POST',
      route: `/mcp tools/call ${name}`,
      status: row.writes ? 201 : 200,
      refusal: null,
      keyId: writer.id,
      action: row.access.action,
      type: row.access.resourceType,
      outcome: 'served',
      purpose: 'treatment',
    })
    if ('patientId' in args) expect(logged.patientId).toBe(args.patientId)
    if (name === 'create_patient') expect(logged.patientId).toBe(data.id)
    if (row.phi) expect(logged.count).toBeGreaterThan(0)
  })

  test('knows no other argument, and names it', async () => {
    const args = { ...(await example(name)), wholePractice: true }

    const { result } = await callTool(stack, name, args, { key: writer.key })

    expect(result.isError).toBe(true)
    expect(masked(result.content[0].text)).toBe(envelope('validation', 'Unknown field: wholePractice.'))
  })

  test('answers a key that ended since its last request with the 401 of every dead key', async () => {
    const { key, id } = await stack.issueKey({ level: 'full', mcpWrites: true })
    expect((await callTool(stack, 'get_context', {}, { key })).status).toBe(200)
    await stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } })

    const answer = await callTool(stack, name, await example(name), { key })

    expect(answer.status).toBe(401)
    expect(masked(answer.text)).toBe(envelope('unauthorized'))
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(await lastRow(answer.body.error.correlationId)).toMatchObject({
      status: 401,
      refusal: 'key_revoked',
      route: `/mcp tools/call ${name}`,
    })
  })
})

describe.each(writes)('%s', (name, { operationId }) => {
  test('is refused to a read-only key before anything about its arguments, and the refusal is logged', async () => {
    const { key, id } = await stack.issueKey()
    const before = await count()

    const answers = await Promise.all(
      [await example(name), {}].map((args) => callTool(stack, name, args, { key })),
    )

    for (const { status, result } of answers) {
      expect(status).toBe(200)
      expect(result.isError).toBe(true)
      expect(masked(result.content[0].text)).toBe(envelope('read_only'))
      const { correlationId } = JSON.parse(result.content[0].text).error
      expect(await lastRow(correlationId)).toMatchObject({
        route: `/mcp tools/call ${name}`,
        status: 403,
        refusal: 'read_only',
        keyId: id,
        outcome: 'refused',
      })
    }
    expect(await count()).toBe(before)
  })

  test('is refused to a full key whose switch is off, and works from the next call on once it is on', async () => {
    const { key, id } = await stack.issueWriter()
    const args = await example(name)
    const refused = await callTool(stack, name, args, { key })
    await turn(id, true)

    const made = await callTool(stack, name, args, { key })
    await turn(id, false)
    const again = await callTool(stack, name, { ...args, idempotencyKey: randomUUID() }, { key })

    expect(masked(refused.result.content[0].text)).toBe(envelope('mcp_writes_off'))
    expect(made.result.isError).toBeUndefined()
    expect(masked(again.result.content[0].text)).toBe(envelope('mcp_writes_off'))
  })

  test('makes one record however often the same call comes, also at the REST door', async () => {
    const args = await example(name)
    const [first, second] = await Promise.all([
      callTool(stack, name, args, { key: writer.key }),
      callTool(stack, name, args, { key: writer.key }),
    ])
    const { idempotencyKey, ...body } = args
    const path = { createPatient: '/patients', createEncounter: '/encounters', createDocument: '/documents' }[
      operationId as 'createPatient'
    ]
    const third = await stack.post(path, body, {
      key: writer.key,
      headers: { 'idempotency-key': String(idempotencyKey) },
    })

    expect(second.result.structuredContent.data).toEqual(first.result.structuredContent.data)
    expect(third.body).toEqual(first.result.structuredContent.data)
  })
})

describe.each(withId)('%s', (name, { input, writes: isWrite }) => {
  test('answers about another practice’s record as about none, byte for byte', async () => {
    for (const idName of idNames.filter((each) => each in input.shape)) {
      const args = await example(name)
      const there = await callTool(stack, name, { ...args, [idName]: others[idName] }, { key: writer.key })
      const nowhere = await callTool(stack, name, { ...args, [idName]: randomUUID() }, { key: writer.key })

      const message = `${idName}: there is no such record in this practice.`
      expect(masked(there.text)).toBe(masked(nowhere.text))
      expect(masked(there.result.content[0].text)).toBe(
        isWrite ? envelope('validation', message) : envelope('not_found'),
      )
      const { correlationId } = JSON.parse(there.result.content[0].text).error
      expect(await lastRow(correlationId)).toMatchObject({ patientId: null, outcome: 'refused' })
    }
  })
})

const withIds = rows.flatMap(([name, { input }]) => {
  const ids = Object.keys(input.shape).filter((argument) => argument.endsWith('Id'))
  return ids.length === 0 ? [] : [[name, ids] as const]
})

describe.each(withIds)('%s', (name, ids) => {
  test('takes every id from the output of a tool that its description names', async () => {
    const args = await example(name)
    for (const id of ids) {
      const source = mcpIdSources[id]
      if (source === undefined) throw new Error(`no tool gives ${id}`)
      expect(mcpTools[name].input.shape[id as never], id).toHaveProperty(
        'description',
        expect.stringContaining(source.tool),
      )
      const { tool, field } = source
      const { result } = await callTool(stack, tool, { ...(await example(tool)), limit: 50 }, writerKey())
      const items: Record<string, string | string[]>[] = result.structuredContent.data
      const given = items.flatMap((item) => item[field] ?? [])
      expect(given.length, `${tool} gives ${field}`).toBeGreaterThan(0)
      args[id] = id === 'patientId' ? given.find((each) => each === args.patientId) : given[0]
      expect(args[id], `${id} in ${tool}`).toBeDefined()
    }

    const { result } = await callTool(stack, name, args, writerKey())

    expect(result.isError, result.content[0].text).toBeUndefined()
  })
})

function writerKey() {
  return { key: writer.key }
}

test('a key is unknown at the other base', async () => {
  const answer = await send(
    stack,
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { key: writer.key, base: 'production' },
  )

  expect(answer.status).toBe(401)
  expect(masked(answer.text)).toBe(envelope('unauthorized'))
})

test('two keys that call at once with the same message id each get their own practice', async () => {
  const other = await stack.issueWriter()
  const keys = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? writer.key : other.key))
  const alone = await Promise.all(
    [writer.key, other.key].map((key) => callTool(stack, 'get_context', {}, { key })),
  )
  const [own, others] = alone.map(({ result }) => result.structuredContent.data)

  const together = await Promise.all(keys.map((key) => callTool(stack, 'get_context', {}, { key })))

  expect(own).not.toEqual(others)
  expect(together.map(({ result }) => result.structuredContent.data)).toEqual(
    keys.map((key) => (key === writer.key ? own : others)),
  )
})

async function turn(id: IssuedKey['id'], mcpWrites: boolean): Promise<void> {
  await stack.services.prisma.apiKey.update({
    where: { id },
    data: { mcpWrites, version: { increment: 1 } },
  })
}

async function count(): Promise<number> {
  const { rows: found } = await stack.services.pool.query('SELECT count(*)::int AS n FROM clinical.resource')
  return found[0].n
}
