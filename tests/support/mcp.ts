/** The MCP server of a whole stack: the SDK's own client, and messages sent as they are. */
import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { McpToolName } from '../../server/contract/mcp/tools.ts'
import { operations } from '../../server/contract/rest/operations.ts'
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

/** Arguments with which each tool answers, in a practice that holds the cast. */
export function toolExamples(
  stack: RestStack,
  datasetId: number,
): Record<McpToolName, () => Promise<Record<string, unknown>>> {
  const patientId = 'pt-wren-testwell'
  const written = (operationId: 'createPatient' | 'createEncounter' | 'createDocument') => async () => ({
    ...operations[operationId].bodyExample,
    idempotencyKey: randomUUID(),
  })
  return {
    get_context: async () => ({}),
    search_patients: async () => ({ q: 'testw' }),
    get_patient: async () => ({ patientId }),
    get_patient_summary: async () => ({ patientId }),
    search_observations: async () => ({ patientId }),
    list_medications: async () => ({ patientId }),
    list_encounters: async () => ({ patientId }),
    list_conditions: async () => ({ patientId }),
    list_allergies: async () => ({ patientId }),
    list_immunizations: async () => ({ patientId }),
    list_procedures: async () => ({ patientId }),
    list_documents: async () => ({ patientId }),
    get_document_text: async () => {
      const { rows } = await stack.services.database.ownerPool.query<{ id: string }>(
        'SELECT id FROM clinical.attachment WHERE dataset_id = $1 AND type = 8 ORDER BY id LIMIT 1',
        [datasetId],
      )
      return { documentId: rows[0]?.id }
    },
    get_ccd: async () => ({ patientId }),
    list_practitioners: async () => ({ limit: 3 }),
    create_patient: written('createPatient'),
    start_encounter: written('createEncounter'),
    register_document: written('createDocument'),
  }
}
