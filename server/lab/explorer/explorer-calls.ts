/**
 * One call from the explorer: built from the table of operations, sent through our own API with a key of the
 * explorer, and told with everything that it left behind. What the browser sent is used as values and nothing else.
 */

import { readAnswerHead } from '../../contract/http/answer-head.ts'
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

export type ExplorerResult = Extract<Awaited<ReturnType<typeof call>>, { kind: 'answered' }>

const baseOf = ({ env }: Core) => env.REST_ORIGIN + basePaths.sandbox

/**
 * @returns the answer, whatever its status; `refused` when no request could be made of the input
 * @throws Problem as `explorerKeys.use`
 */
export async function call(core: Core, input: ExplorerCall, caller: ExplorerCaller) {
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
    kind: 'answered' as const,
    operation: input.operation,
    request: toShown(core, request, row),
    key: {
      keyId: key.keyId,
      level: key.level,
      practice: { slug: key.practice.slug },
      /** Shared by everyone who isn't signed in. */
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
) {
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
  return { kind: 'refused' as const, refusal, field, message: requestRefusals[refusal] }
}

async function send(
  core: Core,
  request: BuiltRequest,
  key: ExplorerKey,
  row: OperationRow,
  { callApi }: ExplorerCaller,
) {
  const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]))
  if (row.level !== 'none') headers.set('Authorization', key.authorization())
  const init: RequestInit = { method: request.method, headers }
  if (request.body !== null) init.body = request.body
  const startedMs = performance.now()
  const response = await callApi(new Request(baseOf(core) + request.path, init))
  return readAnswer(response, Math.round((performance.now() - startedMs) * 10) / 10)
}

/** The request as a developer would send it, with `$SVC_KEY` instead of the key. */
function toShown(core: Core, { method, path, headers, body }: BuiltRequest, row: OperationRow) {
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

/** More is not shown; it is counted all the same. */
const shownBytesMax = 262_144

/** A response in its parts; only the beginning of a long text. */
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
