/** One port for everything a process answers. In development Vite's middleware comes first. */
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

/** Headers must arrive within so long, a whole request within twice that. */
const headersTimeoutMs = 15_000

/** `port` is 0 for a socket. */
export type Listening = { port: number; close: (graceMs: number) => Promise<void> }

/** A port that the environment names, or a socket for the other processes of this machine. */
type Place = { variable: 'PORT' | 'HEALTH_PORT' } | { socketPath: string }

type Options = {
  env: Env
  /** The port of PORT by default. */
  place?: Place
  // biome-ignore lint/suspicious/noExplicitAny: the listener does not care about the app's variables
  app: Hono<any>
  portal?: Portal | null
  /** Takes a request that another process answers. */
  passOn?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  drain?: Drain
}

/** @throws Error naming the port and the variable when it is taken */
export async function listen({
  env,
  place = { variable: 'PORT' },
  app,
  portal,
  passOn,
  drain,
}: Options): Promise<Listening> {
  // Its own Response stands for Node's in this process: what is a text and a few headers needs no stream.
  const handle = getRequestListener(app.fetch)
  const isInner = 'socketPath' in place
  const options = {
    ServerResponse: ResettingResponse,
    IncomingMessage: isInner ? InnerRequest : IncomingMessage,
    // The process in front adds a few headers of its own.
    maxHeaderSize: isInner ? headBytesMax + 1_024 : headBytesMax,
  }
  const server = createServer(options, (request, response) => {
    // The sender then opens its next connection to a process that stays.
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
      // A process that was killed has left its own behind.
      rmSync(place.socketPath, { force: true })
      server.listen(place.socketPath, resolve)
    }
  })
  const port = isInner ? 0 : (server.address() as AddressInfo).port
  return { port, close: (graceMs) => close(server, portal, graceMs) }
}

/** Comes through the process that people reach, which says who asks. */
class InnerRequest extends IncomingMessage {
  get callerAddress(): string | undefined {
    const caller = this.headers[callerHeader]
    return typeof caller === 'string' ? caller : undefined
  }
}

/**
 * A response whose body failed resets its connection: to a client of HTTP/1.0, and so to some proxies, a connection
 * that is merely closed is the end of a whole body.
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

/** No new connections; what runs is finished, idle connections end, the rest is cut after the grace. */
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

// What Node refuses before there is a request: an address or headers over {@link headBytesMax}. The refusal has the shape
// of the interface that the request line names, if that line came with the bytes that Node could not take any more.

/**
 * Node's own 16 kB end a search or a request to authorize that is merely long before its interface can say so. Less than
 * what is read at once, so that the request line is at hand when a local client or proxy sends more.
 */
const headBytesMax = 64_000

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/** For malformed or too slow requests: the same response as Node's default. */
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
  const response = await shaped(target, correlationId)
  response.headers.set('X-Correlation-Id', correlationId)
  return response
}

function shaped(target: string, correlationId: string): Response | Promise<Response> {
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
