/**
 * `POST /mcp`, a row like those of the REST operations: its own code answers it, for what it takes and gives are
 * JSON-RPC messages. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
import { z } from 'zod'
import { limits } from '../http/limits.ts'
import type { OperationRow } from '../rest/operations.ts'

const messageId = z
  .union([z.string().max(limits.mcpMessageIdMax), z.int()])
  .meta({ description: 'Chosen by the client; the response to a request has the same ID.' })

const messageSchema = z
  .object({
    jsonrpc: z.literal('2.0').meta({ description: 'The JSON-RPC version.' }),
    id: messageId.optional(),
    method: z
      .string()
      .max(128)
      .meta({ description: 'The requested method.', examples: ['tools/call'] }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Parameters as the method defines them.' }),
  })
  .meta({ description: 'A JSON-RPC request or notification.' })

const answerSchema = z
  .object({
    jsonrpc: z.literal('2.0').meta({ description: 'The JSON-RPC version.' }),
    id: messageId.nullable(),
    result: z.looseObject({}).optional().meta({ description: 'The result.' }),
    error: z
      .looseObject({
        code: z.int().meta({ description: 'The JSON-RPC error code.' }),
        message: z.string().meta({ description: 'What went wrong, for people.' }),
      })
      .optional()
      .meta({ description: 'Why there is no result.' }),
  })
  .meta({ description: 'The response to a JSON-RPC request.' })

const batchOf = (schema: z.ZodType) => z.array(schema).min(1).max(limits.mcpBatchMax)

/** The newest first. */
export const mcpVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const

/** The last version whose clients may send several messages in one request, and the one of clients that name none. */
export const mcpBatchVersion = '2025-03-26'

export const mcpOperations = {
  callMcp: {
    method: 'POST',
    path: '/mcp',
    summary: 'The MCP server',
    description: `Model Context Protocol over Streamable HTTP, without sessions and without streams: one JSON-RPC message is posted, its answer is JSON; what needs no answer gets 202. Versions ${mcpVersions.join(', ')}; a request of version ${mcpBatchVersion} or older may hold up to ${limits.mcpBatchMax} messages, each of which is answered for itself; of these every call of a tool, read of a resource and prompt beyond the first counts against the limits, too. A read-only key may call the tools that read. Tools that write are offered to a full key whose owner has switched MCP writes on. Whatever is refused before the message is read has the envelope of every refusal; from there on, refusals are JSON-RPC’s.`,
    tags: ['MCP'],
    level: 'any',
    query: z.strictObject({}),
    body: z.union([messageSchema, batchOf(messageSchema)]),
    bodyExample: { jsonrpc: '2.0', id: 1, method: 'ping' },
    response: z.union([answerSchema, batchOf(answerSchema)]),
    answers: 'The response to the message, or a list of responses to a batch.',
    otherResponses: {
      202: { description: 'No message needs a response.' },
      400: {
        description: 'A JSON-RPC error: the message cannot be read; a list of them if none of a batch can.',
        response: z.union([answerSchema, batchOf(answerSchema)]),
      },
    },
    example: { jsonrpc: '2.0', id: 1, result: {} },
    errors: ['payload_too_large', 'unsupported_media_type'],
    phi: true,
    access: { action: 'mcp', resourceType: null },
  },
} as const satisfies Record<string, OperationRow>
