import {
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { mcpVersions } from '../../contract/mcp/operation.ts'
import { createExchange, parseMessages } from '../mcp.ts'

type Caller = { readonly name: string; readonly wait?: Promise<void> }

const about = { name: 'placeholder', title: 'Placeholder', version: '1.0.0' }
const exchange = createExchange<Caller>(
  about,
  { capabilities: { tools: {} }, instructions: 'Read.' },
  async ({ method, params }, { name, wait }) => {
    await wait
    if (method === 'fault') throw new Error(`of ${name}`)
    return { caller: name, method, given: params?.given ?? null }
  },
)

async function send(message: unknown, caller: Caller) {
  const messages = parseMessages(message, null)
  if (messages.kind === 'refused') throw new Error(messages.message)
  const { status, text } = await exchange(messages, caller, 'correlation')
  return { status, body: text === null ? null : JSON.parse(text) }
}

const ask = (id: JSONRPCRequest['id'], method = 'tools/list', given?: string) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { given },
})

/** A caller whose responses are held back until `go` is called. */
function slow(name: string): { caller: Caller; go: () => void } {
  let go = () => {}
  const wait = new Promise<void>((resolve) => {
    go = resolve
  })
  return { caller: { name, wait }, go }
}

describe('callers who share the server', () => {
  test('each get their own response, also with the same message ids and when the first one is slower', async () => {
    const first = slow('first')
    const waiting = send(ask(7, 'tools/list', 'a'), first.caller)
    const second = await send(ask(7, 'tools/list', 'b'), { name: 'second' })
    first.go()

    expect(second.body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { caller: 'second', method: 'tools/list', given: 'b' },
    })
    expect((await waiting).body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { caller: 'first', method: 'tools/list', given: 'a' },
    })
  })

  test('cannot cancel each other’s requests', async () => {
    const first = slow('first')
    const waiting = send(ask(1), first.caller)
    for (const requestId of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
      expect(await send(cancel, { name: 'second' })).toEqual({ status: 202, body: null })
    }
    first.go()

    expect((await waiting).body.result.caller).toBe('first')
  })

  test('get their own faults, and numbers of theirs in them', async () => {
    const [one, other] = await Promise.all([
      send(ask('x', 'fault'), { name: 'one' }),
      send(ask('x', 'fault'), { name: 'other' }),
    ])

    expect(one.body).toMatchObject({ id: 'x', error: { message: 'of one' } })
    expect(other.body).toMatchObject({ id: 'x', error: { message: 'of other' } })
  })

  test('of hundreds at once none gets anything of another', async () => {
    const count = 300
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        send([ask(1, 'tools/list', `${at}a`), ask('two', 'tools/call', `${at}b`)], {
          name: `caller ${at}`,
          // Not in the order in which they came.
          wait: new Promise((resolve) => setTimeout(resolve, (at * 7) % 20)),
        }),
      ),
    )

    expect(answers.map(({ body }) => body)).toEqual(
      Array.from({ length: count }, (_, at) => [
        { jsonrpc: '2.0', id: 1, result: { caller: `caller ${at}`, method: 'tools/list', given: `${at}a` } },
        {
          jsonrpc: '2.0',
          id: 'two',
          result: { caller: `caller ${at}`, method: 'tools/call', given: `${at}b` },
        },
      ]),
    )
  })

  test('are each told of the server by what they sent, not by what the one before sent', async () => {
    const initialize = (protocolVersion: string) => ({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    })

    const old = await send(initialize('2025-03-26'), { name: 'old' })
    const unknown = await send(initialize('1999-01-01'), { name: 'unknown' })

    expect(old.body.result).toEqual({
      protocolVersion: '2025-03-26',
      capabilities: { tools: {} },
      serverInfo: about,
      instructions: 'Read.',
    })
    expect(unknown.body.result.protocolVersion).toBe(LATEST_PROTOCOL_VERSION)
  })
})

test('the versions that the documentation names are those that are served', () => {
  expect(mcpVersions).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
})

test('a batch of one is answered as a batch, and a message that is a response needs none', async () => {
  expect((await send([ask(1)], { name: 'one' })).body).toHaveLength(1)
  expect(await send({ jsonrpc: '2.0', id: 1, result: {} }, { name: 'one' })).toEqual({
    status: 202,
    body: null,
  })
})
