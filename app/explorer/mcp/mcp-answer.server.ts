/** An answer of the MCP server with everything its page says of it: its parts, its schema, and what other keys would get. */
import { z } from 'zod'
import { isMcpToolName, mcpTools } from '../../../server/contract/mcp/tools.ts'
import { answersByMcpKey } from '../../../server/contract/rest/predicted-responses.ts'
import { type Comparison, compareWithSchema } from '../../../server/contract/rest/schema-comparison.ts'
import type { HereAnswer } from '../calls/call-here.server.ts'

/** More than that is of no use on a page. */
const shownMax = 200_000

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

interface Message {
  result?: { isError?: boolean; structuredContent?: unknown; content?: { type: string; text?: string }[] }
}

/** @param tool as the server lists it */
export function showToolAnswer(
  { text, ...answer }: HereAnswer,
  { name, outputSchema }: { name: string; outputSchema: object },
) {
  const body = parse(text) as Message
  const said = (body.result?.content ?? []).flatMap(({ text: part }) => part ?? []).join('\n')
  const structured = body.result?.structuredContent ?? null
  const pretty = JSON.stringify(body, null, 2)
  return {
    ...answer,
    isError: body.result?.isError === true || body.result === undefined,
    structured: pretty.length > shownMax ? null : (structured as Json),
    comparison: structured === null ? null : compareWithTool(outputSchema, structured),
    outcomes: isMcpToolName(name) ? answersByMcpKey(mcpTools[name]) : [],
    text: said.slice(0, shownMax),
    source: pretty.slice(0, shownMax),
    isCut: pretty.length > shownMax || said.length > shownMax,
  }
}

/** @param outputSchema JSON Schema, as `tools/list` gives it */
export function compareWithTool(outputSchema: object, value: unknown): Comparison {
  return compareWithSchema(z.fromJSONSchema(outputSchema as z.core.JSONSchema.JSONSchema), value)
}

function parse(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}
