/**
 * The authorization server of every practice, below `/r4/{practice}`. What is not listed here belongs to the FHIR
 * door behind it. https://hl7.org/fhir/smart-app-launch/STU2.2/
 */
import { type Context, Hono } from 'hono'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { LogRecord } from '../audit/log-rows.ts'
import { faultHeader } from '../contract/faults.ts'
import { refusalOf, refuse } from '../contract/oauth-errors.ts'
import { type Problem, toProblem } from '../contract/problems.ts'
import type { PendingRequests } from '../domain/authorizations/pending-requests.ts'
import type { ClientAuthentication } from '../domain/clients/client-authentication.ts'
import type { Faults } from '../domain/faults/meet-faults.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'
import type { Tokens } from '../domain/grants/tokens.ts'
import type { MeetSimulation } from '../domain/launch-lab/meet-simulation.ts'
import { getSmartPractice } from '../domain/practices/fhir-access.ts'
import type { SigningKeys } from '../domain/signing-keys/signing-keys.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { faultedAnswer } from '../http/faulted-answer.ts'
import type { Limiter } from '../limits/windows.ts'
import { cachedJson, errorPage, json, oauthError, preflight } from './answers.ts'
import { createAuthorize } from './authorize.ts'
import type { SmartCall } from './call.ts'
import { recordOf } from './call-record.ts'
import { openidConfiguration, smartConfiguration, smartStyle } from './discovery.ts'
import { createTokenRequests } from './token-requests.ts'

export type SmartDependencies = {
  prisma: PrismaClient
  limiter: Limiter
  recorder: { commit(record: LogRecord): Promise<void>; note(record: LogRecord): void }
  addresses: SmartAddresses
  signingKeys: SigningKeys
  clientAuthentication: ClientAuthentication
  pendingAuthorizations: PendingRequests
  tokens: Tokens
  faults: Faults
  simulations: MeetSimulation
}

type Action = 'token' | 'introspect' | 'revoke'

export function createSmartDoor(dependencies: SmartDependencies): Hono<EdgeEnv> {
  const { prisma, limiter, recorder, addresses, signingKeys } = dependencies
  const authorize = createAuthorize(dependencies)
  const requests = createTokenRequests(dependencies)

  /** Public, and the same for everybody. */
  const documents: Record<string, (slug: string) => Promise<Response> | Response> = {
    '.well-known/smart-configuration': (slug) => json(smartConfiguration(slug, addresses)),
    '.well-known/openid-configuration': (slug) => json(openidConfiguration(slug, addresses)),
    '.well-known/jwks.json': async () => cachedJson(await signingKeys.publicJwks()),
    'smart-style.json': () => cachedJson(smartStyle),
  }

  const app = new Hono<EdgeEnv>()
  for (const [path, make] of Object.entries(documents))
    app.all(`/:practice/${path}`, (c) => serveDocument(c, path, make))
  app.all('/:practice/authorize', serveAuthorize)
  for (const action of ['token', 'introspect', 'revoke'] as const)
    app.all(`/:practice/${action}`, (c) => serveRequest(c, action))
  return app

  async function serveDocument(
    c: Context<EdgeEnv>,
    path: string,
    make: (slug: string) => Promise<Response> | Response,
  ): Promise<Response> {
    const call = openCall(c, path)
    try {
      if (c.req.method === 'OPTIONS') return preflight('GET')
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') throw refuse('method_not_allowed')
      await takeIpWindow(call)
      refuseFault(c)
      const { slug } = await getSmartPractice(prisma, call.slug)
      return await make(slug)
    } catch (thrown) {
      return oauthError(toOurs(c, thrown), false)
    }
  }

  async function serveAuthorize(c: Context<EdgeEnv>): Promise<Response> {
    const call = openCall(c, 'authorize')
    const { response, problem } = await answerAuthorize(c, call)
    const record = recordOf(call, {
      status: response.status,
      refusal: problem && refusalOf(problem),
      action: 'authorize',
    })
    if (record) recorder.note(record)
    return response
  }

  async function answerAuthorize(c: Context<EdgeEnv>, call: SmartCall) {
    try {
      if (c.req.method !== 'GET' && c.req.method !== 'POST') throw refuse('method_not_allowed')
      await takeIpWindow(call)
      refuseFault(c)
      const outcome = await authorize(call)
      if (outcome.problem && outcome.problem.status >= 500) c.error = outcome.problem
      return outcome
    } catch (thrown) {
      const problem = toOurs(c, thrown)
      return { response: await errorPage(problem, call.edge.correlationId), problem }
    }
  }

  async function serveRequest(c: Context<EdgeEnv>, action: Action): Promise<Response> {
    const call = openCall(c, action)
    const usedBasic = /^basic\b/i.test(c.req.header('authorization') ?? '')
    try {
      if (c.req.method === 'OPTIONS') return preflight('POST')
      if (c.req.method !== 'POST') throw refuse('method_not_allowed')
      await takeIpWindow(call)
      if (action !== 'token') refuseFault(c)
      const response = await requests[action](call)
      const record = recordOf(call, { status: 200, refusal: null, action })
      // What was given is in the database already: taking it back now would leave an app with a used-up token.
      if (record) await recorder.commit(record).catch(() => recorder.note(record))
      return await faultedAnswer(response, call.fault, c)
    } catch (thrown) {
      const problem = toOurs(c, thrown)
      const record = recordOf(call, { status: problem.status, refusal: refusalOf(problem), action })
      if (record) recorder.note(record)
      return faultedAnswer(oauthError(problem, usedBasic), call.fault, c)
    }
  }

  /** Only token requests have faults. */
  function refuseFault(c: Context<EdgeEnv>): void {
    if (c.req.raw.headers.has(faultHeader)) throw refuse('fault_header')
  }

  /** The same budget of an address as at the FHIR door. */
  async function takeIpWindow({ edge }: SmartCall): Promise<void> {
    const decision = await limiter.take([{ window: 'fhirIp', subject: edge.ipSubject }])
    if (decision.admitted) return
    throw refuse('rate_limited_ip', { retryAfterSeconds: decision.retryAfterSeconds })
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

  function toOurs(c: Context<EdgeEnv>, thrown: unknown): Problem {
    const problem = toProblem(thrown)
    if (problem.status >= 500) c.error = problem
    return problem
  }
}
