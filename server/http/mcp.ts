/**
 * MCP without sessions and streams, so that every process answers every request: one server of the package for all
 * callers, made once. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 *
 * The package's own transport must be new for each request, because callers choose the ids of their messages and two
 * may choose the same. Ours gives every message a number of its own on the way in, by which the response finds its
 * caller again.
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

/** Methods that are named in the log; whatever else is asked is the caller's word. */
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

/** @returns null for a batch, and for a method that is not in the protocol */
export function namedMethod({ requests, others, isBatch }: Messages): string | null {
  const [first] = [...requests, ...others]
  return !isBatch && first && 'method' in first && namedMethods.has(first.method) ? first.method : null
}

/** A request on its way through the package. */
type Pending<Caller> = Readonly<{
  caller: Caller
  respond: (message: JSONRPCMessage) => void
}>

/**
 * @param answer to every request but `initialize`, which the package answers
 * @returns sends a caller's messages through the server; the text is null where no message needs a response
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
  // Nothing here asks clients for anything, so nothing is ever compiled.
  const server = new Server(about, { ...options, jsonSchemaValidator: new AjvJsonSchemaValidator() })
  // Of these the package would answer params that are wrong as a fault of ours.
  server.removeRequestHandler('ping')
  server.fallbackRequestHandler = (request, { requestId }) => answer(request, take(requestId).caller)
  const connected = server.connect(transport)

  return async ({ requests, others, refusals, isBatch }, caller, correlationId) => {
    await connected
    // Notifications stay outside: one that cancels names a request by a number that may be another caller's.
    const answered = await Promise.all(requests.map((request) => send(request, caller)))
    const responses = [...answered, ...refusals.map((each) => rpcError(each, correlationId))]
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

/** Every list has one page. */
export function checkFirstPage(params: JSONRPCRequest['params']): void {
  if (params?.cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, 'The list has one page.')
}

/** The same error with what identifies the request. */
export function withCorrelationId({ code, message }: McpError, correlationId: string): McpError {
  // The package puts its prefix before every message, anew each time.
  return new McpError(code, message.replace(/^MCP error -\d+: /, ''), { correlationId })
}

// The JSON-RPC messages of one request, or why it is refused as a whole. https://www.jsonrpc.org/specification

export type Messages = Readonly<{
  kind: 'messages'
  /** Requests that need a response. Notifications ask for nothing here: there is no session and nothing to cancel. */
  requests: readonly JSONRPCRequest[]
  /** All of them, where none is to be answered. */
  others: readonly JSONRPCMessage[]
  /** Of the elements of a batch that are no good; the others are answered. */
  refusals: readonly RpcRefusal[]
  isBatch: boolean
}>

export type RpcRefusal = Readonly<{
  kind: 'refused'
  id: string | number | null
  code: number
  message: string
}>

/** @param version `MCP-Protocol-Version` of the request; null where there is none */
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
  for (const each of items) {
    const parsed = parseMessage(each, ids, items.length > 1)
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

/** @param ids of the requests before it; its own is added */
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

/** A server without tasks ignores the request for one. */
function withoutTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!('params' in message) || message.params === undefined || !('task' in message.params)) return message
  const { task: _, ...params } = message.params
  return { ...message, params } as JSONRPCMessage
}

/** As it is answered. */
export function rpcError({ id, code, message }: RpcRefusal, correlationId: string): object {
  return { jsonrpc: '2.0', id, error: { code, message, data: { correlationId } } }
}

function refused(message: string, code: number = ErrorCode.InvalidRequest): RpcRefusal {
  return { kind: 'refused', id: null, code, message }
}
