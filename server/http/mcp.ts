/**
 * MCP without sessions and streams, so that any process can handle any request. One server of the SDK serves all callers.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 *
 * The SDK's transport must be new for each request, because callers choose the ids of their messages and two may choose
 * the same. Our transport replaces each id by a unique number, by which it finds the caller of a response.
 */
import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  McpError,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { limits } from '../contract/http/limits.ts'
import { mcpBatchVersion } from '../contract/mcp/operation.ts'

/** Methods that appear in the log. Other names come from the caller and are not logged. */
const namedMethods = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'notifications/initialized',
])

/** @returns the method for the log; null for a batch or an unknown method */
export function namedMethod({ requests, others, isBatch }: Messages): string | null {
  const [first] = [...requests, ...others]
  return !isBatch && first && 'method' in first && namedMethods.has(first.method) ? first.method : null
}

/** A request that the SDK is handling. */
type Pending<Caller> = Readonly<{
  caller: Caller
  respond: (message: JSONRPCMessage) => void
}>

/**
 * @param answer handles every request except `initialize`, which the SDK handles
 * @returns a function that handles a caller's messages. Its text is null if no message needs a response
 */
export function createExchange<Caller>(
  about: { name: string; title: string; version: string },
  options: Pick<ServerOptions, 'capabilities' | 'instructions'>,
  answer: (request: JSONRPCRequest, caller: Caller) => Promise<Record<string, unknown>>,
): (
  messages: Messages,
  caller: Caller,
  correlationId: string,
) => Promise<{ status: number; text: string | null }> {
  const pending = new Map<RequestId, Pending<Caller>>()
  let last = 0
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if (!('id' in message) || message.id === undefined)
        throw new Error('MCP: a message without a recipient')
      take(message.id).respond(message)
      pending.delete(message.id)
    },
  }
  // The server sends no requests to clients, so the validator compiles nothing.
  const server = new Server(about, { ...options, jsonSchemaValidator: new AjvJsonSchemaValidator() })
  // The SDK would report invalid params of a ping as an internal error.
  server.removeRequestHandler('ping')
  server.fallbackRequestHandler = (request, { requestId }) => answer(request, take(requestId).caller)
  const connected = server.connect(transport)

  return async ({ requests, others, refusals, isBatch }, caller, correlationId) => {
    await connected
    // Notifications are not passed on: a cancellation could hit another caller's request with the same number.
    const answered = await Promise.all(requests.map((request) => send(request, caller)))
    const responses = [...answered, ...refusals.map((refusal) => rpcError(refusal, correlationId))]
    if (responses.length === 0) return { status: 202, text: null }
    const status = requests.length === 0 && others.length === 0 ? 400 : 200
    return { status, text: JSON.stringify(isBatch ? responses : responses[0]) }
  }

  function send(request: JSONRPCRequest, caller: Caller): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      const number = ++last
      const respond = (message: JSONRPCMessage) => resolve({ ...message, id: request.id } as JSONRPCMessage)
      pending.set(number, { caller, respond })
      transport.onmessage?.({ ...request, id: number })
    })
  }

  function take(number: RequestId): Pending<Caller> {
    const found = pending.get(number)
    if (found === undefined) throw new Error('MCP: a response without a request')
    return found
  }
}

/** Refuses cursors, because every list has one page. */
export function checkFirstPage(params: JSONRPCRequest['params']): void {
  if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, 'The list has one page.')
}

/** Adds the correlation id to an error. */
export function withCorrelationId({ code, message }: McpError, correlationId: string): McpError {
  // The SDK adds its prefix to the message again.
  return new McpError(code, message.replace(/^MCP error -\d+: /, ''), { correlationId })
}

// Parses the JSON-RPC messages of a request. https://www.jsonrpc.org/specification

export type Messages = Readonly<{
  kind: 'messages'
  /** Messages that need a response. Notifications have no effect, because there are no sessions. */
  requests: readonly JSONRPCRequest[]
  /** All messages, if none needs a response. */
  others: readonly JSONRPCMessage[]
  /** Errors for the invalid messages of a batch; its other messages are handled. */
  refusals: readonly RpcRefusal[]
  isBatch: boolean
}>

export type RpcRefusal = Readonly<{
  kind: 'refused'
  id: string | number | null
  code: number
  message: string
}>

/** @param version the header `MCP-Protocol-Version`, if any */
export function parseMessages(body: unknown, version: string | null): Messages | RpcRefusal {
  const isBatch = Array.isArray(body)
  const items: unknown[] = isBatch ? body : [body]
  if (isBatch && version !== null && version > mcpBatchVersion)
    return refused(`Version ${mcpBatchVersion} was the last with batches. Send one message.`)
  if (items.length === 0 || items.length > limits.mcpBatchMax)
    return refused(`A batch must have 1 to ${limits.mcpBatchMax} messages.`)
  const messages: JSONRPCMessage[] = []
  const refusals: RpcRefusal[] = []
  const ids = new Set<unknown>()
  for (const item of items) {
    const parsed = parseMessage(item, ids, items.length > 1)
    if ('kind' in parsed) refusals.push(parsed)
    else messages.push(parsed)
  }
  const [first] = refusals
  if (!isBatch && first) return first
  const requests = messages.filter(isJSONRPCRequest)
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version) && !requests.some(isInitialize))
    return refused(`Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`)
  return { kind: 'messages', requests, others: requests.length > 0 ? [] : messages, refusals, isBatch }
}

/** @param ids the ids of earlier requests, to which this one's is added */
function parseMessage(item: unknown, ids: Set<unknown>, hasMore: boolean): JSONRPCMessage | RpcRefusal {
  const parsed = JSONRPCMessageSchema.safeParse(item)
  if (!parsed.success) return refused('Not a JSON-RPC 2.0 message.')
  const message = parsed.data
  if (!isJSONRPCRequest(message)) return message
  const { id } = message
  if (typeof id === 'string' && id.length > limits.mcpMessageIdMax)
    return refused(`The id of a message has at most ${limits.mcpMessageIdMax} characters.`)
  if (ids.has(id)) return refused('Two messages of a batch have the same id.')
  ids.add(id)
  if (isInitialize(message)) {
    if (hasMore) return { ...refused('Send initialize on its own.'), id }
    if (!InitializeRequestSchema.safeParse(message).success)
      return { ...refused('initialize needs protocolVersion, capabilities and clientInfo.', -32602), id }
  }
  return withoutTask(message)
}

const isInitialize = ({ method }: JSONRPCRequest) => method === 'initialize'

/** The protocol says that a server without tasks ignores this field. */
function withoutTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!('params' in message) || message.params === undefined || !('task' in message.params)) return message
  const { task: _, ...params } = message.params
  return { ...message, params } as JSONRPCMessage
}

/** The error response of a refused message. */
export function rpcError({ id, code, message }: RpcRefusal, correlationId: string): object {
  return { jsonrpc: '2.0', id, error: { code, message, data: { correlationId } } }
}

function refused(message: string, code: number = ErrorCode.InvalidRequest): RpcRefusal {
  return { kind: 'refused', id: null, code, message }
}
