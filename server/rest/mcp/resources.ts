/** Resources and prompts. Each one calls the tool that its row names. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Problem } from '../../contract/http/problems.ts'
import {
  findResource,
  isMcpPromptName,
  type McpResourceName,
  mcpPrompts,
  mcpResources,
  mcpResourceType,
} from '../../contract/mcp/resources.ts'
import { mcpTools } from '../../contract/mcp/tools.ts'
import type { McpCore } from './mcp-core.ts'
import { errorOf, type OwnCall, performTool } from './tool-calls.ts'

/** https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling */
const notFoundCode = -32002
/** A code of JSON-RPC's range for servers, for errors without a code in the protocol, such as an exceeded limit. */
const refusedCode = -32003

const readParams = z.looseObject({ uri: z.string() })
const promptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

async function content(
  core: McpCore,
  name: McpResourceName,
  uri: string,
  args: Record<string, unknown>,
  ownCall: OwnCall,
) {
  const text = await performTool(core, mcpResources[name].tool, args, ownCall)
  return { uri, mimeType: mcpResourceType, text }
}

/** @throws McpError, LoggedRefusal, or Problem if the whole request fails */
export async function readResource(core: McpCore, params: unknown, logAs: (name: string) => OwnCall) {
  const parsed = readParams.safeParse(params)
  if (!parsed.success) throw new McpError(ErrorCode.InvalidParams, 'resources/read needs a uri.')
  const { uri } = parsed.data
  const found = findResource(uri)
  if (found === null) throw new McpError(notFoundCode, 'Unknown resource.')
  return { contents: [await content(core, found.name, uri, found.args, logAs(found.name))] }
}

/** @throws as `readResource` does */
export async function getPrompt(core: McpCore, params: unknown, logAs: (name: string) => OwnCall) {
  const parsed = promptParams.safeParse(params)
  if (!parsed.success) throw new McpError(ErrorCode.InvalidParams, 'prompts/get needs a name and arguments.')
  const { name, arguments: args } = parsed.data
  if (!isMcpPromptName(name)) throw new McpError(ErrorCode.InvalidParams, 'Unknown prompt.')
  const { description, resource, input, text } = mcpPrompts[name]
  const { uri, tool } = mcpResources[resource]
  const attached = await content(
    core,
    resource,
    uri.replace(/\{(\w+)\}/g, (_whole, argument: string) => String(args[argument])),
    args,
    { ...logAs(name), input: mcpTools[tool].input.pick(allOf(input)) },
  )
  return {
    description,
    messages: [
      { role: 'user', content: { type: 'text', text } },
      { role: 'user', content: { type: 'resource', resource: attached } },
    ],
  }
}

/** An error for methods whose results cannot be errors. Its data has the code and message of the REST API. */
export class RpcError extends Error {
  readonly code: number
  readonly data: object

  constructor(problem: Problem, correlationId: string) {
    super(problem.message)
    this.code =
      problem.status === 404 ? notFoundCode : problem.status === 400 ? ErrorCode.InvalidParams : refusedCode
    this.data = errorOf(problem, correlationId)
  }
}

function allOf<Shape extends object>(shape: Shape): { [Name in keyof Shape]: true } {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, true])) as {
    [Name in keyof Shape]: true
  }
}
