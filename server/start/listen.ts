/** One port for everything a process answers. In development Vite's middleware comes first. */
import { rmSync } from 'node:fs'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Env } from '../env.ts'
import type { Drain } from '../http/drain.ts'
import { callerHeader } from '../http/inner-socket.ts'
import type { Portal } from '../portal/load-portal.ts'
import { answerParserError, headBytesMax } from './overlong-head.ts'

/** Headers must arrive within so long, a whole request within twice that. */
const headersTimeoutMs = 15_000

/** `port` is 0 for a socket. */
export type Listening = { port: number; close: (graceMs: number) => Promise<void> }

/** A port that the environment names, or a socket for the other processes of this machine. */
type Place = { variable: 'PORT' | 'HEALTH_PORT' } | { socketPath: string }

type Options = {
  env: Env
  /** The port of PORT unless told. */
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
