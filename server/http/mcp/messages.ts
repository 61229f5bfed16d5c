/** The JSON-RPC messages of one request, or why it is refused as a whole. https://www.jsonrpc.org/specification */
import {
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { limits } from '../../contract/http/limits.ts'
import { mcpBatchVersion } from '../../contract/mcp/operation.ts'

export type Messages = Readonly<{
  kind: 'messages'
  /** What is to be answered. Notifications ask for nothing here: there is no session and nothing to cancel. */
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
  const given: unknown[] = isBatch ? body : [body]
  if (isBatch && version !== null && version > mcpBatchVersion)
    return refused(`Version ${mcpBatchVersion} was the last with batches. Send one message.`)
  if (given.length === 0 || given.length > limits.mcpBatchMax)
    return refused(`A batch must have 1 to ${limits.mcpBatchMax} messages.`)
  const messages: JSONRPCMessage[] = []
  const refusals: RpcRefusal[] = []
  const ids = new Set<unknown>()
  for (const each of given) {
    const parsed = parseMessage(each, ids, given.length > 1)
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
function parseMessage(given: unknown, ids: Set<unknown>, hasMore: boolean): JSONRPCMessage | RpcRefusal {
  const parsed = JSONRPCMessageSchema.safeParse(given)
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

/** Whoever runs no tasks answers as if none was asked for. */
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
