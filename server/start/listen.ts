/** One port for everything a process answers. In development Vite's middleware comes first. */
import { createServer, type Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Env } from '../env.ts'
import type { Portal } from '../portal/load-portal.ts'

/** Headers must arrive within so long, a whole request within twice that. */
const headersTimeoutMs = 15_000

type Listening = { port: number; close: (graceMs: number) => Promise<void> }

/**
 * @param options.variable names the port
 * @throws Error naming the port and the variable when it is taken
 */
export async function listen(options: {
  env: Env
  variable?: 'PORT' | 'HEALTH_PORT'
  // biome-ignore lint/suspicious/noExplicitAny: the listener does not care about the app's variables
  app: Hono<any>
  portal?: Portal | null
}): Promise<Listening> {
  const { env, variable = 'PORT', portal, app } = options
  // Its own Response stands for Node's in this process: what is a text and a few headers needs no stream.
  const handle = getRequestListener(app.fetch)
  const server = createServer({ ServerResponse: ResettingResponse }, (request, response) => {
    if (portal?.middleware) portal.middleware(request, response, () => void handle(request, response))
    else void handle(request, response)
  })
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = headersTimeoutMs * 2
  server.keepAliveTimeout = 65_000 // longer than the usual proxy's, so that the proxy closes first
  await portal?.attach?.(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, variable, env)))
    server.listen(env[variable], env.HOST, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { port, close: (graceMs) => close(server, portal, graceMs) }
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
