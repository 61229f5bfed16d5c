/**
 * The first middleware of every request: it sets the correlation ids and the client's address, and logs the response. Later
 * handlers read `c.var.edge` and not the headers.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, MiddlewareHandler, Next } from 'hono'
import type { WorkClass } from '../contract/http/load-shedding.ts'
import { failSpan, isTracing, withSpan } from '../tracing/spans.ts'
import { setBodyAddress } from './body.ts'
import { clientIp, ipSubject, type TrustedProxies } from './client-ip.ts'
import { clientCorrelationId, newCorrelationId } from './correlation.ts'
import { type Logger, withoutRedaction } from './log.ts'
import type { AnsweredRequest } from './metrics.ts'
import { dataHeaders } from './security-headers.ts'

export type Edge = {
  /** Our UUID, in the response's `X-Correlation-Id` header and in all logs. */
  correlationId: string
  /** The client's id, echoed as `X-Client-Correlation-Id`. */
  clientCorrelationId: string | null
  /** The client's address. */
  ip: string
  /** The subject of rate limits: the address, or the /64 network of an IPv6 address. */
  ipSubject: string
  receivedAt: Date
  /** Milliseconds since the request was received. */
  elapsedMs(): number
  /** The pattern of the route, `*` until one is found. Logs contain nothing else of the URL. */
  route: string
  /** Practice and public part of the credential, for the log, once they are known. */
  caller: Readonly<{ practice?: string; keyPrefix?: string; clientId?: string }>
  /** Logs the request only if it fails, as for health probes and files. */
  quiet: boolean
  /** The Fault Lab changed the response, so it does not count as a failure of the service. */
  injected: boolean
  /** The class of a request that was refused because of the load. */
  shed: WorkClass | null
  /** Ends the turn of a request in its lane (load-shedding.ts). */
  leave: (() => void) | null
}

export type EdgeEnv = { Variables: { edge: Edge }; Bindings: NodeBindings | undefined }

/** Node's request and response; absent if a test calls the app. */
export type NodeBindings = {
  incoming?: {
    /** The client's address, if another process of this machine forwarded the request. */
    callerAddress?: string | undefined
    socket?: { remoteAddress?: string; destroySoon?(): unknown }
    /** Alternating names and values, as they were sent. */
    rawHeaders?: readonly string[]
    /** The whole message was received. */
    complete?: boolean
  }
  outgoing?: { setHeader(name: string, value: string): unknown; readonly headersSent: boolean }
}

/** Tests call the app without a connection, which counts as a local client. */
const remoteAddressOf = (bindings: NodeBindings | undefined): string | undefined =>
  bindings?.incoming ? bindings.incoming.socket?.remoteAddress : '127.0.0.1'

function hostsOf(bindings: NodeBindings | undefined): number {
  const { rawHeaders = [] } = bindings?.incoming ?? {}
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
}

function twoHosts(): Response {
  const headers = { ...dataHeaders, 'Content-Type': 'text/plain; charset=utf-8' }
  return new Response('The request has more than one Host header.\n', { status: 400, headers })
}

/**
 * An unread rest of a body would be parsed as the next request, so the connection closes after the response. For a forwarded
 * request the front process closes it, because a client that is still sending would not see the response.
 */
const isBodyUnread = (bindings: NodeBindings | undefined): boolean =>
  bindings?.incoming?.complete === false && bindings.incoming.callerAddress === undefined

/** Sets headers directly on Node's response, if there is one, because changing a Response is slower. */
function headerSetter({ env, res }: Context<EdgeEnv>): (name: string, value: string) => void {
  const outgoing = env?.outgoing
  if (outgoing === undefined) return (name, value) => res.headers.set(name, value)
  return (name, value) => {
    if (!outgoing.headersSent) outgoing.setHeader(name, value)
  }
}

/** Paths that are requested every few seconds. */
const untraced: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** https://opentelemetry.io/docs/specs/semconv/http/http-spans/ without the URL, which contains patient ids. */
async function traced(c: Context<EdgeEnv>, edge: Edge, next: Next): Promise<void> {
  const answer = () => next().finally(() => edge.leave?.())
  if (untraced.has(c.req.path)) return answer()
  const { method } = c.req
  const parent = c.req.header('traceparent') ?? null
  const attributes = { 'http.request.method': method, 'sandpiper.correlation_id': edge.correlationId }
  return withSpan(method, { kind: 'SERVER', attributes, parent }, async (span) => {
    await answer()
    span?.updateName(`${method} ${edge.route}`)
    span?.setAttributes({ 'http.route': edge.route, 'http.response.status_code': c.res.status })
    if (span && c.res.status >= 500 && !edge.injected)
      failSpan(span, c.error ?? { name: String(c.res.status) })
  })
}

/** Whether the refusal is delayed: over a rate limit, or any refusal of an anonymous or heavy request. */
const isPaced = (status: number, { leave }: Edge): boolean =>
  status === 429 || (leave !== null && status >= 400 && status < 500)

type EdgeDependencies = {
  clock: () => Date
  log: Logger
  proxies: TrustedProxies
  /** Headers of every response, such as Strict-Transport-Security. */
  headers?: Record<string, string>
  /** Counts a refusal and returns its delay in milliseconds. */
  paceRefusal?: (ipSubject: string) => number
  /** Called with every response. */
  observe?: ((answered: AnsweredRequest) => void) | undefined
}

export function createEdge({
  clock,
  log,
  proxies,
  headers = {},
  paceRefusal,
  observe,
}: EdgeDependencies): MiddlewareHandler<EdgeEnv> {
  const constant = Object.entries(headers)
  const requestLog = withoutRedaction(log)

  return async (c, next) => {
    const request = c.req.raw
    const receivedAt = clock()
    const startedMs = performance.now()
    const ip =
      c.env?.incoming?.callerAddress ??
      clientIp({ remoteAddress: remoteAddressOf(c.env), headers: request.headers, proxies })
    const edge: Edge = {
      correlationId: newCorrelationId(receivedAt),
      clientCorrelationId: clientCorrelationId(request.headers),
      ip,
      ipSubject: ipSubject(ip),
      receivedAt,
      elapsedMs: () => performance.now() - startedMs,
      route: '*',
      caller: {},
      quiet: false,
      injected: false,
      shed: null,
      leave: null,
    }
    c.set('edge', edge)
    setBodyAddress(request, edge.ipSubject)

    // A proxy and we could read different hosts, https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    const hosts = hostsOf(c.env)
    if (hosts > 1) c.res = twoHosts()
    else if (isTracing()) await traced(c, edge, next)
    else await next().finally(() => edge.leave?.())
    if (c.env?.incoming && paceRefusal && isPaced(c.res.status, edge)) {
      const delayMs = paceRefusal(edge.ipSubject)
      if (delayMs > 0) await pause(delayMs)
    }

    const setHeader = headerSetter(c)
    setHeader('X-Correlation-Id', edge.correlationId)
    if (edge.clientCorrelationId !== null) setHeader('X-Client-Correlation-Id', edge.clientCorrelationId)
    for (const [name, value] of constant) setHeader(name, value)
    if (hosts > 1 || isBodyUnread(c.env)) setHeader('Connection', 'close')
    const { status } = c.res
    const { method } = request
    const { route, injected, shed } = edge
    observe?.({ path: c.req.path, route, method, status, injected, shed, milliseconds: edge.elapsedMs() })
    const line = {
      correlationId: edge.correlationId,
      ...(edge.clientCorrelationId !== null && { clientCorrelationId: edge.clientCorrelationId }),
      method: request.method,
      route,
      status,
      ...edge.caller,
      ...(injected && { injected }),
      ...(shed && { shed }),
      durationMs: Math.round(edge.elapsedMs() * 100) / 100,
      ip,
    }
    // If the client has disconnected, the failure is not ours.
    if (status >= 500 && request.signal.aborted) requestLog.info(line, 'request broken off by the caller')
    // Without a stack, because there are many of these under load.
    else if (shed) log.warn(line, 'request refused under load')
    else if (status >= 500 && !injected) log.error({ ...line, err: c.error }, 'request failed')
    else if (edge.quiet && status < 400) requestLog.debug(line, 'request')
    else requestLog.info(line, 'request')
  }
}
