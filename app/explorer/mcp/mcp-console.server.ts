/** The server's part of the MCP console: the list of tools at a level, and a call with a key that stays on this server. */
import { jsonOf } from '../../../server/contract/http/answer-head.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { askedArgs } from '../../../server/contract/lab/explorer-links.ts'
import { isMcpToolName, mcpTools } from '../../../server/contract/mcp/tools.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { ExplorerKey } from '../../../server/lab/explorer/explorer-keys.ts'
import { mcpAddress } from '../../lib/api-base.server.ts'
import { type PageArgs, visitorOf } from '../../services.server.ts'
import type { JsonSchema } from '../../shared/operations/schema-field.ts'
import { withColors } from '../../shared/snippets/highlight.server.ts'
import { snippetsFor } from '../../shared/snippets/snippets.server.ts'
import {
  activityOf,
  callHere,
  findDeveloper,
  findStoredCall,
  type HereAnswer,
  readCommon,
  shownMax,
} from '../calls/caller.server.ts'
import { peopleChoices } from '../choices.server.ts'
import type { ExplorerPage, OperationGroup } from '../page.ts'
import { askedArguments, toolArguments, toolFields } from './tool-arguments.ts'

/** Levels of a key at the MCP server. */
const mcpLevels = ['read_only', 'full', 'full_writes'] as const
type McpLevel = (typeof mcpLevels)[number]

interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: { readonly readOnlyHint: boolean }
}

const protocolVersion = '2025-11-25'

export async function loadConsole(args: PageArgs) {
  const { services } = args.context
  const session = await findDeveloper(args)
  const practices = await services.explorerKeys.listPractices(session)
  const query = queryOf(args)
  const chosen = practices.find(({ slug }) => slug === query.practice) ?? practices[0]
  if (!chosen || (query.practice !== null && chosen.slug !== query.practice)) throw new Problem('not_found')
  const mayWrite = chosen.levels.includes('full') && !isForeign(args.request)
  const level = mayWrite ? (query.level ?? levelFor(query.tool)) : 'read_only'
  const { tools } = await listTools(args, { practice: chosen.slug, level })
  const tool = tools.find(({ name }) => name === query.tool) ?? tools[0] ?? null
  const idempotencyKey = crypto.randomUUID()
  const fields = (tool === null ? [] : toolFields(tool.name, tool.inputSchema)).map((field) =>
    // With the same key, a repeated press creates nothing twice.
    field.name === 'idempotencyKey' ? { ...field, usual: idempotencyKey } : field,
  )
  const levels: readonly McpLevel[] = chosen.levels.includes('full') ? mcpLevels : ['read_only']
  const argumentsText = new URL(args.request.url).searchParams.get(askedArgs)
  const at = (more: Record<string, string>) =>
    `?${new URLSearchParams({ practice: chosen.slug, level, ...more })}`
  const page: ExplorerPage = {
    ...(await readCommon(args)),
    api: 'MCP',
    title: tool?.title ?? 'No tool',
    description: tool?.description ?? '',
    reference: { to: paths.mcpGuide, label: 'How to connect' },
    source: { label: 'tools/list', version: `MCP ${protocolVersion}`, to: paths.mcpGuide },
    operations: [
      {
        title: 'Tools',
        rows: tools.map(({ name, title, annotations }) => ({
          to: at({ tool: name }),
          method: annotations.readOnlyHint ? 'read' : 'write',
          label: title,
          isCurrent: name === tool?.name,
          writes: !annotations.readOnlyHint,
        })),
      },
      ...(levels.includes('full_writes') && level !== 'full_writes' ? [toolsThatWrite(chosen.slug)] : []),
    ],
    request: {
      key: JSON.stringify([tool?.name, argumentsText]),
      action: at({ tool: tool?.name ?? '' }),
      method: 'POST',
      base: mcpAddress(args.context, 'sandbox'),
      path: ` ${tool?.name ?? ''}`,
      fields,
      hidden: { tool: tool?.name ?? '' },
    },
    values: askedArguments(argumentsText, fields),
    choices: peopleChoices,
    practices: practices.map(({ slug, name }) => ({ value: slug, display: name })),
    practice: chosen.slug,
    credential: {
      name: 'level',
      label: 'Key level',
      groups: [{ title: '', choices: levels.map((value) => ({ value, display: levelWords[value] })) }],
      value: level,
      reloads: true,
    },
    suggestions: [],
    // The history stores no arguments.
    note: (await findStoredCall(args, session, 'mcp'))
      ? 'From your history. Arguments were not stored. Fill them in again.'
      : null,
    idle: {
      title: 'Result',
      text: 'The tool’s result as a tree, as the text an assistant reads, and as the JSON-RPC message.',
      example: null,
    },
  }
  return { ...page, level, tools: tools.map(({ name }) => ({ name })) }
}

const levelWords: Record<McpLevel, string> = {
  read_only: 'Read-only key',
  full: 'Full key, writes off',
  full_writes: 'Full key, writes on',
}

const toolsThatWrite = (practice: string): OperationGroup => ({
  title: 'With writes on',
  rows: [
    {
      to: `?${new URLSearchParams({ practice, level: 'full_writes' })}`,
      method: 'list',
      label: 'Tools that write',
      isCurrent: false,
    },
  ],
})

export async function runConsole(args: PageArgs, fields: FormData) {
  const values = Object.fromEntries([...fields].map(([name, value]) => [name, String(value)]))
  const query = queryOf(args)
  const practice = values.practice ?? query.practice
  const level = mcpLevels.find((name) => name === values.level) ?? query.level ?? levelFor(query.tool)
  const sent = { values, practice: practice ?? '', credential: level }
  const refuse = (field: string, message: string) => ({ kind: 'refused' as const, ...sent, field, message })
  try {
    const { tools } = await listTools(args, { practice, level })
    const tool = tools.find(({ name }) => name === fields.get('tool'))
    if (!tool) return refuse('tool', 'This key doesn’t have this tool.')
    const input = toolArguments(tool.name, tool.inputSchema, fields)
    if (input.kind === 'wrong') return refuse(input.field, input.message)
    const message = rpc('tools/call', { name: tool.name, arguments: input.value })
    const { answer, key } = await callServer(args, { practice, level }, message)
    const session = await findDeveloper(args)
    const practices = await args.context.services.explorerKeys.listPractices(session)
    await args.context.services.explorerHistory.keep(session, {
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
    })
    return {
      kind: 'answer' as const,
      api: 'MCP' as const,
      ...sent,
      tool: tool.name,
      ...showToolAnswer(answer),
      logs: activityOf(key, practices),
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
    return refuse('form', thrown.message)
  }
}

/**
 * A full key creates a copy of the practice's records, which a link on another site must not do.
 * https://w3c.github.io/webappsec-fetch-metadata/
 */
const isForeign = ({ headers }: Request): boolean =>
  ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')

function queryOf({ request }: PageArgs): { practice: string | null; level?: McpLevel; tool: string | null } {
  const query = new URL(request.url).searchParams
  const level = query.has('level')
    ? (mcpLevels.find((name) => name === query.get('level')) ?? 'read_only')
    : undefined
  return {
    practice: query.get('practice') || null,
    ...(level && { level }),
    tool: query.get('tool'),
  }
}

/** The level if none was chosen. Only keys that may write have the tools that write. */
const levelFor = (tool: string | null): McpLevel =>
  tool !== null && isMcpToolName(tool) && mcpTools[tool].writes ? 'full_writes' : 'read_only'

async function listTools(args: PageArgs, where: { practice: string | null; level: McpLevel }) {
  const { answer } = await callServer(args, where, rpc('tools/list', {}))
  const { result } = (jsonOf(answer.text) ?? {}) as { result?: { tools?: Tool[] } }
  return { answer, tools: result?.tools ?? [] }
}

async function callServer(
  args: PageArgs,
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

const rpc = (method: string, params: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

interface Message {
  result?: { isError?: boolean; structuredContent?: unknown; content?: { type: string; text?: string }[] }
}

function showToolAnswer({ text, ...answer }: HereAnswer) {
  const body = (jsonOf(text) ?? {}) as Message
  const contentText = (body.result?.content ?? []).flatMap(({ text: part }) => part ?? []).join('\n')
  const structured = body.result?.structuredContent ?? null
  const pretty = JSON.stringify(body, null, 2)
  return {
    ...answer,
    isError: body.result?.isError === true || body.result === undefined,
    structured: pretty.length > shownMax ? null : (structured as Json),
    text: contentText.slice(0, shownMax),
    source: pretty.slice(0, shownMax),
    isCut: pretty.length > shownMax || contentText.length > shownMax,
  }
}
