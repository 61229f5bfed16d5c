/** The MCP server of a whole stack: the SDK's own client, and messages sent as they are. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { CallOptions, RestAnswer, RestStack } from './rest.ts'

/** Reaches the stack without a port. */
export async function connect({ app }: RestStack, key: string, base = '/sandbox/api/v1'): Promise<Client> {
  const client = new Client({ name: 'placeholder-client', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`https://elsewhere.example${base}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (url, init) =>
      app.fetch(new Request(url, { ...init, duplex: 'half' } as RequestInit), {
        incoming: { socket: { remoteAddress: '192.0.2.1' } },
      }),
  })
  await client.connect(transport)
  return client
}

/** Posts a message, or whatever a test sends in its place. */
export function send(stack: RestStack, message: unknown, options: CallOptions): Promise<RestAnswer> {
  return stack.post('/mcp', message, options)
}

/** Calls a tool without a client; the result, or the JSON-RPC error. */
export async function callTool(
  stack: RestStack,
  name: string,
  args: unknown,
  options: CallOptions,
): Promise<RestAnswer & { result: ToolResult }> {
  const params = { name, arguments: args }
  const answer = await send(stack, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, options)
  return { ...answer, result: answer.body?.result }
}

export type ToolResult = CallToolResult & {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  structuredContent?: any
  content: [{ type: 'text'; text: string }]
}
