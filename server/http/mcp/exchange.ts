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
  type JSONRPCMessage,
  type JSONRPCRequest,
  McpError,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { type Messages, rpcError } from './messages.ts'

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
