/**
 * One call from the explorer: built from the table of operations, sent through our own API with a key of the
 * explorer, and told with everything that it left behind. What the browser sent is used as values and nothing else.
 */

import { type AnswerHead, readAnswerHead } from '../../contract/http/answer-head.ts'
import {
  type BuiltRequest,
  buildRequest,
  type ExplorerCall,
  findOperation,
  type RequestRefusal,
  requestRefusals,
} from '../../contract/lab/explorer-request.ts'
import { basePaths } from '../../contract/rest/openapi.ts'
import type { OperationRow } from '../../contract/rest/operations.ts'
import type { Context } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import * as explorerHistory from './explorer-history.ts'
import type { ExplorerKey } from './explorer-keys.ts'
import * as explorerKeys from './explorer-keys.ts'
import type { ExplorerSession } from './explorer-practices.ts'

/** The caller, and how to reach our own APIs from their address. */
export type ExplorerCaller = Readonly<{
  session: ExplorerSession
  context: Context
  callApi: (request: Request) => Promise<Response>
}>

type ExplorerRefusal = Readonly<{
  kind: 'refused'
  refusal: RequestRefusal
  field: string | null
  message: string
}>

export type ExplorerResult = Readonly<{
  kind: 'answered'
  operation: string
  /** The request as a developer would send it, with `$SVC_KEY` instead of the key. */
  request: ShownRequest
  key: Readonly<{
    keyId: string
    prefix: string
    level: 'read_only' | 'full'
    expiresAt: string
    practice: Readonly<{ slug: string; name: string }>
    /** Shared by everyone who isn't signed in. */
    shared: boolean
  }>
  answer: ExplorerAnswer
}>

export type ShownRequest = Readonly<{
  method: string
  url: string
  headers: readonly Readonly<{ name: string; value: string }>[]
  body?: string
}>

const baseOf = ({ env }: Core) => env.REST_ORIGIN + basePaths.sandbox

/**
 * @returns the answer, whatever its status; `refused` when no request could be made of the input
 * @throws Problem as `explorerKeys.use`
 */
export async function call(
  core: Core,
  input: ExplorerCall,
  caller: ExplorerCaller,
): Promise<ExplorerResult | ExplorerRefusal> {
  const built = buildRequest(input)
  if (built.kind === 'refused') return refuse(core, built, caller, input.operation)
  const { request, row } = built
  const { session, context } = caller
  const asked = { session, practiceSlug: input.practice ?? null, level: input.level }
  const key = await explorerKeys.use(core, asked, context)
  const answer = await send(core, request, key, row, caller)
  await explorerHistory.keep(core, session, {
    interface: 'rest',
    operation: input.operation,
    practiceSlug: key.practice.slug,
    level: key.level,
    status: answer.status,
    durationMs: Math.round(answer.durationMs),
    correlationId: answer.correlationId,
    request: {
      method: request.method,
      path: request.pattern,
      query: { ...input.query },
      headers: Object.keys(input.headers),
      body: request.body !== null,
    },
  })
  return {
    kind: 'answered',
    operation: input.operation,
    request: toShown(core, request, row),
    key: {
      keyId: key.keyId,
      prefix: key.prefix,
      level: key.level,
      expiresAt: key.expiresAt.toISOString(),
      practice: { slug: key.practice.slug, name: key.practice.name },
      shared: key.practice.organizationId === null,
    },
    answer,
  }
}

/** What a fault of the input is answered with; said in the log, without what was sent. */
export function refuse(
  { log }: Core,
  { refusal, field }: { refusal: RequestRefusal; field: string | null },
  { session, context }: Pick<ExplorerCaller, 'session' | 'context'>,
  operation: string | null = null,
): ExplorerRefusal {
  log.warn(
    {
      refusal,
      field,
      operation: operation !== null && findOperation(operation) ? operation : 'unknown',
      accountId: session?.accountId ?? null,
      ip: context.ip,
      correlationId: context.correlationId,
    },
    'the explorer refused to make a request',
  )
  return { kind: 'refused', refusal, field, message: requestRefusals[refusal] }
}

async function send(
  core: Core,
  request: BuiltRequest,
  key: ExplorerKey,
  row: OperationRow,
  { callApi }: ExplorerCaller,
): Promise<ExplorerAnswer> {
  const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]))
  if (row.level !== 'none') headers.set('Authorization', key.authorization())
  const init: RequestInit = { method: request.method, headers }
  if (request.body !== null) init.body = request.body
  const startedMs = performance.now()
  const response = await callApi(new Request(baseOf(core) + request.path, init))
  return readAnswer(response, Math.round((performance.now() - startedMs) * 10) / 10)
}

function toShown(core: Core, { method, path, headers, body }: BuiltRequest, row: OperationRow): ShownRequest {
  return {
    method,
    url: baseOf(core) + path,
    headers: [
      ...(row.level === 'none' ? [] : [{ name: 'Authorization', value: 'Bearer $SVC_KEY' }]),
      ...headers.map(([name, value]) => ({ name, value })),
    ],
    ...(body === null ? {} : { body }),
  }
}

/** An answer of the interface in its parts. */
type ExplorerAnswer = AnswerHead &
  Readonly<{
    status: number
    durationMs: number
    bytes: number
    /** The beginning of it, where it is long. */
    text: string
    shortened: boolean
  }>

/** More is not shown; it is counted all the same. */
const shownBytesMax = 262_144

async function readAnswer(response: Response, durationMs: number) {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const shortened = bytes.length > shownBytesMax
  const text = new TextDecoder().decode(shortened ? bytes.subarray(0, shownBytesMax) : bytes)
  return {
    ...readAnswerHead(response.headers),
    status: response.status,
    durationMs,
    bytes: bytes.length,
    text,
    shortened,
  }
}
