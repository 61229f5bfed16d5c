/** Serves everything a process answers on one port. In development Vite's middleware comes first. */
import { rmSync } from 'node:fs'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { Problem } from '../contract/http/problems.ts'
import { refuse } from '../contract/smart/oauth-errors.ts'
import type { Env } from '../env.ts'
import { newCorrelationId } from '../http/correlation.ts'
import { errorEnvelope } from '../http/error-envelope.ts'
import { corsHeaders, jsonAnswer, problemOutcome } from '../http/fhir-answer.ts'
import type { Drain } from '../http/health.ts'
import { callerHeader } from '../http/inner-socket.ts'
import { plainPage } from '../http/plain-page.ts'
import type { Portal } from '../portal/load-portal.ts'
import { errorPage, oauthError } from '../smart/answers.ts'

/** Time limit for a request's headers. The whole request may take twice as long. */
const headersTimeoutMs = 15_000

/** `port` is 0 for a Unix socket. */
export type Listening = { port: number; close: (graceMs: number) => Promise<void> }

/** A port that the environment sets, or a Unix socket for the other processes of this machine. */
type Place = { variable: 'PORT' | 'HEALTH_PORT' } | { socketPath: string }

type Options = {
  env: Env
  /** Defaults to PORT. */
  place?: Place
  // biome-ignore lint/suspicious/noExplicitAny: the listener does not care about the app's variables
  app: Hono<any>
  portal?: Portal | null
  /** Forwards a request to the process that serves it; false if that is this process. */
  passOn?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  drain?: Drain
}

/** @throws Error naming the port and the variable when it is taken */
export async function listen({ env, place = { variable: 'PORT' }, app, portal, passOn, drain }: Options) {
  // This replaces the process's global Response by one that writes short texts without a stream.
  const handle = getRequestListener(app.fetch)
  const isInner = 'socketPath' in place
  const options = {
    ServerResponse: ResettingResponse,
    IncomingMessage: isInner ? InnerRequest : IncomingMessage,
    // The public process adds a few headers to the requests that it forwards.
    maxHeaderSize: isInner ? headBytesMax + 1_024 : headBytesMax,
  }
  const server = createServer(options, (request, response) => {
    // A draining process closes its connections, so that clients reconnect to one that stays.
    if (drain?.isBegun()) response.shouldKeepAlive = false
    if (passOn?.(request, response)) return
    if (portal?.middleware) portal.middleware(request, response, () => void handle(request, response))
    else void handle(request, response)
  })
  server.on('clientError', answerParserError)
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = headersTimeoutMs * 2
  server.keepAliveTimeout = 65_000 // longer than the usual proxy's, so that the proxy closes first
  await portal?.attach?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(isInner ? error : explain(error, place.variable, env)),
    )
    if (!isInner) server.listen(env[place.variable], env.HOST, resolve)
    else {
      // A killed process leaves its socket file behind, and listening on that path would fail.
      rmSync(place.socketPath, { force: true })
      server.listen(place.socketPath, resolve)
    }
  })
  const port = isInner ? 0 : (server.address() as AddressInfo).port
  return { port, close: (graceMs: number) => close(server, portal, graceMs) }
}

/** A request that the public process forwarded. A header has the caller's address. */
class InnerRequest extends IncomingMessage {
  get callerAddress(): string | undefined {
    const caller = this.headers[callerHeader]
    return typeof caller === 'string' ? caller : undefined
  }
}

/**
 * Resets the connection when writing a body fails. A client of HTTP/1.0, and so some proxies, would take a plain
 * close for the end of a complete body.
 */
class ResettingResponse extends ServerResponse {
  override destroy(error?: Error): this {
    if (error) this.socket?.resetAndDestroy()
    return super.destroy(error)
  }
}

function explain(error: NodeJS.ErrnoException, variable: 'PORT' | 'HEALTH_PORT', env: Env): Error {
  const port = env[variable]
  if (error.code !== 'EADDRINUSE') return error
  return Object.assign(
    new Error(
      `Port ${port} is in use. Stop the other program, or choose another port: ${variable}=${port + 1} npm start`,
    ),
    { code: error.code },
  )
}

/** Stops accepting connections, lets running requests finish, and cuts off what still runs after `graceMs`. */
async function close(server: Server, portal: Portal | null | undefined, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  const sweep = setInterval(() => server.closeIdleConnections(), 100)
  await closed
  clearTimeout(cut)
  clearInterval(sweep)
  await portal?.close?.()
}

// Node refuses a URL or headers over {@link headBytesMax} before there is a request. The refusal has the format of the
// interface that the request line names, if Node still has that line.

/**
 * Node's default of 16 kB would refuse long searches and authorization requests before their interface can. This is
 * less than Node reads at once, so the refusal can still find the request line.
 */
const headBytesMax = 64_000

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/** Status lines for malformed or slow requests, the same as Node's default. */
const bareStatus: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
}

function answerParserError({ code = '', rawPacket }: ParserError, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  if (code !== 'HPE_HEADER_OVERFLOW') {
    socket.end(`HTTP/1.1 ${bareStatus[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
    return
  }
  const [, target = ''] = /^[A-Z]+ (\S{1,200})/.exec(rawPacket?.toString('latin1', 0, 300) ?? '') ?? []
  void refusal(target).then(async (response) => {
    const body = await response.text()
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const length = `content-length: ${Buffer.byteLength(body)}\r\n`
    socket.end(`HTTP/1.1 ${response.status} Bad Request\r\n${head}${length}connection: close\r\n\r\n${body}`)
  })
}

async function refusal(target: string): Promise<Response> {
  const correlationId = newCorrelationId(new Date())
  const response = await tooLong(target, correlationId)
  response.headers.set('X-Correlation-Id', correlationId)
  return response
}

function tooLong(target: string, correlationId: string): Response | Promise<Response> {
  const message = `The address and the headers have more than ${headBytesMax.toLocaleString('en-US')} bytes.`
  const problem = new Problem('validation', { message, fhirIssue: 'too-long' })
  if (/^\/r4\/[^/]+\/authorize\b/.test(target)) return errorPage(refuse('parameter_too_long'), correlationId)
  if (/^\/r4\/[^/]+\/(token|introspect|revoke)\b/.test(target))
    return oauthError(refuse('parameter_too_long'), false)
  if (/^\/r4\b/.test(target))
    return jsonAnswer(new Request('http://localhost'), problemOutcome(problem, correlationId), {
      status: 400,
    })
  if (/^(\/sandbox)?\/api\/v1\b/.test(target)) return errorEnvelope(problem, correlationId)
  if (target === '') return errorEnvelope(problem, correlationId, corsHeaders)
  const body = html`<p>${message} Delete this site’s cookies, or use a shorter link.</p>`
  return plainPage({ title: 'This request is too long', body, correlationId, status: 400 })
}
