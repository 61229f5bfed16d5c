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
  for (const each of given) {
    const parsed = JSONRPCMessageSchema.safeParse(each)
    if (!parsed.success) return refused('Not a JSON-RPC 2.0 message.')
    messages.push(withoutTask(parsed.data))
  }
  const requests = messages.filter(isJSONRPCRequest)
  return (
    findFault(requests, version, messages.length > 1) ?? {
      kind: 'messages',
      requests,
      others: requests.length > 0 ? [] : messages,
      isBatch,
    }
  )
}

function findFault(
  requests: readonly JSONRPCRequest[],
  version: string | null,
  hasMore: boolean,
): RpcRefusal | null {
  const ids = requests.map(({ id }) => id)
  if (ids.some((id) => typeof id === 'string' && id.length > limits.mcpMessageIdMax))
    return refused(`The id of a message has at most ${limits.mcpMessageIdMax} characters.`)
  if (new Set(ids).size < ids.length) return refused('Two messages of a batch have the same id.')
  const initialize = requests.find(({ method }) => method === 'initialize')
  if (initialize !== undefined) {
    if (hasMore) return refused('Send initialize on its own.')
    const { success } = InitializeRequestSchema.safeParse(initialize)
    return success
      ? null
      : {
          ...refused('initialize needs protocolVersion, capabilities and clientInfo.', -32602),
          id: initialize.id,
        }
  }
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    return refused(`Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`)
  }
  return null
}

/** Whoever runs no tasks answers as if none was asked for. */
function withoutTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!('params' in message) || message.params === undefined || !('task' in message.params)) return message
  const { task: _, ...params } = message.params
  return { ...message, params } as JSONRPCMessage
}

function refused(message: string, code: number = ErrorCode.InvalidRequest): RpcRefusal {
  return { kind: 'refused', id: null, code, message }
}
