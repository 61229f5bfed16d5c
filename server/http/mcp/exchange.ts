/**
 * One request of MCP without sessions and streams: one server and one transport each, so that every process answers
 * every request. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode, type JSONRPCRequest, McpError } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { Messages } from './messages.ts'

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

/** Compiling schemas costs; nothing here asks clients for anything, so that it never has to. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

/** @returns null for a batch, and for a method that is not in the protocol */
export function namedMethod({ requests, others, isBatch }: Messages): string | null {
  const [first] = [...requests, ...others]
  return !isBatch && first && 'method' in first && namedMethods.has(first.method) ? first.method : null
}

/** @param answer to every request but `initialize`, which the package answers */
export function createServer(
  about: { name: string; title: string; version: string },
  options: Pick<ServerOptions, 'capabilities' | 'instructions'>,
  answer: (request: JSONRPCRequest) => Promise<Record<string, unknown>>,
): Server {
  const server = new Server(about, { ...options, jsonSchemaValidator })
  // Of these the package would answer params that are wrong as a fault of ours.
  server.removeRequestHandler('ping')
  server.fallbackRequestHandler = answer
  return server
}

/** @returns the text is null where no message needs a response */
export async function exchange(
  { url, headers }: Request,
  { requests, others, isBatch }: Messages,
  server: Server,
): Promise<{ status: number; text: string | null }> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const body = requests.length > 0 ? requests : others
  const response = await transport.handleRequest(bare(url, headers), { parsedBody: isBatch ? body : body[0] })
  const { status } = response
  if (status === 202) return { status, text: null }
  const text = await response.text()
  return { status, text: isBatch && !text.startsWith('[') ? `[${text}]` : text }
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

/** No header of the caller's but that of the version goes any further, a key least of all. */
function bare(url: string, headers: Headers): Request {
  const version = headers.get('mcp-protocol-version')
  return new Request(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version !== null && { 'mcp-protocol-version': version }),
    },
  })
}
