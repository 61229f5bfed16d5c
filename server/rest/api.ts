/**
 * The REST API. The order of the steps in {@link createRestApi} matters, because an early error hides what later steps would
 * reveal. After the last step it checks content type (415), size (413), JSON (400), purpose, Idempotency-Key, query and body
 * (400), and only then whether the record exists (404).
 *
 * Before an error without a data statement, the key is checked in the database: a revoked key always gets 401.
 */

import { type Context, Hono } from 'hono'
import type pg from 'pg'
import type { LogRecord } from '../audit/log-rows.ts'
import { createApiKeyAuth } from '../auth/api-key.ts'
import { accessAt } from '../auth/principal.ts'
import { confirmBeforeRefusal } from '../auth/with-liveness-retry.ts'
import type { CcdService } from '../ccd/ccd.ts'
import { hasEnded } from '../contract/http/deprecation.ts'
import type { Deprecations } from '../contract/http/deprecations.ts'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import { Problem } from '../contract/http/problems.ts'
import { operationNeeds } from '../contract/keys/class-coverage.ts'
import { uncapped } from '../contract/keys/key-caps.ts'
import { basePaths, createOpenApi } from '../contract/rest/openapi.ts'
import type { OperationId, OperationRow } from '../contract/rest/operations.ts'
import type { WithCore } from '../domain/core.ts'
import type * as documentsVerbs from '../domain/documents/documents.ts'
import type * as encountersVerbs from '../domain/encounters/encounters.ts'
import type * as patientsVerbs from '../domain/patients/patients.ts'
import { streamResponse, streamText, textResponse } from '../http/compression.ts'
import { addDeprecationHeaders } from '../http/deprecation-headers.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { bearerChallenge, errorEnvelope, jsonType } from '../http/error-envelope.ts'
import { checkSlashes } from '../http/extra-slash.ts'
import { type Faults, refuseFaults } from '../http/faults.ts'
import { createApi, type Steps } from '../http/pipeline.ts'
import { dataHeaders } from '../http/security-headers.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import type { Limiter } from '../limits/windows.ts'
import type { Store } from '../store/store.ts'
import { createAuthentication } from './authentication.ts'
import { bindPaths, type Call, honoPath, openCall, type PathItem } from './call.ts'
import { findNotice, recordOf } from './call-record.ts'
import { createCaps } from './caps.ts'
import type { HandlerAnswer } from './handler-types.ts'
import {
  allowedMethods,
  budgetHeaders,
  checkLevel,
  checkStructure,
  parseInput,
  takeWindows,
} from './input.ts'
import { checkNeed } from './key-access.ts'
import { createMcp, isMcp } from './mcp/mcp.ts'
import type { McpCore } from './mcp/mcp-core.ts'
import { createOperationCalls } from './operation-calls.ts'

type RestDependencies = Pick<McpCore, 'keyring' | 'ccd'> & {
  env: { REST_ORIGIN: string; PUBLIC_ORIGIN: string }
  pool: pg.Pool
  store: Pick<Store, 'search' | 'read' | 'isAlive'> & McpCore['store']
  patients: WithCore<typeof patientsVerbs>
  encounters: WithCore<typeof encountersVerbs>
  documents: WithCore<typeof documentsVerbs>
  ccd: CcdService
  limiter: Limiter
  load: LoadShedding
  faults: Faults
  deprecations: Deprecations
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
  clock: () => Date
}

export function createRestApi(
  dependencies: RestDependencies,
  environment: 'sandbox' | 'production',
): Hono<EdgeEnv> {
  const { env, pool, store, limiter, load, faults, recorder, clock, deprecations } = dependencies
  const base = `${env.REST_ORIGIN}${basePaths[environment]}`
  const auth = createApiKeyAuth({ pool, store, clock })
  const authentication = createAuthentication({ auth, limiter })
  const openApi = createOpenApi({ restOrigin: env.REST_ORIGIN, environment, deprecations })
  const caps = createCaps({ pool, clock, authentication })
  const operationCalls = createOperationCalls({ ...dependencies, authentication, caps, openApi })
  const mcp = createMcp({ ...dependencies, authentication, caps, operationCalls })

  const steps: Steps<Call> = [
    ['load (503)', admit],
    ['what is public', answerOpenly],
    ['key (401), for a wrong one failures of the address (429)', authentication.authenticate],
    ['windows of the key and its practice (429)', (call) => takeWindows(call, limiter)],
    ['a fault that was asked for; in production its header (400)', injectFault],
    ['what no key may ever do (403)', checkStructure],
    ['level of the key (403)', checkLevel],
    ['path (404)', checkPath],
    ['what the path answers', describeMethods],
    ['method (405)', findOperation],
    ['an operation that has ended (410)', checkNotEnded],
    ['what the key may read (403)', checkClasses],
    ['what the practice allows it a day, and when (429, 403)', checkCaps],
    ['MCP', (call) => (call.bound && isMcp(call.bound.operationId) ? mcp(call) : undefined)],
  ]
  const serve = createApi<Call, HandlerAnswer<OperationId>>({
    steps,
    handle: async (call) => {
      const { operationId, row } = boundOf(call)
      return operationCalls.handle(operationId as OperationId, await parseInput(call, row, clock()), call)
    },
    record: async (call, { made, isRecorded, ...answer }) => {
      // A write is recorded in its own transaction, a read of one patient by its statement.
      if (made?.recorded || isRecorded) return
      try {
        await caps.checkPatients(call.principal, answer)
        await recorder.commit(recordOf(call, { ...answer, status: statusOf(call) }))
      } catch (thrown) {
        await answer.text?.pieces.return?.()
        throw thrown
      }
    },
    respond,
    settle: (call, problem) => confirmBeforeRefusal(call, problem, authentication.confirm),
    recordRefusal: (call, problem) => recorder.note(recordOf(call, { status: problem.status, problem })),
    refuse: (call, problem) =>
      errorEnvelope(
        problem,
        call.edge.correlationId,
        problem.status === 401 ? bearerChallenge(call.request) : budgetHeaders(call),
      ),
  })

  const app = new Hono<EdgeEnv>()
  for (const item of bindPaths()) app.all(honoPath(item.pattern), (c) => answer(c, open(c, item)))
  app.all('*', (c) => answer(c, open(c, null)))
  return app

  async function answer(c: Context<EdgeEnv>, call: Call): Promise<Response> {
    call.notice = findNotice(call, base, deprecations.rest)
    return addDeprecationHeaders(await serve(c, call), call.notice, env.PUBLIC_ORIGIN)
  }

  function admit({ edge, request, method, item }: Call): Promise<void> | void {
    return load.admit(edge, request.headers, workClassOf(request, item?.rows.get(method)?.row))
  }

  function checkPath({ request, item }: Call): void {
    checkSlashes(request, env.REST_ORIGIN)
    if (item === null) throw new Problem('not_found')
  }

  function checkNotEnded({ notice }: Call): void {
    if (hasEnded(notice?.deprecation, clock())) throw new Problem('gone')
  }

  function checkClasses(call: Call): void {
    const { bound, principal } = call
    // Each MCP tool has its own row of needs.
    call.need = operationNeeds[bound?.operationId as OperationId] ?? null
    if (principal !== null) checkNeed(accessAt(principal, clock()), call.need)
  }

  /** MCP messages are counted by their tools instead. */
  function checkCaps(call: Call): Promise<void> | void {
    const operationId = call.bound?.operationId ?? ''
    if (!isMcp(operationId) && !uncapped.has(operationId as OperationId)) return caps.check(call)
  }

  function open(c: Context<EdgeEnv>, item: PathItem | null): Call {
    const { edge } = c.var
    if (item !== null) edge.route = item.pattern
    const path = decodePath(c.req.path.slice(basePaths[environment].length))
    return openCall({ request: c.req.raw, edge, environment, path, params: c.req.param(), item })
  }

  /** Public operations need no key and return no records, so they are not logged. */
  async function answerOpenly(call: Call): Promise<Response | undefined> {
    const operation = call.item?.rows.get(call.method)
    if (operation?.row.level !== 'none') return
    refuseFaults(call.request)
    checkSlashes(call.request, env.REST_ORIGIN)
    checkNotEnded(call)
    const { body } = await operationCalls.handle(
      operation.operationId as OperationId,
      { params: {}, query: {}, body: undefined },
      call,
    )
    return textResponse(call.request, JSON.stringify(body), { headers: { ...dataHeaders, ...jsonType } })
  }

  async function injectFault(call: Call): Promise<void> {
    await faults.inject(call, {
      environment,
      subject: { keyId: call.principal?.keyId ?? '' },
      api: 'rest',
      occasion: 'call',
      confirm: () => authentication.confirm(call),
    })
  }

  /** OPTIONS lists the methods of the path. There is no CORS, because keys belong on servers. */
  async function describeMethods(call: Call): Promise<Response | undefined> {
    if (call.method !== 'OPTIONS') return
    await authentication.confirm(call)
    await recorder.commit(recordOf(call, { status: 204, count: 0, patientId: null }))
    const headers = { ...dataHeaders, ...budgetHeaders(call), Allow: allowedMethods(call).join(', ') }
    return new Response(null, { status: 204, headers })
  }

  async function respond(call: Call, answer: HandlerAnswer<OperationId>): Promise<Response> {
    const status = statusOf(call)
    if (answer.text !== undefined) {
      const headers = { ...dataHeaders, ...budgetHeaders(call), ...answer.text.headers }
      const empty = call.request.method === 'HEAD'
      if (empty) await answer.text.pieces.return?.()
      return empty
        ? new Response(null, { status, headers })
        : streamResponse(call.request, streamText(answer.text.pieces), { status, headers })
    }
    const { locationPath } = boundOf(call).row
    const location = locationPath !== undefined &&
      answer.made && {
        Location: `${base}${locationPath.replace('{id}', answer.made.id)}`,
      }
    const headers = { ...dataHeaders, ...jsonType, ...budgetHeaders(call), ...location }
    const { body } = answer
    const text = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return textResponse(call.request, text, { status, headers })
  }
}

function workClassOf({ headers }: Request, row: OperationRow | undefined): WorkClass {
  if (row?.level === 'none' || !headers.has('authorization')) return 'anonymous'
  return row?.heavy === undefined ? 'authorized' : 'heavy'
}

function findOperation(call: Call): void {
  const bound = call.item?.rows.get(call.method)
  if (bound === undefined) throw new Problem('method_not_allowed', { allow: allowedMethods(call) })
  call.bound = bound
  call.row = bound.row
}

/** @throws Problem `internal` before the operation was found */
function boundOf({ bound }: Call): NonNullable<Call['bound']> {
  if (bound === null) throw new Problem('internal', { detail: 'a request without an operation' })
  return bound
}

const statusOf = (call: Call): number => boundOf(call).row.status ?? 200

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
