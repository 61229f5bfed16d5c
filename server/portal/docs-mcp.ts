/**
 * The documentation's MCP server: `POST` to the URL of the page about MCP, without a key. The portal has the pages.
 * An error before a message is read has the REST API's envelope. The order of the checks:
 *
 * 1. load (503)
 * 2. rate limit of the address (429)
 * 3. method (405) and `Origin` (403)
 * 4. body (413, 415) and message (JSON-RPC errors)
 */
import { ErrorCode, type JSONRPCRequest, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Context } from 'hono'
import { z } from 'zod'
import { limits } from '../contract/http/limits.ts'
import { isProblem, Problem, toProblem } from '../contract/http/problems.ts'
import { docsMcpInstructions, docsTools, isDocsTool, listedDocsTools } from '../contract/mcp/docs-tools.ts'
import { readJson } from '../http/body.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { errorEnvelope, jsonType } from '../http/error-envelope.ts'
import { checkSlashes } from '../http/extra-slash.ts'
import {
  checkFirstPage,
  createExchange,
  type Messages,
  namedMethod,
  parseMessages,
  type RpcRefusal,
  rpcError,
  withCorrelationId,
} from '../http/mcp.ts'
import { dataHeaders } from '../http/security-headers.ts'
import type { Services } from '../services.ts'

/** The documentation as the portal provides it (`app/docs/mcp-source.route.ts`). */
export type DocsSource = {
  /** Best match first. Addresses are paths in the portal. */
  search(query: string, limit: number): readonly DocsResult[]
  /** A page as Markdown; null if the address isn't a documentation page. */
  read(path: string): string | null
  pages(): readonly { path: string; title: string; summary: string }[]
}

type DocsResult = { path: string; title: string; section: string; kind: string; excerpt: string }

const markdownType = 'text/markdown'
/** https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling */
const notFoundCode = -32002

const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
})
const readParams = z.looseObject({ uri: z.string() })

/** A GET for an event stream comes from an MCP client that looks for server messages. It must not get the page. */
export function isDocsMcp({ method, headers }: Request): boolean {
  return (
    method === 'POST' || method === 'DELETE' || /\btext\/event-stream\b/.test(headers.get('accept') ?? '')
  )
}

/** The HTTP request of an MCP message. */
type DocsRequest = {
  readonly docs: DocsSource
  readonly correlationId: string
  /** An error that fails the whole HTTP request. */
  fault?: unknown
}

export function createDocsMcp(
  { env, limiter, load, log }: Pick<Services, 'env' | 'limiter' | 'load' | 'log'>,
  findDocs: (c: Context<EdgeEnv>) => Promise<DocsSource>,
) {
  const exchange = createExchange<DocsRequest>(
    { name: 'sandpiper-docs', title: 'Sandpiper documentation', version: '1.0.0' },
    { capabilities: { tools: {}, resources: {} }, instructions: docsMcpInstructions },
    async (request, context) => {
      try {
        return handleRequest(context.docs, env.PUBLIC_ORIGIN, request)
      } catch (thrown) {
        if (thrown instanceof McpError) throw withCorrelationId(thrown, context.correlationId)
        context.fault ??= thrown
        return {}
      }
    },
  )

  return async function docsMcp(c: Context<EdgeEnv>): Promise<Response> {
    const { edge } = c.var
    edge.route = '/docs/mcp'
    try {
      await load.admitPage(edge, c.req.raw.headers, 'anonymous')
      const decision = await limiter.take([{ window: 'docsMcp', subject: edge.ipSubject }])
      if (!decision.admitted)
        throw new Problem('rate_limited', { retryAfterSeconds: decision.retryAfterSeconds })
      return await serve(c)
    } catch (thrown) {
      const problem = toProblem(thrown)
      if (problem.status >= 500 && edge.shed === null)
        log.error({ err: problem, correlationId: edge.correlationId }, 'docs MCP failed')
      return errorEnvelope(problem, edge.correlationId)
    }
  }

  async function serve(c: Context<EdgeEnv>): Promise<Response> {
    const request = c.req.raw
    const { correlationId } = c.var.edge
    checkSlashes(request, env.PUBLIC_ORIGIN)
    if (request.method !== 'POST') throw new Problem('method_not_allowed', { allow: ['POST'] })
    const origin = request.headers.get('origin')
    if (origin !== null && origin !== env.PUBLIC_ORIGIN)
      throw new Problem('forbidden', { message: 'Connect from a program, not from a page of another site.' })
    const messages = await readMessages(request)
    if (messages.kind === 'refused') return json(400, JSON.stringify(rpcError(messages, correlationId)))
    const method = namedMethod(messages)
    if (method !== null) c.var.edge.route = `/docs/mcp ${method}`
    const docs = await findDocs(c)
    const context: DocsRequest = { docs, correlationId }
    const { status, text } = await exchange(messages, context, correlationId)
    if (context.fault !== undefined) throw context.fault
    return text === null ? new Response(null, { status, headers: dataHeaders }) : json(status, text)
  }
}

async function readMessages(request: Request): Promise<Messages | RpcRefusal> {
  try {
    const body = await readJson(request, limits.portalBodyBytesMax)
    return parseMessages(body, request.headers.get('mcp-protocol-version'))
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'malformed_json') throw thrown
    return { kind: 'refused', id: null, code: ErrorCode.ParseError, message: thrown.message }
  }
}

function handleRequest(docs: DocsSource, portal: string, { method, params }: JSONRPCRequest) {
  switch (method) {
    case 'ping':
      return {}
    case 'tools/list':
      checkFirstPage(params)
      return { tools: listedDocsTools }
    case 'tools/call':
      return callTool(docs, portal, params)
    case 'resources/list':
      checkFirstPage(params)
      return {
        resources: docs.pages().map(({ path, title, summary }) => ({
          uri: `${portal}${path}.md`,
          name: path,
          title,
          description: summary,
          mimeType: markdownType,
        })),
      }
    case 'resources/templates/list':
      checkFirstPage(params)
      return { resourceTemplates: [] }
    case 'resources/read':
      return readResource(docs, portal, params)
    default:
      throw new McpError(ErrorCode.MethodNotFound, 'There is no such method.')
  }
}

function callTool(docs: DocsSource, portal: string, params: unknown) {
  const call = callParams.safeParse(params)
  if (!call.success) throw new McpError(ErrorCode.InvalidParams, 'tools/call needs a name and arguments.')
  const { name, arguments: args } = call.data
  if (!isDocsTool(name)) throw new McpError(ErrorCode.InvalidParams, 'There is no such tool.')
  if (name === 'search_docs') {
    const parsed = docsTools.search_docs.input.safeParse(args)
    return parsed.success ? toolText(search(docs, portal, parsed.data)) : refusal(parsed.error)
  }
  const parsed = docsTools.read_doc.input.safeParse(args)
  if (!parsed.success) return refusal(parsed.error)
  const text = docs.read(pathOf(parsed.data.page, portal))
  return text === null
    ? {
        ...toolText('There is no such page. Search for it, or read /docs, which lists all pages.'),
        isError: true,
      }
    : toolText(partOf(text, parsed.data))
}

type SearchInput = z.output<typeof docsTools.search_docs.input>
type ReadInput = z.output<typeof docsTools.read_doc.input>

function search(docs: DocsSource, portal: string, { query, limit }: SearchInput): string {
  const results = docs.search(query, limit)
  if (results.length === 0)
    return 'Nothing found. Try fewer or shorter words, or read /docs, which lists all pages.'
  return results
    .map(({ path, title, section, kind, excerpt }, at) =>
      [
        `${at + 1}. [${title}](${portal}${path})`,
        `   ${[kind, section].filter(Boolean).join(' · ')}`,
        ...(excerpt === '' ? [] : [`   ${excerpt}`]),
      ].join('\n'),
    )
    .join('\n')
}

function partOf(text: string, { offset, maxCharacters }: ReadInput): string {
  const end = offset + maxCharacters
  const part = text.slice(offset, end)
  if (part === '') return `The page ends before: it has ${text.length} characters.`
  return end < text.length
    ? `${part}\n\n[The page goes on: ${text.length - end} more characters. Read it again with offset ${end}.]`
    : part
}

function readResource(docs: DocsSource, portal: string, params: unknown) {
  const parsed = readParams.safeParse(params)
  if (!parsed.success) throw new McpError(ErrorCode.InvalidParams, 'resources/read needs a uri.')
  const { uri } = parsed.data
  const text = docs.read(pathOf(uri, portal))
  if (text === null) throw new McpError(notFoundCode, 'There is no such resource.')
  return { contents: [{ uri, mimeType: markdownType, text }] }
}

/** Assistants send URLs in all forms: with the origin, with `.md`, with the anchor of a section. */
function pathOf(page: string, portal: string): string {
  const path = page.startsWith(`${portal}/`) ? page.slice(portal.length) : page
  return path
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
    .replace(/\.md$/, '')
}

const toolText = (text: string) => ({ content: [{ type: 'text', text }] })

/** Errors that a client can correct and retry are returned as results. */
function refusal({ issues }: z.ZodError) {
  const text = issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`).join('\n')
  return { ...toolText(text), isError: true }
}

const json = (status: number, text: string): Response =>
  new Response(text, { status, headers: { ...dataHeaders, ...jsonType } })
