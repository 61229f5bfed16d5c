/**
 * The whole server as one function of a request, from the outside in: edge, health, interfaces, static files, portal.
 * Tests start here; only `start/listen.ts` knows about ports.
 */
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { clockOffsetMax } from './contract/http/metrics.ts'
import { createFhirApi } from './fhir/api.ts'
import { trustedProxies } from './http/client-ip.ts'
import { createEdge, type EdgeEnv } from './http/edge.ts'
import { withoutExtraSlash } from './http/extra-slash.ts'
import { createHealth, holdResult } from './http/health.ts'
import { createMetricsRoute } from './http/metrics-route.ts'
import { transportHeaders } from './http/security-headers.ts'
import { createRefusalPace } from './limits/refusal-pace.ts'
import type { PortalHandler } from './portal/portal-handler.ts'
import { type CallApi, createPortalRoutes } from './portal/portal-routes.ts'
import { createRestApi } from './rest/api.ts'
import type { Services } from './services.ts'
import { createSmartApi } from './smart/api.ts'
import { createStatusApi } from './status/api.ts'
import { readClockOffset } from './store/clock-offset.ts'

/** The other processes of this machine, of the one that people reach. */
type Parts = { portal?: () => Promise<unknown>; worker?: () => Promise<unknown> }

/** What every process answers, one that runs jobs only, too: whether it lives, whether it can work, its metrics. */
export function createHealthApp(services: Services, parts: Parts = {}): Hono<EdgeEnv> {
  const { drain, env, log, clock, limiter, load, pool, prisma, metrics, store } = services
  const app = new Hono<EdgeEnv>({ getPath: routedPath })
  app.use(
    createEdge({
      clock,
      log,
      proxies: trustedProxies(env.TRUSTED_PROXY_CIDRS ?? [], env.TRUSTED_PROXY_HOPS),
      headers: transportHeaders(env.PUBLIC_ORIGIN),
      paceRefusal: createRefusalPace(),
      observe: metrics?.observe,
    }),
  )
  app.route(
    '/',
    createHealth({
      checks: {
        database: () => prisma.$queryRaw`SELECT 1`,
        // Proves that a write to the logs commits now: without it no record may be served (decision 98).
        logs: holdResult(() => pool.query('SELECT log.prove_write()')),
        ...(parts.portal && { portal: holdResult(parts.portal) }),
      },
      worker: parts.worker && holdResult(parts.worker),
      isDraining: drain.isBegun,
      limits: limiter.state,
      load: () => (load.isShedding() ? 'shedding' : 'normal'),
      clock: async () =>
        Math.abs(await readClockOffset(pool)) > clockOffsetMax ? ('off' as const) : ('in_step' as const),
      searchIndex: async () => ((await store.rowsBehind()).length === 0 ? 'current' : 'rebuilding'),
    }),
  )
  if (metrics && env.METRICS_TOKEN) app.route('/', createMetricsRoute({ metrics, token: env.METRICS_TOKEN }))
  return app
}

/** The APIs without the pages. */
export function createApiApp(services: Services, parts?: Parts): Hono<EdgeEnv> {
  const app = createHealthApp(services, parts)
  // Two paths below the REST base that need no key.
  app.route('/api/v1', createStatusApi(services))
  app.route('/api/v1', createRestApi(services, 'production'))
  app.route('/sandbox/api/v1', createRestApi(services, 'sandbox'))
  app.route('/r4', createSmartApi(services))
  // Behind the authorization server, which takes its own paths below the same bases.
  app.route('/r4', createFhirApi(services))
  return app
}

/** The pages without the APIs. @param callApi reaches them for the explorer; within this process by default */
export function createPortalApp(services: Services, portal: PortalHandler, callApi?: CallApi): Hono<EdgeEnv> {
  const app = createHealthApp(services)
  app.route('/', createPortalRoutes(services, portal, callApi ?? callWithin(createApiApp(services))))
  return app
}

/** @param portal left out by tests of the interfaces, which need no built bundle */
export function createApp(services: Services, portal?: PortalHandler): Hono<EdgeEnv> {
  const app = createApiApp(services)
  if (portal) app.route('/', createPortalRoutes(services, portal, callWithin(app)))
  return app
}

/** The explorer calls the APIs like any other client, from the address of the person who uses it. */
function callWithin(app: Hono<EdgeEnv>): CallApi {
  return async (request, ip) => app.fetch(request, { incoming: { socket: { remoteAddress: ip } } })
}

const interfaceBases = ['/api/v1', '/sandbox/api/v1', '/r4']
const apiBases = [...interfaceBases, '/healthz', '/readyz', '/metrics']

const isBelow = (path: string, bases: readonly string[]) =>
  bases.some((base) => path === base || path.startsWith(`${base}/`))

/** An interface says itself that a path has an extra slash. */
function routedPath(request: Request): string {
  const path = getPath(request)
  const right = withoutExtraSlash(path)
  return isBelow(right, interfaceBases) ? right : path
}

/** Whether a request target (https://www.rfc-editor.org/rfc/rfc9112#section-3.2) is for `createApiApp`. */
export function isApiTarget(target: string): boolean {
  const url = target.startsWith('/') ? `http://localhost${target}` : target
  if (!URL.canParse(url)) return false
  return isBelow(routedPath({ url: new URL(url).href } as Request), apiBases)
}
