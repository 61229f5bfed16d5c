/**
 * Door C. The order of refusal is fixed, because what comes first decides what a caller may learn:
 *
 * 1. the key (401, one sentence for every cause)
 * 2. for a wrong key: failed authentications of the address (429)
 * 3. windows of the key and of the practice (429)
 * 4. a fault that was asked for; in production its header (400)
 * 5. what no key may ever do (403)
 * 6. the key's level (403)
 * 7. the path (404) and its methods (405)
 * 8. content type (415), size (413), JSON (400)
 * 9. purpose, Idempotency-Key, query and body (400), and last whether the record is there (404)
 *
 * A refusal of steps 3 to 9 that comes before any data statement asks whether the key still lives:
 * a revoked key gets its 401 however it is used.
 */
import { type Context, Hono } from 'hono'
import type pg from 'pg'
import { pageMark } from '../audit/call-rows.ts'
import type { LogRecord, PageMark } from '../audit/log-rows.ts'
import { createApiKeyAuth } from '../auth/api-key.ts'
import { settleRefusal } from '../auth/settle-refusal.ts'
import type { CcdService } from '../ccd/ccd.ts'
import { basePaths, createOpenApi } from '../contract/openapi.ts'
import type { OperationId } from '../contract/operations.ts'
import { Problem, toProblem } from '../contract/problems.ts'
import type { Documents } from '../domain/documents/documents.ts'
import type { Encounters } from '../domain/encounters/encounters.ts'
import { type Faults, refuseFaults } from '../domain/faults/meet-faults.ts'
import type { Patients } from '../domain/patients/patients.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { errorEnvelope, jsonType } from '../http/error-envelope.ts'
import { faultedAnswer } from '../http/faulted-answer.ts'
import { dataHeaders } from '../http/security-headers.ts'
import { streamText } from '../http/text-stream.ts'
import type { Limiter } from '../limits/windows.ts'
import type { Store } from '../store/store.ts'
import { createAuthentication } from './authentication.ts'
import { bindPaths, honoPath } from './bind.ts'
import { type Call, openCall, type PathItem } from './call.ts'
import { recordOf } from './call-record.ts'
import { allowedMethods, budgetHeaders, checkLevel, checkStructure, takeWindows } from './checks.ts'
import { parseInput } from './input.ts'
import { createMcp, isMcp, type McpDependencies } from './mcp/mcp.ts'
import { createOperationCalls } from './operation-calls.ts'

export type RestDependencies = Pick<McpDependencies, 'keyring' | 'ccd'> & {
  env: { REST_ORIGIN: string; PUBLIC_ORIGIN: string }
  pool: pg.Pool
  store: Pick<Store, 'find' | 'isAlive'> & McpDependencies['store']
  patients: Patients
  encounters: Encounters
  documents: Documents
  ccd: CcdService
  limiter: Limiter
  faults: Faults
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
  clock: () => Date
}

export function createRestDoor(
  dependencies: RestDependencies,
  environment: 'sandbox' | 'production',
): Hono<EdgeEnv> {
  const { env, pool, store, limiter, faults, recorder, clock } = dependencies
  const auth = createApiKeyAuth({ pool, store, clock })
  const authentication = createAuthentication({ auth, limiter })
  const openApi = createOpenApi({ restOrigin: env.REST_ORIGIN, environment })
  const operationCalls = createOperationCalls({ ...dependencies, authentication, openApi })
  const mcp = createMcp({ ...dependencies, authentication, operationCalls })

  const app = new Hono<EdgeEnv>()
  for (const item of bindPaths()) app.all(honoPath(item.pattern), (c) => serve(c, item))
  app.all('*', (c) => serve(c, null))
  return app

  async function serve(c: Context<EdgeEnv>, item: PathItem | null): Promise<Response> {
    const { edge } = c.var
    if (item !== null) edge.route = item.pattern
    const path = decodePath(c.req.path.slice(basePaths[environment].length))
    const call = openCall({ request: c.req.raw, edge, environment, path, params: c.req.param(), item })
    try {
      const open = item?.rows.get(call.method)
      if (open?.row.level === 'none') return await answerOpenly(call, open.operationId as OperationId)
      return await faultedAnswer(await answer(call), call.fault, c)
    } catch (thrown) {
      const problem = await settleRefusal(call, toProblem(thrown), authentication.confirm)
      if (problem.status >= 500) c.error = problem
      recorder.note(recordOf(call, { status: problem.status, problem }))
      const headers = problem.status === 401 ? {} : budgetHeaders(call)
      return faultedAnswer(errorEnvelope(problem, edge.correlationId, headers), call.fault, c)
    }
  }

  async function answer(call: Call): Promise<Response> {
    await authentication.authenticate(call)
    await takeWindows(call, limiter)
    await meetFaults(call)
    checkStructure(call)
    checkLevel(call)
    if (call.item === null) throw new Problem('not_found')
    if (call.method === 'OPTIONS') return describeMethods(call)
    const bound = call.item.rows.get(call.method)
    if (bound === undefined) throw new Problem('method_not_allowed', { allow: allowedMethods(call) })
    call.row = bound.row
    if (isMcp(bound.operationId)) return mcp(call)
    const input = await parseInput(call, bound.row)
    const answer = await operationCalls.handle(bound.operationId as OperationId, input, call)
    const { status = 200, located } = bound.row
    const text = answer.text === undefined ? JSON.stringify(answer.body) : null
    // A write is recorded in its own transaction.
    if (!answer.made?.recorded) {
      const { count, patientId, body } = answer
      await recorder.commit(recordOf(call, { status, count, patientId, page: pageOf(body) }))
    }
    if (answer.text !== undefined) {
      const headers = { ...dataHeaders, ...budgetHeaders(call), ...answer.text.headers }
      const empty = call.request.method === 'HEAD'
      if (empty) await answer.text.pieces.return?.()
      return new Response(empty ? null : streamText(answer.text.pieces), { status, headers })
    }
    const location = located !== undefined &&
      answer.made && {
        Location: `${env.REST_ORIGIN}${basePaths[environment]}${located.replace('{id}', answer.made.id)}`,
      }
    return new Response(text, {
      status,
      headers: { ...dataHeaders, ...jsonType, ...budgetHeaders(call), ...location },
    })
  }

  async function meetFaults(call: Call): Promise<void> {
    await faults.meet(call, {
      environment,
      subject: { keyId: call.principal?.keyId ?? '' },
      door: 'rest',
      occasion: 'call',
      confirm: () => authentication.confirm(call),
    })
  }

  /** No key, nothing of anybody: nothing is logged to a key or a practice. */
  async function answerOpenly(call: Call, operationId: OperationId): Promise<Response> {
    refuseFaults(call.request)
    const { body } = await operationCalls.handle(
      operationId,
      { params: {}, query: {}, body: undefined },
      call,
    )
    return new Response(JSON.stringify(body), { headers: { ...dataHeaders, ...jsonType } })
  }

  /** OPTIONS says what the path answers. There is no CORS: a key belongs on a server. */
  async function describeMethods(call: Call): Promise<Response> {
    await authentication.confirm(call)
    await recorder.commit(recordOf(call, { status: 204, count: 0, patientId: null }))
    const headers = { ...dataHeaders, ...budgetHeaders(call), Allow: allowedMethods(call).join(', ') }
    return new Response(null, { status: 204, headers })
  }
}

/** Of an answer that is a list. */
function pageOf(body: object | string): PageMark | null {
  if (typeof body === 'string' || !('page' in body)) return null
  const { offset, hasMore } = body.page as { offset: number; hasMore: boolean }
  return pageMark({ isFirst: offset === 0, hasMore })
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
