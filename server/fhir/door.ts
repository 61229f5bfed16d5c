/**
 * Door A. The order of refusal is fixed, because what comes first decides what a caller may learn:
 *
 * 1. window of the address (429)
 * 2. the token (401, one answer for every cause)
 * 3. windows of the token and of its practice (429)
 * 4. a fault that was asked for; in production its header (400)
 * 5. method and path (404)
 * 6. the token's practice, then its scopes (403)
 * 7. parameters (400)
 * 8. the store, and only now whether something is there (404)
 *
 * A refusal of steps 3 to 7 comes before any data statement and asks first whether the token still lives: a dead
 * one gets its 401 however it is used.
 */
import { type Context, Hono } from 'hono'
import type { LogRecord } from '../audit/log-rows.ts'
import { askAlive } from '../auth/ask-alive.ts'
import { livenessOf, type SmartPrincipal } from '../auth/principal.ts'
import { settleRefusal } from '../auth/settle-refusal.ts'
import { createSmartCaller } from '../auth/smart-caller.ts'
import type { SmartTokenAuth } from '../auth/smart-token.ts'
import { type FhirType, registryRow } from '../contract/fhir-registry.ts'
import { Problem, toProblem } from '../contract/problems.ts'
import type { Directory } from '../domain/directory/directory.ts'
import { type Faults, refuseFaults } from '../domain/faults/meet-faults.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { faultedAnswer } from '../http/faulted-answer.ts'
import { emptyAnswer, jsonAnswer, streamAnswer } from '../http/fhir-answer.ts'
import { preflightHeaders } from '../http/fhir-cors.ts'
import { fhirJson } from '../http/fhir-format.ts'
import { challenge, problemOutcome } from '../http/outcome.ts'
import type { Keyring } from '../keyring.ts'
import type { ClientLimits } from '../limits/client-limits.ts'
import { takeAddressWindow, takeCallerWindows } from '../limits/fhir-windows.ts'
import { rateLimitHeaders } from '../limits/rate-limit-headers.ts'
import type { Limiter } from '../limits/windows.ts'
import { createCursors } from '../search/cursor.ts'
import type { Liveness } from '../store/liveness.ts'
import { type Call, openCall } from './call.ts'
import { recordOf } from './call-record.ts'
import { createDirectoryRoutes } from './directory-routes.ts'
import type { Answer, HandlerCall, HandlerServices } from './handler.ts'
import { createMetadata } from './interactions/metadata.ts'
import { readPopulation, searchPopulation } from './interactions/population.ts'
import { read } from './interactions/read.ts'
import { searchType } from './interactions/search-type.ts'
import { attachment } from './operations/attachment.ts'
import { ccda } from './operations/ccda.ts'
import { docref } from './operations/docref.ts'
import { everything } from './operations/everything.ts'
import type { Route } from './routes.ts'

export type FhirDependencies = Pick<HandlerServices, 'clock'> & {
  env: { FHIR_ORIGIN: string; PUBLIC_ORIGIN: string }
  smartTokens: SmartTokenAuth
  keyring: Keyring
  store: HandlerServices['store']
  ccd: HandlerServices['ccd']
  directory: Directory
  limiter: Limiter
  clientLimits: ClientLimits
  faults: Faults
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
}

/** Mounted at `/r4`. */
export function createFhirDoor(dependencies: FhirDependencies): Hono<EdgeEnv> {
  const { env, smartTokens, keyring, directory, store, ccd, limiter, clientLimits, faults, recorder, clock } =
    dependencies
  const authentication = createSmartCaller({ auth: smartTokens })
  const cursors = createCursors({ keyring, clock })
  const metadata = createMetadata()

  const app = new Hono<EdgeEnv>()
  app.route('/endpoints', createDirectoryRoutes({ env, directory, limiter, clock }))
  app.all('/:practice/*', (c) => serve(c))
  app.all('*', (c) => serve(c))
  return app

  async function serve(c: Context<EdgeEnv>): Promise<Response> {
    const call = openCall(c.req.raw, c.var.edge, env.FHIR_ORIGIN)
    try {
      return await faultedAnswer(await answer(call), call.fault, c)
    } catch (thrown) {
      const problem = await settleRefusal(call, toProblem(thrown), authentication.confirm)
      if (problem.status >= 500) c.error = problem
      recorder.note(recordOf(call, { status: problem.status, problem }))
      return faultedAnswer(await refuse(call, problem), call.fault, c)
    }
  }

  async function answer(call: Call): Promise<Response> {
    await takeAddressWindow(call.edge, limiter)
    if (call.route.kind === 'preflight') return emptyAnswer(204, preflightHeaders)
    if (call.route.kind === 'metadata') return send(call, await metadataOf(call))
    await authentication.authenticate(call)
    await takeCallerWindows(call, limiter, clientLimits)
    await meetFaults(call)
    const given = await handle(call, call.route)
    const { status, count, patientId, page } = given
    await recorder.commit(recordOf(call, { status, count, patientId, page: page ?? null }))
    return send(call, given)
  }

  async function meetFaults(call: Call): Promise<void> {
    const { clientId, environment } = authentication.principalOf(call)
    await faults.meet(call, {
      environment,
      subject: { clientId },
      door: 'fhir',
      occasion: call.route.kind === 'search' ? 'search' : 'call',
      confirm: () => authentication.confirm(call),
    })
  }

  /** Public, like discovery: also of a practice that lets nobody in for now. Its data is refused, not denied. */
  async function metadataOf(call: Call): Promise<Answer> {
    refuseFaults(call.request)
    const practice = await directory.findBase(call.slug)
    if (practice === null) throw new Problem('not_found')
    return metadata(call, practice.name, await store.offeredRows())
  }

  async function handle(call: Call, route: Route): Promise<Answer> {
    const handlerCall: HandlerCall = {
      call,
      store,
      ccd,
      cursors,
      clock,
      ask: (question) => ask(call, question),
    }
    switch (route.kind) {
      case 'read':
        return isComputed(route)
          ? readPopulation(handlerCall, route.type, route.id)
          : read(handlerCall, route.type, route.id)
      case 'search':
        return isComputed(route)
          ? searchPopulation(handlerCall, route.type, route.form)
          : searchType(handlerCall, route.type, route.form)
      case 'operation':
        return operations[route.operation](handlerCall, route)
      default:
        throw new Problem('unsupported')
    }
  }

  /** The data statement decides; when it says no, the practice may have moved, so the token is read once more. */
  async function ask<Found extends { readonly alive: boolean }>(
    call: Call,
    question: (principal: SmartPrincipal, liveness: Liveness) => Promise<Found>,
  ): Promise<Found> {
    return askAlive(
      call,
      () => {
        const principal = authentication.principalOf(call)
        checkBase(call, principal.practice.slug)
        return question(principal, livenessOf(principal, clock()))
      },
      () => authentication.authenticateAnew(call),
    )
  }
}

function isComputed({ type }: { type: FhirType }): boolean {
  return registryRow(type).computed !== undefined
}

type OperationRoute = Extract<Route, { kind: 'operation' }>

/** A handler for every row of the table: one that is missing does not compile. */
const operations: Record<
  OperationRoute['operation'],
  (call: HandlerCall, route: OperationRoute) => Promise<Answer>
> = {
  everything: (call, { id }) => everything(call, id ?? ''),
  ccda: (call, { id }) => ccda(call, id ?? ''),
  docref: (call, { type }) => docref(call, type),
  attachment: (call, { type, id }) => attachment(call, type, id ?? ''),
}

/** Whether the other practice exists makes no difference: it is not the token's. */
function checkBase({ slug }: Call, ownSlug: string): void {
  if (slug === ownSlug) return
  throw new Problem('forbidden', { message: 'This token is for another practice.', detail: 'another base' })
}

function send(call: Call, { status, headers, body }: Answer): Response | Promise<Response> {
  const all = { ...budgetHeaders(call), ...headers }
  if (body === null) return emptyAnswer(status, all)
  if (call.request.method === 'HEAD') return emptyAnswer(status, { ...fhirJson, ...all })
  return typeof body === 'string'
    ? jsonAnswer(call.request, body, { status, headers: all })
    : streamAnswer(body(), { status, headers: all })
}

function refuse(call: Call, problem: Problem): Response | Promise<Response> {
  const unauthorized = problem.status === 401
  return jsonAnswer(call.request, problemOutcome(problem, call.edge.correlationId), {
    status: problem.status,
    headers: {
      ...(unauthorized ? { 'WWW-Authenticate': challenge } : budgetHeaders(call)),
      ...problem.headers,
    },
  })
}

function budgetHeaders(call: Call): Record<string, string> {
  return call.budgets.length === 0 ? {} : rateLimitHeaders(call.budgets, 'fhirPrincipal')
}
