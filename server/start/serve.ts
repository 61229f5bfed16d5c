/** Starts the servers of a process according to its role. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createApiApp, createApp, createHealthApp, createPortalApp, isApiTarget } from '../app.ts'
import { probeHeader } from '../contract/http/load-shedding.ts'
import { paths } from '../contract/portal/paths.ts'
import { clientIp, trustedProxies } from '../http/client-ip.ts'
import { newCorrelationId } from '../http/correlation.ts'
import type { Drain } from '../http/health.ts'
import { createForwarder, fetchOverSocket } from '../http/inner-socket.ts'
import { busyPage } from '../http/plain-page.ts'
import { dataHeaders, transportHeaders } from '../http/security-headers.ts'
import { probeMark } from '../limits/load-shedding.ts'
import { createFrontPages } from '../portal/front-pages.ts'
import { loadPortal } from '../portal/load-portal.ts'
import { portalWorkClass } from '../portal/work-class.ts'
import type { Services } from '../services.ts'
import { type Listening, listen } from './listen.ts'

/** The client address of the front process's own requests. */
const ourselves = '127.0.0.1'
/** The time limit for a response of another process. */
const answerMs = 2_000
/** The pause between checks whether the portal responds, and the total time to wait. */
const waitMs = 20
const portalWaitMs = 60_000
/** The public process forwards these requests for the metrics of another process. */
const metricsOf = /^\/metrics\?process=(portal|worker)$/

export async function serve(services: Services): Promise<Listening> {
  const { drain, env } = services
  const { ROLE, SANDPIPER_SOCKETS: folder } = env
  const socketOf = (role: string) => ({ socketPath: join(folder ?? '', `${role}.sock`) })
  if (ROLE === 'worker') {
    const place = folder ? socketOf('worker') : ({ variable: 'HEALTH_PORT' } as const)
    return listen({ drain, env, place, app: createHealthApp(services) })
  }
  if (ROLE === 'api') {
    return folder ? serveFront(services, socketOf) : listen({ drain, env, app: createApiApp(services) })
  }
  const portal = await loadPortal(env)
  if (ROLE !== 'portal') return listen({ drain, env, portal, app: createApp(services, portal.handler) })
  const callApi = folder ? fetchOverSocket(socketOf('api').socketPath) : undefined
  const place = folder ? { place: socketOf('portal') } : {}
  return listen({ drain, env, ...place, portal, app: createPortalApp(services, portal.handler, callApi) })
}

/** The public process: it serves the APIs and forwards everything else to the portal. */
async function serveFront(
  services: Services,
  socketOf: (role: string) => { socketPath: string },
): Promise<Listening> {
  const { clock, drain, env, keyring, load, log, metrics } = services
  const proxies = trustedProxies(env.TRUSTED_PROXY_CIDRS ?? [], env.TRUSTED_PROXY_HOPS)
  const callerOf = ({ socket: { remoteAddress }, headers }: IncomingMessage) =>
    clientIp({ remoteAddress, headers: forwardedFor(headers), proxies })
  const forwarders = Object.fromEntries(
    (['portal', 'worker'] as const).map((role) => [
      role,
      createForwarder({ ...socketOf(role), callerOf, onUnavailable: unavailable(role) }),
    ]),
  )

  const fromPortal = fetchOverSocket(socketOf('portal').socketPath)
  const fromWorker = fetchOverSocket(socketOf('worker').socketPath)
  /** An end-to-end check with a page that the portal renders. */
  const askPortal = () => ask(fromPortal, paths.signIn)
  const askWorker = () => ask(fromWorker, '/healthz')
  async function ask(from: typeof fromPortal, path: string): Promise<void> {
    const headers = { [probeHeader]: probeMark(keyring, clock()) }
    const signal = AbortSignal.timeout(answerMs)
    const response = await from(new Request(new URL(path, env.PUBLIC_ORIGIN), { headers, signal }), ourselves)
    await response.arrayBuffer()
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}`)
  }
  const isThere = (from: typeof fromPortal) =>
    ask(from, '/healthz').then(
      () => true,
      () => false,
    )
  const app = createApiApp(services, { portal: askPortal, worker: askWorker })
  const pages = createFrontPages(services, (request) => fromPortal(request, ourselves))
  app.route('/', pages.app)

  function unavailable(role: string) {
    return (request: IncomingMessage, response: ServerResponse, err: Error) => {
      const correlationId = newCorrelationId(clock())
      log.warn({ err, process: role, correlationId }, 'another process did not answer')
      if (response.destroyed) return
      response.writeHead(503, {
        ...dataHeaders,
        ...transportHeaders(env.PUBLIC_ORIGIN),
        'Content-Type': 'text/plain; charset=utf-8',
        'Retry-After': '2',
        'X-Correlation-Id': correlationId,
        // The body is not read, so the connection cannot be reused.
        Connection: 'close',
      })
      const text = `This page is not available right now. Try again in a moment.\n\nCorrelation id: ${correlationId}\n`
      response.end(request.method === 'HEAD' ? '' : text)
    }
  }

  function passOn(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '/' } = request
    const [, named] = metricsOf.exec(url) ?? []
    if (named === undefined && isApiTarget(url)) return false
    if (named === undefined && isRefused(request, response)) return true
    if (named === undefined && pages.has(request, response)) return false
    forwarders[named ?? 'portal']?.forward(request, response)
    return true
  }

  /** Refuses requests if this process is overloaded, because forwarding is work, too. The portal sheds its own load. */
  function isRefused({ url = '/', headers, method }: IncomingMessage, response: ServerResponse): boolean {
    const workClass = portalWorkClass(url, headers.cookie)
    const seconds = load.refusedSeconds(new Headers(pick(headers, probeHeader)), workClass)
    if (seconds === null) return false
    const correlationId = newCorrelationId(clock())
    log.warn({ correlationId, shed: workClass }, 'request refused under load')
    metrics?.countShed('portal', workClass)
    void busyPage(headers.accept ?? null, correlationId, seconds).then(async (page) => {
      response.writeHead(page.status, {
        ...Object.fromEntries(page.headers),
        ...transportHeaders(env.PUBLIC_ORIGIN),
        'X-Correlation-Id': correlationId,
        Connection: 'close',
      })
      response.end(method === 'HEAD' ? '' : await page.text())
    })
    return true
  }

  const inner = await listen({ env, place: socketOf('api'), app })
  // The port opens after the portal responds.
  for (let waited = 0; waited < portalWaitMs && !(await isThere(fromPortal)); waited += waitMs)
    await delay(waitMs)
  const outer = await listen({ drain, env, app, passOn })
  return {
    port: outer.port,
    close: async (graceMs) => {
      await outer.close(graceMs)
      await inner.close(graceMs)
      for (const forwarder of Object.values(forwarders)) forwarder.close()
    },
  }
}

/** Only the header that identifies the client. */
const forwardedFor = (headers: IncomingMessage['headers']) => new Headers(pick(headers, 'x-forwarded-for'))

function pick(headers: IncomingMessage['headers'], name: string): Record<string, string> {
  const value = headers[name]
  return typeof value === 'string' ? { [name]: value } : {}
}

/**
 * Stops in an order without failed requests: /readyz fails, `pause` lets the proxy stop sending requests, and then the
 * server closes its connections.
 */
export async function stopServing({
  drain,
  pause,
  server,
  graceMs,
}: {
  drain: Drain
  pause: () => Promise<unknown>
  server: Listening
  graceMs: number
}): Promise<void> {
  drain.begin()
  await pause()
  await server.close(graceMs)
}
