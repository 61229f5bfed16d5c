/**
 * The authorization server of every practice, below `/r4/{practice}`. Other paths belong to the FHIR API.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/
 */

import { type Context, Hono } from 'hono'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { activityOf, outcomeOf } from '../audit/call-rows.ts'
import type { LogRecord } from '../audit/log-rows.ts'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import type { Problem } from '../contract/http/problems.ts'
import { faultHeader } from '../contract/lab/faults.ts'
import { type OAuthRefusal, refusalOf, refuse } from '../contract/smart/oauth-errors.ts'
import type * as pendingRequestsVerbs from '../domain/authorizations/pending-requests.ts'
import type * as clientAuthenticationVerbs from '../domain/clients/client-authentication.ts'
import type { WithCore } from '../domain/core.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'
import type * as tokensVerbs from '../domain/grants/tokens.ts'
import { getSmartPractice } from '../domain/practices/fhir-access.ts'
import type { SigningKeys } from '../domain/signing-keys/signing-keys.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { adviceOnSlash } from '../http/extra-slash.ts'
import type { Faults } from '../http/faults.ts'
import { createApi, type Steps } from '../http/pipeline.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import type { Limiter } from '../limits/windows.ts'
import { cachedJson, errorPage, json, oauthError, preflight } from './answers.ts'
import { createAuthorize } from './authorize.ts'
import type { SmartCall } from './call.ts'
import { openidConfiguration, smartConfiguration, smartStyle } from './discovery.ts'
import type { Simulations } from './simulation-hook.ts'
import { createTokenRequests } from './token-requests.ts'

type SmartDependencies = {
  prisma: PrismaClient
  limiter: Limiter
  load: LoadShedding
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
  addresses: SmartAddresses
  signingKeys: SigningKeys
  clientAuthentication: WithCore<typeof clientAuthenticationVerbs>
  pendingAuthorizations: WithCore<typeof pendingRequestsVerbs>
  tokens: WithCore<typeof tokensVerbs>
  faults: Faults
  simulations: Simulations
}

type Action = 'token' | 'introspect' | 'revoke'

/** Mounted at `/r4`. */
export function createSmartApi(dependencies: SmartDependencies): Hono<EdgeEnv> {
  const { prisma, limiter, load, recorder, addresses, signingKeys } = dependencies
  const authorize = createAuthorize(dependencies)
  const requests = createTokenRequests(dependencies)

  /** Public documents, the same for all callers. */
  const documents: Record<string, (slug: string) => Promise<Response> | Response> = {
    '.well-known/openid-configuration': (slug) => json(openidConfiguration(slug, addresses)),
    '.well-known/jwks.json': async () => cachedJson(await signingKeys.publicJwks()),
    'smart-style.json': () => cachedJson(smartStyle),
  }
  const app = new Hono<EdgeEnv>()
  mount(
    '.well-known/smart-configuration',
    documentApi(
      (slug) => json(smartConfiguration(slug, addresses)),
      (call) => noteDiscovery(dependencies, call),
    ),
  )
  for (const [path, make] of Object.entries(documents)) mount(path, documentApi(make))
  mount('authorize', authorizeApi())
  for (const action of ['token', 'introspect', 'revoke'] as const) mount(action, requestApi(action))
  return app

  function mount(path: string, serve: (c: Context<EdgeEnv>, call: SmartCall) => Promise<Response>): void {
    app.all(`/:practice/${path}`, (c) => serve(c, openCall(c, path)))
  }

  function documentApi(
    make: (slug: string) => Promise<Response> | Response,
    record: (call: SmartCall) => Promise<void> | void = () => {},
  ) {
    return createApi<SmartCall, Response>({
      steps: [
        ['preflight', ({ request }) => (request.method === 'OPTIONS' ? preflight('GET') : undefined)],
        ...stepsFor('anonymous', ['GET', 'HEAD']),
      ],
      handle: async (call) => {
        call.practice = await getSmartPractice(prisma, call.slug)
        return make(call.practice.slug)
      },
      record,
      respond: (_, response) => response,
      recordRefusal: () => {},
      refuse: (_, problem) => oauthError(problem, false),
    })
  }

  function authorizeApi() {
    const note = (call: SmartCall, status: number, problem: Problem | null) => {
      const record = recordOf(call, { status, refusal: problem && refusalOf(problem), action: 'authorize' })
      if (record) recorder.note(record)
    }
    return createApi<SmartCall, Awaited<ReturnType<typeof authorize>>>({
      steps: stepsFor('anonymous', ['GET', 'POST']),
      handle: authorize,
      record: (call, { response, problem }) => note(call, response.status, problem),
      respond: (_, { response }) => response,
      failureIn: ({ problem }) => problem,
      recordRefusal: (call, problem) => note(call, problem.status, problem),
      refuse: (call, problem) => errorPage(problem, call.edge.correlationId),
    })
  }

  function requestApi(action: Action) {
    return createApi<SmartCall, Response>({
      steps: [
        ['preflight', ({ request }) => (request.method === 'OPTIONS' ? preflight('POST') : undefined)],
        ...stepsFor('authorized', ['POST'], action === 'token'),
      ],
      handle: requests[action],
      // The token is already issued. If the record cannot be written now, a failure would leave the app with a used-up code.
      record: async (call) => {
        const record = recordOf(call, { status: 200, refusal: null, action })
        if (record) await recorder.commit(record).catch(() => recorder.note(record))
      },
      respond: (_, response) => response,
      recordRefusal: (call, problem) => {
        const record = recordOf(call, { status: problem.status, refusal: refusalOf(problem), action })
        if (record) recorder.note(record)
      },
      refuse: ({ request }, problem) =>
        oauthError(problem, /^basic\b/i.test(request.headers.get('authorization') ?? '')),
    })
  }

  function checkPath({ request, slug }: SmartCall): void {
    const hint = adviceOnSlash(request, addresses.fhirBase(slug))
    if (hint !== null) throw refuse('extra_slash', { hint })
  }

  function stepsFor(workClass: WorkClass, methods: readonly string[], hasFaults = false): Steps<SmartCall> {
    return [
      ['load (503)', ({ edge, request }) => load.admit(edge, request.headers, workClass)],
      ['method (405)', (call) => checkMethod(call, methods)],
      ['window of the address (429)', ({ edge }) => takeAddressWindow(limiter, edge.ipSubject)],
      ['extra slash in the path (404)', checkPath],
      ...(hasFaults ? [] : [['no fault (400)', refuseFault] as const]),
    ]
  }
}

/** Shares the rate limit of an address with the FHIR API. */
async function takeAddressWindow(limiter: Limiter, subject: string): Promise<void> {
  const decision = await limiter.take([{ window: 'fhirIp', subject }])
  if (decision.admitted) return
  throw refuse('rate_limited_ip', { retryAfterSeconds: decision.retryAfterSeconds })
}

/** Adds the request to the log of a launch. */
async function noteDiscovery(
  { addresses, simulations }: Pick<SmartDependencies, 'addresses' | 'simulations'>,
  { practice, request, edge }: SmartCall,
): Promise<void> {
  if (practice === null || request.method !== 'GET') return
  const url = `${addresses.fhirBase(practice.slug)}/.well-known/smart-configuration`
  await simulations.noteDiscovery({ practice, url, ip: edge.ip })
}

function openCall(c: Context<EdgeEnv>, path: string): SmartCall {
  const { edge } = c.var
  edge.route = `/r4/{practice}/${path}`
  return {
    request: c.req.raw,
    edge,
    slug: c.req.param('practice') ?? '',
    practice: null,
    clientId: null,
    fault: null,
    alive: true,
    patientId: null,
  }
}

function checkMethod({ request }: SmartCall, methods: readonly string[]): void {
  if (!methods.includes(request.method)) throw refuse('method_not_allowed')
}

/** Only token requests have faults. */
function refuseFault({ request }: SmartCall): void {
  if (request.headers.has(faultHeader)) throw refuse('fault_header')
}

/** The outcome of a call, for its log rows. */
type Outcome = {
  status: number
  refusal: OAuthRefusal | null
  action: 'authorize' | 'token' | 'introspect' | 'revoke'
}

/** The log rows of a call; null without a practice. */
function recordOf(call: SmartCall, { status, refusal, action }: Outcome): LogRecord | null {
  const { edge, practice, clientId } = call
  if (practice === null) return null
  return {
    activity: activityOf(call, {
      door: 'smart',
      environment: practice.environment,
      clientId,
      practiceId: practice.id,
      status,
      refusal,
    }),
    // The access record only has known apps, so that unknown callers cannot fill it.
    ...(clientId !== null && {
      access: {
        at: edge.receivedAt,
        practiceId: practice.id,
        principalKind: 'smart_token',
        principalId: clientId,
        action,
        resourceType: null,
        patientId: call.patientId,
        count: 0,
        purpose: 'operations',
        outcome: outcomeOf(status, refusal !== null),
        correlationId: edge.correlationId,
      },
    }),
  }
}
