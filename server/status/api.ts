/**
 * The Status API: two open routes below the production REST base. Both routes share one rate limit for each address, and
 * refused requests count, too: a refusal costs as much as a response.
 *
 * The order of the checks: load (503), rate limit (429), fault header (400), method (405), ended operation (410),
 * query (400).
 */
import { type Context, Hono } from 'hono'
import { hasEnded } from '../contract/http/deprecation.ts'
import type { Deprecations } from '../contract/http/deprecations.ts'
import { Problem, toProblem } from '../contract/http/problems.ts'
import { paths } from '../contract/portal/paths.ts'
import { basePaths } from '../contract/rest/openapi.ts'
import { type StatusOperationId, statusOperations } from '../contract/status/operations.ts'
import type { Status } from '../domain/status/status.ts'
import { textResponse } from '../http/compression.ts'
import { addDeprecationHeaders, type DeprecationNotice } from '../http/deprecation-headers.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { errorEnvelope, jsonType } from '../http/error-envelope.ts'
import { checkSlashes } from '../http/extra-slash.ts'
import { refuseFaults } from '../http/faults.ts'
import { checkQuery, parseQuery, searchOf } from '../http/query.ts'
import { dataHeaders } from '../http/security-headers.ts'
import type { LoadShedding } from '../limits/load-shedding.ts'
import { type Limiter, rateLimitHeaders } from '../limits/windows.ts'

type StatusDependencies = {
  env: { STATUS_ORIGIN: string; PUBLIC_ORIGIN: string; REST_ORIGIN: string }
  clock: () => Date
  deprecations: Deprecations
  limiter: Limiter
  load: LoadShedding
  status: Pick<Status, 'platform' | 'practice'>
}

const readingMethods = ['GET', 'HEAD']
const methods = [...readingMethods, 'OPTIONS']

export function createStatusApi(dependencies: StatusDependencies): Hono<EdgeEnv> {
  const { env, clock, deprecations, limiter, load, status } = dependencies

  /** The type makes a missing handler fail to compile. */
  const handlers: Record<StatusOperationId, (request: Request) => Promise<object>> = {
    getPlatformStatus: (request) => {
      queryOf(request, 'getPlatformStatus')
      return status.platform()
    },
    getPracticeStatus: (request) => status.practice(queryOf(request, 'getPracticeStatus').id),
  }

  const app = new Hono<EdgeEnv>()
  for (const [id, { path }] of Object.entries(statusOperations))
    app.all(path, async (c) => {
      const notice = findNotice(id, c.req.method)
      const answer = await serve(c, path, notice, handlers[id as StatusOperationId])
      return addDeprecationHeaders(answer, notice, env.PUBLIC_ORIGIN)
    })
  return app

  function findNotice(id: string, method: string): DeprecationNotice | null {
    const deprecation = deprecations.rest[id]
    if (deprecation === undefined || !readingMethods.includes(method)) return null
    const next = statusOperations[deprecation.successor as StatusOperationId]
    return {
      deprecation,
      page: paths.operationReference(id),
      successor: next ? `${env.REST_ORIGIN}${basePaths.production}${next.path}` : null,
    }
  }

  async function serve(
    c: Context<EdgeEnv>,
    path: string,
    notice: DeprecationNotice | null,
    handle: (request: Request) => Promise<object>,
  ): Promise<Response> {
    const { edge } = c.var
    const request = c.req.raw
    edge.route = path
    let headers = corsHeaders(request.headers.get('origin'), env.STATUS_ORIGIN)
    try {
      await load.admit(edge, request.headers, 'portal')
      headers = { ...headers, ...(await takeWindow(edge.ipSubject)) }
      refuseFaults(request)
      checkSlashes(request, env.REST_ORIGIN)
      if (request.method === 'OPTIONS') return describeMethods(headers)
      if (!methods.includes(request.method)) throw new Problem('method_not_allowed', { allow: methods })
      if (hasEnded(notice?.deprecation, clock())) throw new Problem('gone')
      const body = JSON.stringify(await handle(request))
      return await textResponse(request, body, { headers: { ...dataHeaders, ...jsonType, ...headers } })
    } catch (thrown) {
      const problem = toProblem(thrown)
      if (problem.status >= 500) c.error = problem
      return errorEnvelope(problem, edge.correlationId, headers)
    }
  }

  async function takeWindow(subject: string): Promise<Record<string, string>> {
    const decision = await limiter.take([{ window: 'statusIp', subject }])
    if (decision.admitted) return rateLimitHeaders(decision.budgets, 'statusIp')
    throw new Problem('rate_limited', { retryAfterSeconds: decision.retryAfterSeconds })
  }
}

function queryOf<Id extends StatusOperationId>(request: Request, id: Id) {
  const schema = statusOperations[id].query as (typeof statusOperations)[Id]['query']
  return checkQuery(parseQuery(searchOf(request), schema), schema)
}

/** The preflight headers are sent only if `corsHeaders` allows the origin. */
function describeMethods(headers: Record<string, string>): Response {
  const allowed = 'Access-Control-Allow-Origin' in headers ? preflightHeaders : {}
  return new Response(null, {
    status: 204,
    headers: { ...dataHeaders, ...headers, ...allowed, Allow: methods.join(', ') },
  })
}

/**
 * Only pages of the configured status page's origin may read responses. `Vary` stops a cache from serving one origin's
 * response to another. https://fetch.spec.whatwg.org/#http-cors-protocol
 */
function corsHeaders(origin: string | null, statusOrigin: string): Record<string, string> {
  if (origin !== statusOrigin) return { Vary: 'Origin' }
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': statusOrigin,
    'Access-Control-Expose-Headers':
      'Deprecation, Link, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Correlation-Id',
  }
}

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Max-Age': '7200',
} as const
