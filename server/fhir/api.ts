/**
 * The FHIR API of every practice, including bulk export. The order of the steps in {@link createFhirApi} matters, because an
 * early error hides what later steps would reveal. After the last step the handler checks the token's practice and scopes
 * (403), then the parameters (400), and only then whether the resource exists (404).
 *
 * Before an error without a data statement, the token is checked in the database: an invalid token always gets 401.
 */

import { type Context, Hono } from 'hono'
import type { LogRecord } from '../audit/log-rows.ts'
import { livenessOf, type SmartPrincipal } from '../auth/principal.ts'
import type { Sessions } from '../auth/sessions.ts'
import { createSmartCaller } from '../auth/smart-caller.ts'
import type { SmartTokenAuth } from '../auth/smart-token.ts'
import { confirmBeforeRefusal, withLivenessRetry } from '../auth/with-liveness-retry.ts'
import { type FhirType, registryRow } from '../contract/fhir/registry.ts'
import { hasEnded } from '../contract/http/deprecation.ts'
import type { Deprecations } from '../contract/http/deprecations.ts'
import { Problem } from '../contract/http/problems.ts'
import type { FaultInterface, FaultOccasion } from '../contract/lab/faults.ts'
import { paths } from '../contract/portal/paths.ts'
import type { Directory } from '../domain/directory/directory.ts'
import { addDeprecationHeaders } from '../http/deprecation-headers.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { bearerChallenge } from '../http/error-envelope.ts'
import type { Exchanges } from '../http/exchange-hook.ts'
import { checkSlashes } from '../http/extra-slash.ts'
import { type Faults, refuseFaults } from '../http/faults.ts'
import {
  emptyAnswer,
  fhirJson,
  jsonAnswer,
  preflightHeaders,
  problemOutcome,
  streamAnswer,
} from '../http/fhir-answer.ts'
import { createApi, type Steps } from '../http/pipeline.ts'
import type { Keyring } from '../keyring.ts'
import {
  type ClientLimits,
  takeAddressWindow,
  takeCallerWindows,
  takeHeavyWindow,
} from '../limits/fhir-windows.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import { type Limiter, rateLimitHeaders } from '../limits/windows.ts'
import { createCursors } from '../search/cursor.ts'
import type { Liveness } from '../store/liveness.ts'
import { answerExport } from './bulk/exports.ts'
import { type Call, findNotice, openCall, workClassOf } from './call.ts'
import { recordOf } from './call-record.ts'
import { createDirectoryRoutes } from './directory-routes.ts'
import type { Answer, HandlerCall, HandlerServices } from './handler.ts'
import { createMetadata, read, readPopulation, searchPopulation, searchType } from './interactions.ts'
import { attachment } from './operations/attachment.ts'
import { ccda } from './operations/ccda.ts'
import { docref, everything } from './operations/everything.ts'
import { readParameters } from './parameters.ts'
import type { Route } from './routes.ts'

type FhirDependencies = Pick<HandlerServices, 'clock' | 'store' | 'ccd' | 'bulkExports' | 'exportStorage'> & {
  env: { FHIR_ORIGIN: string; PUBLIC_ORIGIN: string }
  smartTokens: SmartTokenAuth
  keyring: Keyring
  directory: Directory
  sessions: Pick<Sessions, 'read'>
  limiter: Limiter
  load: LoadShedding
  clientLimits: ClientLimits
  faults: Faults
  deprecations: Deprecations
  exchanges: Exchanges
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
}

/** Mounted at `/r4`. */
export function createFhirApi(dependencies: FhirDependencies): Hono<EdgeEnv> {
  const { env, directory, limiter, load, clientLimits, faults, exchanges, recorder } = dependencies
  const caller = createSmartCaller({ auth: dependencies.smartTokens })
  const { clock, store, ccd, bulkExports, deprecations, exportStorage } = dependencies
  const cursors = createCursors(dependencies)
  const services = { store, ccd, cursors, clock, bulkExports, exportStorage, origin: env.FHIR_ORIGIN }
  const metadata = createMetadata(deprecations.fhir, `${env.PUBLIC_ORIGIN}${paths.patientApps}`)

  const steps: Steps<Call> = [
    [
      'load (503)',
      ({ edge, request, route }) => load.admit(edge, request.headers, workClassOf(request, route)),
    ],
    ['window of the address (429)', (call) => takeAddressWindow(call.edge, limiter)],
    ['what is public', answerOpenly],
    ['token (401)', caller.authenticate],
    ['windows of the token and its practice (429)', (call) => takeCallerWindows(call, limiter, clientLimits)],
    ['a fault that was asked for; in production its header (400)', injectFault],
    ['method and path (404)', checkRoute],
    ['an operation that has ended (410)', checkNotEnded],
  ]
  const serve = createApi<Call, Answer>({
    steps,
    handle: (call) => handle(handlerCallOf(call), call.route),
    record: async (call, answer) => {
      if (!answer.isRecorded) await recorder.commit(recordOf(call, answer))
      await noteCall(exchanges, call, answer.status, null, answer)
    },
    respond,
    settle: async (call, first) => {
      const problem = await confirmBeforeRefusal(call, first, caller.confirm)
      await noteCall(exchanges, call, problem.status, problem)
      return problem
    },
    recordRefusal: (call, problem) => recorder.note(recordOf(call, { status: problem.status, problem })),
    refuse,
  })

  const app = new Hono<EdgeEnv>()
  app.route('/endpoints', createDirectoryRoutes(dependencies))
  app.all('*', async (c: Context<EdgeEnv>) => {
    const call = openCall(c.req.raw, c.var.edge, env.FHIR_ORIGIN)
    call.notice = findNotice(call, deprecations.fhir)
    return addDeprecationHeaders(await serve(c, call), call.notice, env.PUBLIC_ORIGIN)
  })
  return app

  function checkRoute({ request, route }: Call): void {
    checkSlashes(request, env.FHIR_ORIGIN)
    if (route.kind === 'none' || (route.kind === 'export' && route.step === 'none'))
      throw new Problem('unsupported')
  }

  function checkNotEnded({ notice }: Call): void {
    if (hasEnded(notice?.deprecation, clock())) throw new Problem('gone')
  }

  /** The metadata of a practice is public, even while its FHIR access is off. */
  async function answerOpenly(call: Call): Promise<Response | undefined> {
    if (call.route.kind === 'preflight') return emptyAnswer(204, preflightHeaders)
    if (call.route.kind !== 'metadata') return
    refuseFaults(call.request)
    checkSlashes(call.request, env.FHIR_ORIGIN)
    const practice = await directory.findBase(call.slug)
    if (practice === null) throw new Problem('not_found')
    return respond(call, metadata(call, practice.name, await store.offeredRows()))
  }

  async function injectFault(call: Call): Promise<void> {
    const { clientId, environment } = caller.principalOf(call)
    await faults.inject(call, {
      environment,
      subject: { clientId },
      ...placeOf(call.route),
      confirm: () => caller.confirm(call),
    })
  }

  function handlerCallOf(call: Call): HandlerCall {
    let taken: Promise<void> | undefined
    let parameters: ReturnType<typeof readParameters> | undefined
    return {
      ...services,
      call,
      ask: (query) => ask(call, query),
      readParameters: () => (parameters ??= readParameters(call.request, call.route)),
      takeHeavy: (cost) => (taken ??= takeHeavyWindow(limiter, caller.principalOf(call).tokenId, cost)),
      confirm: async () => {
        await caller.confirm(call)
        return ownPrincipal(call)
      },
    }
  }

  /** The data statement decides whether the token is valid. If not, the practice may have moved: the token is read again. */
  async function ask<Found extends { readonly alive: boolean }>(
    call: Call,
    query: (principal: SmartPrincipal, liveness: Liveness) => Promise<Found>,
  ): Promise<Found> {
    return withLivenessRetry(
      call,
      () => {
        const principal = ownPrincipal(call)
        return query(principal, livenessOf(principal, clock()))
      },
      () => caller.authenticateAnew(call),
    )
  }

  /** The error is the same whether or not the other practice exists. @throws Problem `forbidden` */
  function ownPrincipal(call: Call): SmartPrincipal {
    const principal = caller.principalOf(call)
    if (call.slug === principal.practice.slug) return principal
    throw new Problem('forbidden', { message: 'This token is for another practice.', detail: 'another base' })
  }
}

/** Adds the call to the log of the launch that its token came from. */
async function noteCall(
  exchanges: Exchanges,
  { principal, request }: Call,
  status: number,
  problem: Problem | null,
  { resourceType, count }: Partial<Answer> = {},
): Promise<void> {
  if (principal === null) return
  const { clientId, grantId } = principal
  const { method, url } = request
  const came = { ...(resourceType && { resourceType }), ...(count !== undefined && { records: count }) }
  await exchanges.noteCall({ clientId, grantId, method, url, status, came, problem })
}

/** The interface and the occasion by which fault scripts select the request. */
function placeOf(route: Route): { api: FaultInterface; occasion: FaultOccasion } {
  if (route.kind !== 'export') return { api: 'fhir', occasion: route.kind === 'search' ? 'search' : 'call' }
  const { step } = route
  return { api: 'bulk', occasion: step === 'kick-off' || step === 'file' ? step : 'call' }
}

async function handle(handlerCall: HandlerCall, route: Route): Promise<Answer> {
  switch (route.kind) {
    case 'read':
      return isComputed(route)
        ? readPopulation(handlerCall, route.type, route.id)
        : read(handlerCall, route.type, route.id)
    case 'search':
      return isComputed(route)
        ? searchPopulation(handlerCall, route.type)
        : searchType(handlerCall, route.type)
    case 'operation':
      return operations[route.operation](handlerCall, route)
    case 'export':
      return answerExport(handlerCall, route)
    default:
      throw new Problem('unsupported')
  }
}

const isComputed = ({ type }: { type: FhirType }): boolean => registryRow(type).computed !== undefined

type OperationRoute = Extract<Route, { kind: 'operation' }>

/** The type makes a missing handler fail to compile. */
const operations: Record<
  OperationRoute['operation'],
  (call: HandlerCall, route: OperationRoute) => Promise<Answer>
> = {
  everything: (call, { id }) => everything(call, id ?? ''),
  ccda: (call, { id }) => ccda(call, id ?? ''),
  docref: (call, { type }) => docref(call, type),
  attachment: (call, { type, id }) => attachment(call, type, id ?? ''),
}

function respond(call: Call, { status, headers, body }: Answer): Response | Promise<Response> {
  const all = { ...budgetHeaders(call), ...headers }
  if (body === null) return emptyAnswer(status, all)
  if (call.request.method === 'HEAD') return emptyAnswer(status, { ...fhirJson, ...all })
  return typeof body === 'function'
    ? streamAnswer(call.request, body(), { status, headers: all })
    : jsonAnswer(call.request, body, { status, headers: all })
}

function refuse(call: Call, problem: Problem): Response | Promise<Response> {
  return jsonAnswer(call.request, problemOutcome(problem, call.edge.correlationId), {
    status: problem.status,
    headers: {
      ...(problem.status === 401 ? bearerChallenge(call.request) : budgetHeaders(call)),
      ...problem.headers,
    },
  })
}

const budgetHeaders = (call: Call): Record<string, string> =>
  call.budgets.length === 0 ? {} : rateLimitHeaders(call.budgets, 'fhirPrincipal')
