/**
 * Door B, https://hl7.org/fhir/uv/bulkdata/STU2/export.html — on the FHIR base, so with its order of refusal: window
 * of the address (429), token (401), windows of token and practice (429), a fault that was
 * asked for or in production its header (400), method and path (404), the token's practice
 * and audience (403), headers and parameters (400), scopes (403), what is there (404), what runs already (429).
 */
import { type Context, Hono } from 'hono'
import type { LogRecord } from '../audit/log-rows.ts'
import { accessTo } from '../auth/access.ts'
import { livenessOf, type SmartPrincipal } from '../auth/principal.ts'
import { settleRefusal } from '../auth/settle-refusal.ts'
import { createSmartCaller } from '../auth/smart-caller.ts'
import type { SmartTokenAuth } from '../auth/smart-token.ts'
import { limits } from '../contract/limits.ts'
import { Problem, toProblem } from '../contract/problems.ts'
import type { BulkExports } from '../domain/bulk-exports/bulk-exports.ts'
import { labOf } from '../domain/bulk-exports/export-lab.ts'
import type { ExportStorage } from '../domain/bulk-exports/export-storage.ts'
import type { Faults } from '../domain/faults/meet-faults.ts'
import { populationGroupId } from '../domain/practices/population-group.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { faultedAnswer } from '../http/faulted-answer.ts'
import { emptyAnswer, jsonAnswer, streamAnswer } from '../http/fhir-answer.ts'
import { preflightHeaders } from '../http/fhir-cors.ts'
import { checkId } from '../http/fhir-id.ts'
import { challenge, problemOutcome } from '../http/outcome.ts'
import type { ClientLimits } from '../limits/client-limits.ts'
import { takeAddressWindow, takeCallerWindows } from '../limits/fhir-windows.ts'
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts'
import type { Limiter } from '../limits/windows.ts'
import { parseParameters } from '../search/query-string.ts'
import type { Store } from '../store/store.ts'
import { type Call, openCall, recordOf } from './call.ts'
import { type FileAnswer, fileAnswer } from './file.ts'
import { checkHeaders, checkPast, parseKickOff, planExport } from './kick-off-request.ts'
import { type BulkRoute, findBulkRoute } from './routes.ts'

type Dependencies = {
  env: { FHIR_ORIGIN: string }
  store: Pick<Store, 'findPopulation'>
  smartTokens: SmartTokenAuth
  limiter: Limiter
  clientLimits: ClientLimits
  faults: Faults
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
  bulkExports: BulkExports
  exportStorage: ExportStorage
  clock: () => Date
}

type Answer = FileAnswer & { count?: number; resourceType?: string }

/** Mounted at `/r4`, before the FHIR door: what it does not know goes on there. */
export function createBulkDoor(dependencies: Dependencies): Hono<EdgeEnv> {
  const { env, store, limiter, clientLimits, faults, recorder, bulkExports, exportStorage, clock } =
    dependencies
  const caller = createSmartCaller({ auth: dependencies.smartTokens })
  const app = new Hono<EdgeEnv>()
  app.all('*', async (c, next) => {
    const route = findBulkRoute(c.req.method, pathOf(c.req.raw.url))
    return route === null ? next() : serve(c, route)
  })
  return app

  async function serve(c: Context<EdgeEnv>, route: BulkRoute): Promise<Response> {
    const call = openCall(c.req.raw, c.var.edge, route, env.FHIR_ORIGIN)
    try {
      await takeAddressWindow(call.edge, limiter)
      if (route.kind === 'preflight') return emptyAnswer(204, preflightHeaders)
      await caller.authenticate(call)
      await takeCallerWindows(call, limiter, clientLimits)
      await meetFaults(call)
      const answer = await handle(call)
      const { status, count = 0, resourceType = null } = answer
      await recorder.commit(recordOf(call, { status, count, resourceType }))
      return await faultedAnswer(await send(call, answer), call.fault, c)
    } catch (thrown) {
      const problem = await settleRefusal(call, toProblem(thrown), caller.confirm)
      if (problem.status >= 500) c.error = problem
      recorder.note(recordOf(call, { status: problem.status, problem, count: 0, resourceType: null }))
      return faultedAnswer(await refuse(call, problem), call.fault, c)
    }
  }

  async function meetFaults(call: Call): Promise<void> {
    const { clientId, environment } = caller.principalOf(call)
    const { kind } = call.route
    await faults.meet(call, {
      environment,
      subject: { clientId },
      door: 'bulk',
      occasion: kind === 'kick-off' || kind === 'file' ? kind : 'call',
      confirm: () => caller.confirm(call),
    })
  }

  async function handle(call: Call): Promise<Answer> {
    const { route } = call
    if (route.kind === 'none' || route.kind === 'preflight') throw new Problem('unsupported')
    if (route.kind === 'kick-off') return kickOff(call, route.groupId)
    const principal = await confirmed(call)
    if (route.kind === 'status') return status(route.id, principal)
    if (route.kind === 'cancel') {
      await bulkExports.cancel(route.id, principal)
      return { status: 202, headers: {}, body: null }
    }
    const query = new URLSearchParams(queryOf(call.request.url))
    const [expires = '', signature = ''] = [query.get('expires') ?? '', query.get('signature') ?? '']
    const found = await bulkExports.findFile(route.id, { name: route.name, expires, signature }, principal)
    // The policy, and this token's scopes, may be narrower than those of the kick-off.
    if (found.file !== null) accessTo(principal, found.file.type, 'read')
    const answer = await fileAnswer(call.request, found, exportStorage)
    return { ...answer, count: found.file?.count ?? 0, resourceType: found.file?.type ?? 'OperationOutcome' }
  }

  async function kickOff(call: Call, groupId: string): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const principal = ownPrincipal(call)
      if (principal.audience !== 'backend') planExport(principal, null)
      checkHeaders(call.request.headers)
      const query = queryOf(call.request.url)
      const asked = parseKickOff(parseParameters(query))
      const plan = planExport(principal, asked.types)
      checkId(groupId)
      const found = await store.findPopulation(
        principal.practice.datasetId,
        populationGroupId,
        [{ kind: 'ids', ids: [groupId] }],
        livenessOf(principal, clock()),
      )
      call.alive = found.alive
      if (!found.alive) {
        if (tries === 1) {
          throw new Problem('unavailable', { detail: 'the practice is moving', retryAfterSeconds: 1 })
        }
        await caller.authenticateAnew(call)
        continue
      }
      checkPast(asked.sinceMicros, found.now)
      if (found.population === null) throw new Problem('not_found')
      const request = `${env.FHIR_ORIGIN}${pathOf(call.request.url)}${query === '' ? '' : `?${query}`}`
      const { base } = call
      const lab = labOf(call.fault)
      const id = await bulkExports.kickOff({ base, request, plan, since: asked.since, lab }, principal)
      return { status: 202, headers: { 'Content-Location': `${base}/bulk/${id}` }, body: null }
    }
  }

  async function status(id: string, principal: SmartPrincipal): Promise<Answer> {
    const polled = await bulkExports.poll(id, principal)
    if (polled.state === 'running') {
      const { written, total } = polled
      const headers = {
        'X-Progress': progressText(written, total),
        'Retry-After': String(limits.bulkPollSeconds),
      }
      return { status: 202, headers, body: null }
    }
    const headers = { 'Content-Type': 'application/json', Expires: polled.linksEndAt.toUTCString() }
    return { status: 200, headers, body: polled.manifest }
  }

  /** The principal, good now, at its own practice. @throws Problem `unauthorized`, `forbidden` */
  async function confirmed(call: Call): Promise<SmartPrincipal> {
    await caller.confirm(call)
    return ownPrincipal(call)
  }

  function ownPrincipal(call: Call): SmartPrincipal {
    const principal = caller.principalOf(call)
    if (principal.practice.slug === call.route.slug) return principal
    throw new Problem('forbidden', { message: 'This token is for another practice.', detail: 'another base' })
  }
}

function progressText(written: number, total: number | null): string {
  if (total === null) return 'Waiting for its turn'
  const percent = total === 0 ? 99 : Math.min(99, Math.floor((100 * written) / total))
  return `${percent} % (${written} of ${total} resources)`
}

function send(call: Call, { status, headers, body }: Answer): Response | Promise<Response> {
  const all = { ...budgetHeaders(call), ...headers }
  if (body === null || call.request.method === 'HEAD') return emptyAnswer(status, all)
  if (typeof body !== 'string') return streamAnswer(body(), { status, headers: all })
  return jsonAnswer(call.request, body, { status, headers: all })
}

function refuse(call: Call, problem: Problem): Response | Promise<Response> {
  const own = problem.status === 401 ? { 'WWW-Authenticate': challenge } : budgetHeaders(call)
  return jsonAnswer(call.request, problemOutcome(problem, call.edge.correlationId), {
    status: problem.status,
    headers: { ...own, ...problem.headers },
  })
}

function budgetHeaders(call: Call): Record<string, string> {
  return call.budgets.length === 0 ? {} : rateLimitHeaders(call.budgets, 'fhirPrincipal')
}

/** As they were sent. */
function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '/'
}

function queryOf(url: string): string {
  return /\?([^#]*)/.exec(url)?.[1] ?? ''
}
