/** The MCP console behind its page: the live list of tools at a level, and one call with a key that stays here. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { z } from 'zod'
import { jsonOf } from '../../../server/contract/http/answer-head.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { askedArgs } from '../../../server/contract/lab/explorer-links.ts'
import { isMcpToolName, mcpTools } from '../../../server/contract/mcp/tools.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { answersByMcpKey } from '../../../server/contract/rest/predicted-responses.ts'
import { type Comparison, compareWithSchema } from '../../../server/contract/rest/schema-comparison.ts'
import type { ExplorerKey } from '../../../server/lab/explorer/explorer-keys.ts'
import { mcpAddress } from '../../lib/api-base.server.ts'
import { readFields } from '../../lib/submission.server.ts'
import { visitorOf } from '../../services.server.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import { callHere, findDeveloper, type HereAnswer } from '../calls/caller.server.ts'
import { recordChoices } from '../choices.server.ts'
import { askedArguments, type ToolSchema, toolArguments, toolFields } from './tool-arguments.ts'

type Args = LoaderFunctionArgs | ActionFunctionArgs

/** What a key may be to the MCP server. */
export const mcpLevels = ['read_only', 'full', 'full_writes'] as const
export type McpLevel = (typeof mcpLevels)[number]

interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly outputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
}

const fieldsMax = 60
const protocolVersion = '2025-11-25'

export async function loadConsole(args: Args) {
  const { services } = args.context
  const session = await findDeveloper(args)
  const practices = await services.explorerKeys.listPractices(session)
  const asked = askedOf(args)
  const chosen = practices.find(({ slug }) => slug === asked.practice) ?? practices[0]
  if (!chosen || (asked.practice !== null && chosen.slug !== asked.practice)) throw new Problem('not_found')
  const mayWrite = chosen.levels.includes('full') && !isForeign(args.request)
  const level = mayWrite ? (asked.level ?? levelFor(asked.tool)) : 'read_only'
  const { answer, tools } = await listTools(args, { practice: chosen.slug, level })
  const tool = tools.find(({ name }) => name === asked.tool) ?? tools[0] ?? null
  const fields = tool === null ? [] : toolFields(tool.name, tool.inputSchema)
  const kinds = fields.flatMap(({ of }) => of ?? [])
  return {
    signedIn: session !== null,
    practices: practices.map(({ slug, name }) => ({ slug, name })),
    practice: chosen.slug,
    level,
    levels: chosen.levels.includes('full') ? mcpLevels : (['read_only'] as const),
    listStatus: answer.status,
    /** From a line of the history, which keeps no arguments. */
    isKept: await isKept(args, session),
    tools: tools.map(({ name, title, annotations }) => ({ name, title, writes: !annotations.readOnlyHint })),
    tool: tool && {
      name: tool.name,
      title: tool.title,
      description: tool.description.replaceAll('`', ''),
      writes: !tool.annotations.readOnlyHint,
      fields,
    },
    /** From a link of the documentation, by the names of the fields. */
    asked: askedArguments(new URL(args.request.url).searchParams.get(askedArgs), fields),
    choices: await recordChoices(args, { slug: chosen.slug, isMade: chosen.id !== null }, kinds),
    /** For tools that write: a repeated press makes nothing twice. */
    idempotencyKey: crypto.randomUUID(),
  }
}

/** Whether the address names a line of the reader's own history. */
async function isKept({ context, request }: Args, session: Awaited<ReturnType<typeof findDeveloper>>) {
  const id = new URL(request.url).searchParams.get('call')
  if (id === null || session === null) return false
  return (await context.services.explorerHistory.find(session.accountId, id))?.interface === 'mcp'
}

export async function runConsole(args: ActionFunctionArgs) {
  const fields = await readFields(args.request, fieldsMax)
  const values = Object.fromEntries([...fields].map(([name, value]) => [name, String(value)]))
  const { practice, tool: named, level = levelFor(named) } = askedOf(args)
  try {
    const { tools } = await listTools(args, { practice, level })
    const tool = tools.find(({ name }) => name === fields.get('tool'))
    if (!tool)
      return { kind: 'refused' as const, field: 'tool', message: 'This key doesn’t have this tool.', values }
    const input = toolArguments(tool.name, tool.inputSchema, fields)
    if (input.kind === 'wrong')
      return { kind: 'refused' as const, field: input.field, message: input.message, values }
    const message = rpc('tools/call', { name: tool.name, arguments: input.value })
    const { answer, key } = await ask(args, { practice, level }, message)
    const session = await findDeveloper(args)
    const practices = await args.context.services.explorerKeys.listPractices(session)
    const traces = await args.context.services.traceExplorerCall(
      {
        interface: 'mcp',
        operation: tool.name,
        practiceSlug: key.practice.slug,
        level,
        status: answer.status,
        durationMs: answer.durationMs,
        correlationId: answer.correlationId,
        request: {
          method: 'POST',
          path: `/mcp ${tool.name}`,
          query: {},
          headers: Object.keys(messageHeaders),
          body: true,
        },
      },
      {
        session,
        owner: { keyId: key.keyId },
        practiceId: key.practice.id,
        principalId: key.keyId,
      },
    )
    return {
      kind: 'answer' as const,
      values,
      tool: tool.name,
      ...showToolAnswer(answer, tool),
      traces,
      key: {
        name: `${key.prefix}…`,
        about: `${key.practice.name}, ${levelNames[level]}`,
        expiresAt: key.expiresAt,
        activity: activityOf(key, practices),
      },
      snippets: withColors(
        snippetsFor({
          method: 'POST',
          url: mcpAddress(args.context, 'sandbox'),
          headers: [
            ...Object.entries(messageHeaders).map(([name, value]) => ({ name, value })),
            { name: 'Authorization', value: 'Bearer $SVC_KEY' },
          ],
          body: message,
        }),
      ),
    }
  } catch (thrown) {
    if (!isProblem(thrown) || ![400, 403, 429].includes(thrown.status)) throw thrown
    return { kind: 'refused' as const, field: 'form', message: thrown.message, values }
  }
}

/**
 * A full key gives the practice records of its own: a link of another site must not make one.
 * https://w3c.github.io/webappsec-fetch-metadata/
 */
function isForeign({ headers }: Request): boolean {
  return ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
}

function askedOf({ request }: Args): { practice: string | null; level?: McpLevel; tool: string | null } {
  const query = new URL(request.url).searchParams
  const level = query.has('level')
    ? (mcpLevels.find((each) => each === query.get('level')) ?? 'read_only')
    : undefined
  return {
    practice: query.get('practice') || null,
    ...(level && { level }),
    tool: query.get('tool'),
  }
}

/** Where none was chosen: a tool that writes is offered to a key that may write only. */
function levelFor(tool: string | null): McpLevel {
  return tool !== null && isMcpToolName(tool) && mcpTools[tool].writes ? 'full_writes' : 'read_only'
}

async function listTools(args: Args, where: { practice: string | null; level: McpLevel }) {
  const { answer } = await ask(args, where, rpc('tools/list', {}))
  const { result } = (jsonOf(answer.text) ?? {}) as { result?: { tools?: Tool[] } }
  return { answer, tools: result?.tools ?? [] }
}

async function ask(
  args: Args,
  { practice, level }: { practice: string | null; level: McpLevel },
  message: string,
): Promise<{ answer: HereAnswer; key: ExplorerKey }> {
  const key = await args.context.services.explorerKeys.use(
    {
      session: await findDeveloper(args),
      practiceSlug: practice,
      level: level === 'read_only' ? 'read_only' : 'full',
      mcpWrites: level === 'full_writes',
    },
    visitorOf(args),
  )
  const headers = { ...messageHeaders, authorization: key.authorization() }
  return { key, answer: await callHere(args, mcpAddress(args.context, 'sandbox'), headers, message) }
}

const messageHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': protocolVersion,
}

function rpc(method: string, params: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

const levelNames: Record<McpLevel, string> = {
  read_only: 'read-only',
  full: 'full, MCP writes off',
  full_writes: 'full, MCP writes on',
}

/** No one reads the activity of the visitors' shared key. */
function activityOf(
  { keyId, practice }: ExplorerKey,
  practices: readonly { slug: string; organizationSlug: string | null }[],
): string | null {
  const organization = practices.find(({ slug }) => slug === practice.slug)?.organizationSlug ?? null
  return practice.organizationId === null || organization === null
    ? null
    : paths.logs(organization, { caller: `key:${keyId}` })
}

/** More than that is of no use on a page. */
const shownMax = 200_000

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

interface Message {
  result?: { isError?: boolean; structuredContent?: unknown; content?: { type: string; text?: string }[] }
}

/** @param tool as the server lists it */
function showToolAnswer(
  { text, ...answer }: HereAnswer,
  { name, outputSchema }: { name: string; outputSchema: object },
) {
  const body = (jsonOf(text) ?? {}) as Message
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
