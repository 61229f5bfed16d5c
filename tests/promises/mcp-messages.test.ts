/** What is sent to the MCP server besides good calls: each wrong thing has its own answer, in the right words. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problems } from '../../server/contract/http/problems.ts'
import { masked } from '../support/masked.ts'
import { callTool, send } from '../support/mcp.ts'
import { restStack } from '../support/rest.ts'

const stack = await restStack()
const key = (await stack.issueKey()).key

const ping = (id: unknown = 1) => ({ jsonrpc: '2.0', id, method: 'ping' })
const pong = (id: unknown = 1) => ({ jsonrpc: '2.0', id, result: {} })
const tool = (id: unknown, args: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_context', arguments: args },
})
const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

describe('before a message is read', () => {
  test.each(['DELETE', 'PUT', 'PATCH'])(
    '%s of a read-only key is 403, as on every other path',
    async (method) => {
      const answer = await stack.call('/mcp', { key, method })

      expect([answer.status, answer.body.error.message]).toEqual([403, problems.read_only.message])
    },
  )

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s gets 405 and what the path answers', async (method) => {
    const { key: full } = await stack.issueKey({ level: 'full' })
    const answer = await stack.call('/mcp', { key: full, method, headers: { accept: 'text/event-stream' } })

    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
    expect(answer.body.error.code).toBe('method_not_allowed')
  })

  test('the refusals are those of the REST API, in its envelope', async () => {
    const plain = await stack.call('/mcp', { key, method: 'POST', body: JSON.stringify(ping()) })
    const long = await send(stack, `"${'x'.repeat(1_048_577)}"`, { key })
    const purpose = await send(stack, ping(), { key, headers: { 'x-purpose': 'fun' } })
    const page = await send(stack, ping(), { key, headers: { origin: 'https://elsewhere.example' } })
    const nobody = await send(stack, ping(), {})

    expect([plain.status, plain.body.error.code]).toEqual([415, 'unsupported_media_type'])
    expect([long.status, long.body.error.code]).toEqual([413, 'payload_too_large'])
    expect([purpose.status, purpose.body.error.code]).toEqual([400, 'validation'])
    expect([page.status, page.body.error.code]).toEqual([403, 'forbidden'])
    expect([nobody.status, nobody.body.error.code]).toEqual([401, 'unauthorized'])
  })

  test('the limits of the key hold, and every tool of a batch counts', async () => {
    const { key: busy } = await stack.issueKey()
    const spent = 145
    await Promise.all(Array.from({ length: spent }, () => stack.call('/nowhere', { key: busy })))

    const batch = await send(
      stack,
      Array.from({ length: 10 }, (_, id) => tool(id)),
      { key: busy },
    )
    const after = await send(stack, ping(), { key: busy })

    const refused = batch.body.filter((each: { result: { isError?: boolean } }) => each.result.isError)
    expect(refused).toHaveLength(5)
    expect(JSON.parse(refused[0].result.content[0].text).error).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 1,
    })
    expect(after.status).toBe(429)
    expect(after.headers.get('retry-after')).toBe('1')
    stack.services.advance(1_000)
  })
})

describe('a message', () => {
  test.each<[string, unknown, number, number]>([
    ['that is no JSON', '{', 400, -32700],
    ['with a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    ['nested forty deep', { ...ping(), params: { x: deep(40) } }, 400, -32700],
    ['with a number as id that nobody can keep', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', 400, -32700],
    ['that is a text', '"ping"', 400, -32600],
    ['that is nothing', 'null', 400, -32600],
    ['without a version', { id: 1, method: 'ping' }, 400, -32600],
    ['of another JSON-RPC', { ...ping(), jsonrpc: '1.0' }, 400, -32600],
    ['with an object as id', ping({}), 400, -32600],
    ['with null as id', ping(null), 400, -32600],
    ['with half a number as id', ping(1.5), 400, -32600],
    ['with an id of a book’s length', ping('x'.repeat(500_000)), 400, -32600],
    ['with a method that is a number', { ...ping(), method: 7 }, 400, -32600],
    ['with params that are a list', { ...ping(), params: [1] }, 400, -32600],
    ['of a method that is not there', { ...ping(), method: 'resources/subscribe' }, 200, -32601],
    ['of a method of every object', { ...ping(), method: '__proto__' }, 200, -32601],
    ['that begins without saying how', { ...ping(), method: 'initialize' }, 400, -32602],
    ['that calls nothing', { ...ping(), method: 'tools/call' }, 200, -32602],
    [
      'that calls what is no tool',
      { ...ping(), method: 'tools/call', params: { name: 'toString' } },
      200,
      -32602,
    ],
    ['whose arguments are a text', tool(1, 'x'), 200, -32602],
    [
      'that wants the second page of tools',
      { ...ping(), method: 'tools/list', params: { cursor: 'x' } },
      200,
      -32602,
    ],
    ['that is an empty batch', [], 400, -32600],
    ['that is a batch of too many', Array.from({ length: 21 }, (_, id) => ping(id)), 400, -32600],
  ])('%s gets its own error', async (_what, message, status, code) => {
    const answer = await send(stack, message, { key })

    expect(answer.status).toBe(status)
    expect(answer.body.error.code).toBe(code)
    expect(answer.body.error.data.correlationId).toBe(answer.headers.get('x-correlation-id'))
    expect(answer.body.result).toBeUndefined()
    expect(answer.text.length).toBeLessThan(500)
    await stack.services.recorder.flush()
    const { rows } = await stack.services.pool.query(
      'SELECT status, refusal, route FROM log.activity WHERE correlation_id = $1',
      [answer.headers.get('x-correlation-id')],
    )
    expect(rows).toMatchObject([
      { status: 400, refusal: expect.stringMatching(/^(validation:|malformed_json)/) },
    ])
    expect(rows[0].route).toMatch(/^\/mcp( (initialize|ping|tools\/list|tools\/call))?$/)
  })

  test('may come in a batch of the oldest version, and each is answered', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } }
    const several = await send(stack, [ping('a'), notification, tool(2)], { key })
    const one = await send(stack, [ping(3)], { key })
    const silent = await send(stack, [notification], { key })
    const late = await send(stack, [ping()], { key, headers: { 'mcp-protocol-version': '2025-06-18' } })

    expect(several.body).toHaveLength(2)
    expect(several.body[0]).toEqual(pong('a'))
    expect(several.body[1].result.structuredContent.data.practice.id).toBe('sandpiper-demonstration')
    expect(one.body).toEqual([pong(3)])
    expect(silent.status).toBe(202)
    expect([late.status, late.body.error.code]).toEqual([400, -32600])
  })

  test('in a batch that is wrong does not keep the others from their answers', async () => {
    const initialize = { ...ping('i'), method: 'initialize' }
    const wrong = [1, [ping(9)], { id: 8, method: 'ping' }, ping('x'.repeat(500_000)), ping('a'), initialize]
    const mixed = await send(stack, [ping('a'), ...wrong, tool(2)], { key })
    const none = await send(stack, [1, 2, 3], { key })

    const refused = (id: unknown) => ({
      jsonrpc: '2.0',
      id,
      error: {
        code: -32600,
        message: expect.any(String),
        data: { correlationId: mixed.headers.get('x-correlation-id') },
      },
    })
    expect(mixed.status).toBe(200)
    expect(mixed.body.slice(2)).toEqual([null, null, null, null, null, 'i'].map(refused))
    expect(mixed.body[0]).toEqual(pong('a'))
    expect(mixed.body[1].result.structuredContent.data.practice.id).toBe('sandpiper-demonstration')
    expect(none.status).toBe(400)
    expect(none.body.map(({ error }: { error: { code: number } }) => error.code)).toEqual([
      -32600, -32600, -32600,
    ])
    await stack.services.recorder.flush()
    const { rows } = await stack.services.pool.query(
      'SELECT status, route FROM log.activity WHERE correlation_id = $1 ORDER BY status',
      [mixed.headers.get('x-correlation-id')],
    )
    expect(rows).toEqual([
      { status: 200, route: '/mcp tools/call get_context' },
      { status: 400, route: '/mcp' },
    ])
  })

  test('of a version that nobody speaks is refused, and so is another’s answer', async () => {
    const version = await send(stack, ping(), { key, headers: { 'mcp-protocol-version': '1999-01-01' } })
    const answer = await send(stack, pong(), { key })

    expect([version.status, version.body.error.code]).toEqual([400, -32600])
    expect(version.body.error.message).toContain('2025-03-26')
    expect(answer.status).toBe(202)
  })

  test('may be a megabyte long', async () => {
    const answer = await callTool(stack, 'search_patients', { q: 'x'.repeat(1_000_000) }, { key })

    expect(answer.status).toBe(200)
    expect(masked(answer.result.content[0].text)).toContain('q must have 1 to 100 characters')
    expect(answer.text.length).toBeLessThan(500)
  })
})

test('whatever is sent gets a promised answer and never a fault', async () => {
  const any = fc.jsonValue({ maxDepth: 4 })
  const names = fc.constantFrom(
    'get_context',
    'summarize_patient',
    'search_patients',
    'get_patient',
    'search_observations',
    'nothing',
  )
  const fields = fc.constantFrom(
    'patientId',
    'q',
    'limit',
    'offset',
    'cursor',
    'code',
    'from',
    'maxTokens',
    'x',
  )
  const uris = fc.oneof(fc.constantFrom('sandpiper://context', 'sandpiper://patients/x/summary'), any)
  const call = fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), any),
      method: fc.oneof(
        fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'prompts/get', 'ping', 'initialize'),
        fc.string(),
      ),
      params: fc.oneof(fc.record({ name: names, uri: uris, arguments: fc.dictionary(fields, any) }), any),
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  )
  const message = fc.oneof(
    { weight: 6, arbitrary: call },
    { weight: 1, arbitrary: any },
    {
      weight: 2,
      arbitrary: fc.array(fc.oneof(call, any), { maxLength: 4 }),
    },
  )
  let sent = 0

  await fc.assert(
    fc.asyncProperty(message, async (each) => {
      if (++sent % 25 === 0) stack.services.advance(1_000)
      const { status, text, body } = await send(stack, JSON.stringify(each), { key })
      expect([200, 202, 400]).toContain(status)
      if (status === 202) {
        expect(text).toBe('')
        return
      }
      for (const one of Array.isArray(body) ? body : [body]) {
        expect(one.jsonrpc).toBe('2.0')
        expect('result' in one).not.toBe('error' in one)
        if (one.error) expect([-32700, -32600, -32601, -32602, -32002, -32003]).toContain(one.error.code)
      }
    }),
    { seed: 20261122, numRuns: 250 },
  )
})
