/**
 * One call from the explorer: built from the table of operations, sent through our own API with a key of the
 * explorer, and told with everything that it left behind. What the browser sent is used as values and nothing else.
 */
import type { AccessEntry } from '../../audit/access-log.ts'
import * as accessLog from '../../audit/access-log.ts'
import type { ActivityEntry } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
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
import { type ExplorerAnswer, readAnswer } from './explorer-answer.ts'
import * as explorerHistory from './explorer-history.ts'
import type { ExplorerKey } from './explorer-keys.ts'
import * as explorerKeys from './explorer-keys.ts'
import type { ExplorerSession } from './explorer-session.ts'
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
  /** The rows that this call wrote. Null if the operation needs no key. */
  activity: ActivityEntry | null
  access: readonly AccessEntry[]
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
  const key = await openKey(core, input, caller)
  const { response, durationMs } = await send(core, request, key, row, caller)
  const answer = await readAnswer(response, row, durationMs)
  const [activity, access] = row.level === 'none' ? [null, []] : await findRows(core, key, answer)
  await keep(core, input, { request, key, answer }, caller)
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
    activity,
    access,
  }
}

/**
 * The same call without what it left behind: the interface's own answer, for a client that shows it itself.
 * @throws Problem as `call`
 */
export async function pass(
  core: Core,
  input: ExplorerCall,
  caller: ExplorerCaller,
): Promise<Response | ExplorerRefusal> {
  const built = buildRequest(input)
  if (built.kind === 'refused') return refuse(core, built, caller, input.operation)
  const key = await openKey(core, input, caller)
  const { response } = await send(core, built.request, key, built.row, caller)
  return response
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

function openKey(
  core: Core,
  { practice, level }: ExplorerCall,
  { session, context }: ExplorerCaller,
): Promise<ExplorerKey> {
  return explorerKeys.use(core, { session, practiceSlug: practice ?? null, level }, context)
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
  return { response, durationMs: Math.round((performance.now() - startedMs) * 10) / 10 }
}

/** Served rows are committed before the answer leaves; those of refusals are on their way. */
async function findRows(
  core: Core,
  key: ExplorerKey,
  { status, correlationId }: ExplorerAnswer,
): Promise<[ActivityEntry | null, readonly AccessEntry[]]> {
  const { recorder } = core
  if (correlationId === null) return [null, []]
  if (status >= 400) await recorder.flush()
  // It was made just now: no older month is looked into.
  const from = new Date(core.clock().getTime() - 86_400_000)
  const [activity, access] = await Promise.all([
    activityLog.page(core, { keyId: key.keyId, correlationId, limit: 1 }),
    accessLog.page(core, key.practice.id, { principalId: key.keyId, correlationId, from, limit: 10 }),
  ])
  return [activity.rows[0] ?? null, access.rows]
}

async function keep(
  core: Core,
  input: ExplorerCall,
  { request, key, answer }: { request: BuiltRequest; key: ExplorerKey; answer: ExplorerAnswer },
  { session }: ExplorerCaller,
): Promise<void> {
  if (session === null) return
  await explorerHistory.keep(core, {
    accountId: session.accountId,
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
