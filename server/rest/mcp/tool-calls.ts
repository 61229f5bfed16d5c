/**
 * Runs a tool call with the checks of the REST API in the same order: limits, rights of the key, arguments, and last whether
 * the record exists. Errors that the caller can fix are tool results marked as errors, so that an assistant reads them.
 */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { type ApiKeyPrincipal, accessAt } from '../../auth/principal.ts'
import { confirmBeforeRefusal } from '../../auth/with-liveness-retry.ts'
import { hasEnded } from '../../contract/http/deprecation.ts'
import { Problem, toProblem } from '../../contract/http/problems.ts'
import { toolNeeds } from '../../contract/keys/class-coverage.ts'
import { uncapped } from '../../contract/keys/key-caps.ts'
import {
  isMcpToolName,
  type McpToolName,
  type McpToolRow,
  mcpTools,
  toolRefusal,
  untrustedNotice,
} from '../../contract/mcp/tools.ts'
import type { Call } from '../call.ts'
import { recordOf } from '../call-record.ts'
import { checkBody, takeWindows } from '../input.ts'
import { checkNeed } from '../key-access.ts'
import { toCleanText } from './document-text.ts'
import type { McpCore } from './mcp-core.ts'
import { estimateTokens } from './summary.ts'
import { type ToolAnswer, type ToolCall, tools } from './tools.ts'

type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}
const paramsSchema = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** A message with its own entry in the log. */
export type OwnCall = Readonly<{
  call: Call
  /** True for the first message, which the HTTP request's rate limit has already counted. */
  counted: boolean
  /** A schema with fewer arguments, which is checked before the tool's schema. */
  input?: z.ZodObject
  /** The tool's sunset has passed. */
  ended?: boolean
}>

/** A refusal that is already in the log. */
export class LoggedRefusal extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** @throws McpError for an unknown tool; Problem if the whole request fails: an invalid key or an internal error */
export async function callTool(
  core: McpCore,
  params: unknown,
  logAs: (name: McpToolName) => OwnCall,
): Promise<ToolResult> {
  const parsed = paramsSchema.safeParse(params)
  if (!parsed.success) throw new McpError(ErrorCode.InvalidParams, 'tools/call needs a name and arguments.')
  const { name } = parsed.data
  if (!isMcpToolName(name)) throw new McpError(ErrorCode.InvalidParams, 'Unknown tool.')
  const called = { ...logAs(name), ended: hasEnded(core.deprecations.tools[name], core.clock()) }
  try {
    const text = await performTool(core, name, parsed.data.arguments, called)
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
  } catch (thrown) {
    if (!(thrown instanceof LoggedRefusal)) throw thrown
    const error = errorOf(thrown.problem, called.call.edge.correlationId)
    return { content: [{ type: 'text', text: JSON.stringify({ error }) }], isError: true }
  }
}

/**
 * Checks and runs a tool, writes its log rows, and returns the text of its result.
 * @throws LoggedRefusal; Problem if the whole request fails
 */
export async function performTool(core: McpCore, name: McpToolName, values: unknown, ownCall: OwnCall) {
  const { limiter, authentication, caps, recorder } = core
  const { call, counted, input, ended } = ownCall
  const row: McpToolRow = mcpTools[name]
  call.row = { access: row.access, ...(row.writes && { status: 201 }) }
  try {
    if (!counted) await takeWindows(call, limiter)
    if (ended) throw new Problem('gone')
    call.need = toolNeeds[name]
    if (call.principal) checkNeed(accessAt(call.principal, core.clock()), call.need)
    if (row.writes) await checkWrites(core, call)
    if (!uncapped.has(name)) await caps.check(call)
    const args = checkBody(input ? checkBody(values, input) : values, row.input)
    return await answer(core, call, name, args)
  } catch (thrown) {
    const problem = await confirmBeforeRefusal(call, toProblem(thrown), authentication.confirm)
    // The REST API logs these errors and responds to them.
    if (problem.status === 401 || problem.status >= 500) throw problem
    recorder.note(recordOf(call, { status: problem.status, problem }))
    throw new LoggedRefusal(problem)
  }
}

async function answer<Name extends McpToolName>(core: McpCore, call: Call, name: Name, args: unknown) {
  const { caps, recorder } = core
  const row: McpToolRow = mcpTools[name]
  const envelope = {
    ...(row.phi && { notice: untrustedNotice }),
    correlationId: call.edge.correlationId,
  }
  const overhead = estimateTokens(JSON.stringify({ data: {}, ...envelope }))
  const run = tools[name] as (core: McpCore, toolCall: ToolCall<Name>) => Promise<ToolAnswer<Name>>
  const { data, page, recorded, ...disclosed } = await run(core, {
    call,
    args: args as ToolCall<Name>['args'],
    overhead,
  })
  const text = toCleanText({ data, ...(page && { page }), ...envelope })
  const status = call.row?.status ?? 200
  // The access record is written before the response. A write has recorded itself in its transaction.
  if (!recorded) {
    await caps.checkPatients(call.principal, disclosed)
    await recorder.commit(recordOf(call, { status, ...disclosed }))
  }
  return text
}

/** Reads the key again if it may not write, so that a changed setting works on the next call in every process. */
async function checkWrites({ authentication }: McpCore, call: Call): Promise<void> {
  if (!call.principal?.mcpWrites) await authentication.confirm(call)
  if (call.principal) checkMayWrite(call.principal)
  call.guard = checkMayWrite
}

function checkMayWrite(principal: ApiKeyPrincipal): void {
  const refusal = toolRefusal({ writes: true }, principal)
  if (refusal !== null) throw new Problem(refusal)
}

/** The error object of the REST API. */
export function errorOf({ message, row, retryAfterSeconds }: Problem, correlationId: string) {
  return {
    code: row.restCode,
    message,
    correlationId,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
