/**
 * What every request gets before an interface answers: names for it, the caller's address, a line in the log. Stands
 * first in the app; the interfaces behind it read `c.var.edge` and never a header of these.
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
  /** Ours, a UUID; in the answer's `X-Correlation-Id` and in every log. */
  correlationId: string
  /** The caller's, echoed as `X-Client-Correlation-Id`. */
  clientCorrelationId: string | null
  /** The caller's address. */
  ip: string
  /** What is counted as one caller: the address, or the /64 of an IPv6 address. */
  ipSubject: string
  receivedAt: Date
  /** Milliseconds since the request came. */
  elapsedMs(): number
  /** Pattern of the route that answers, `*` until one does. The only thing about the URL that is logged. */
  route: string
  /** For the log: practice and public part of the credential, once they are known. */
  caller: Readonly<{ practice?: string; keyPrefix?: string; clientId?: string }>
  /** Not worth a line in the log unless it fails: health probes, files. */
  quiet: boolean
  /** The Fault Lab made the answer what it is: it tells nothing of how the service is. */
  injected: boolean
  /** Refused because this process has too much to do. */
  shed: WorkClass | null
  /** Ends the turn of a request that waited for it. */
  leave: (() => void) | null
}

export type EdgeEnv = { Variables: { edge: Edge }; Bindings: NodeBindings | undefined }

/** What the Node listener hands in; absent when a test calls the app. */
export type NodeBindings = {
  incoming?: {
    /** Whom another process of this machine asks for. */
    callerAddress?: string | undefined
    socket?: { remoteAddress?: string; destroySoon?(): unknown }
    /** Names and values in turn, as they came. */
    rawHeaders?: readonly string[]
    /** The whole message has come. */
    complete?: boolean
  }
  outgoing?: { setHeader(name: string, value: string): unknown; readonly headersSent: boolean }
}

/** A test that calls the app without a connection is this machine. */
const remoteAddressOf = (bindings: NodeBindings | undefined): string | undefined =>
  bindings?.incoming ? bindings.incoming.socket?.remoteAddress : '127.0.0.1'

function hostsOf(bindings: NodeBindings | undefined): number {
  const { rawHeaders = [] } = bindings?.incoming ?? {}
  return rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === 'host').length
}

function twoHosts(): Response {
  const headers = { ...dataHeaders, 'Content-Type': 'text/plain; charset=utf-8' }
  return new Response('The request has more than one Host header.\n', { status: 400, headers })
}

/**
 * The rest of such a body cannot be told from the next request, so the connection ends with the response. The process
 * in front ends that of its caller: one that breaks off while it still sends would never see the response.
 */
const isBodyUnread = (bindings: NodeBindings | undefined): boolean =>
  bindings?.incoming?.complete === false && bindings.incoming.callerAddress === undefined

/** Sets headers on Node's own response where there is one: those of a Response would be parsed and written again. */
function headerSetter({ env, res }: Context<EdgeEnv>): (name: string, value: string) => void {
  const outgoing = env?.outgoing
  if (outgoing === undefined) return (name, value) => res.headers.set(name, value)
  return (name, value) => {
    if (!outgoing.headersSent) outgoing.setHeader(name, value)
  }
}

/** What is asked every few seconds. */
const untraced: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** https://opentelemetry.io/docs/specs/semconv/http/http-spans/, without the address, which names patients. */
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

/** Over a limit, or refused though it waited for a turn: anonymous and heavy requests. */
const isPaced = (status: number, { leave }: Edge): boolean =>
  status === 429 || (leave !== null && status >= 400 && status < 500)

type EdgeDependencies = {
  clock: () => Date
  log: Logger
  proxies: TrustedProxies
  /** Of every answer (Strict-Transport-Security). */
  headers?: Record<string, string>
  /** Counts a refusal; the milliseconds by which it is delayed. */
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

    // Two readers of one request could take it for different hosts, https://www.rfc-editor.org/rfc/rfc9112#section-3.2
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
    // A client that disconnected reads no response, and a call that it interrupted is not a fault.
    if (status >= 500 && request.signal.aborted) requestLog.info(line, 'request broken off by the caller')
    // Without a stack: under load there are many of these.
    else if (shed) log.warn(line, 'request refused under load')
    else if (status >= 500 && !injected) log.error({ ...line, err: c.error }, 'request failed')
    else if (edge.quiet && status < 400) requestLog.debug(line, 'request')
    else requestLog.info(line, 'request')
  }
}
