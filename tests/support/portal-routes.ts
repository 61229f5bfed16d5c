/** The portal's routes around pages of a test's own. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import { Hono } from 'hono'
import { pino } from 'pino'
import { noProxies } from '../../server/http/client-ip.ts'
import { createEdge, type EdgeEnv } from '../../server/http/edge.ts'
import { createKeyring } from '../../server/keyring.ts'
import { createLoadShedding } from '../../server/limits/load-shedding.ts'
import { createMemoryLimiter } from '../../server/limits/windows.ts'
import { createPortalRoutes } from '../../server/portal/portal-routes.ts'
import type { Services } from '../../server/services.ts'

type Answer = (request: Request, context: AppLoadContext) => Response | Promise<Response>

export const developmentKey = 'the-key-of-this-start-of-the-server'

/** The portal's routes before pages of our own. */
export function createPortal(
  answer: Answer,
  { embedded = false, delayMs = () => 0 }: { embedded?: boolean; delayMs?: () => number } = {},
) {
  const env = {
    PUBLIC_ORIGIN: 'http://localhost:3000',
    NODE_ENV: 'production',
    developmentPages: embedded,
    SANDPIPER_DEV_KEY: developmentKey,
  }
  const logged: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) })
  let now = new Date('2026-11-20T12:00:00.000Z')
  const clock = () => now
  const limiter = createMemoryLimiter({ clock })
  const keyring = createKeyring(`test:${Buffer.alloc(32, 7).toString('base64')}`)
  const load = createLoadShedding({ clock, keyring, gauge: { delayMs, close: () => {} } })
  const services = { env, log, limiter, load, clock } as unknown as Services
  const app = new Hono<EdgeEnv>()
  app.use(createEdge({ clock, log, proxies: noProxies }))
  app.route(
    '/',
    createPortalRoutes(
      services,
      async (request, context) => answer(request, context),
      async () => Response.json({}),
    ),
  )
  return {
    services,
    /** As from another process of the machine, for an address. */
    fetchInside: async (request: Request, callerAddress = '127.0.0.1') =>
      app.fetch(request, { incoming: { callerAddress } }),
    logged,
    advance: (milliseconds: number) => {
      now = new Date(now.getTime() + milliseconds)
    },
    fetch: async (path: string, init: RequestInit & { from?: string; duplex?: 'half' } = {}) => {
      const { from = '127.0.0.1', ...rest } = init
      const url = new URL(path, 'http://localhost:3000')
      return app.fetch(new Request(url, rest), { incoming: { socket: { remoteAddress: from } } })
    },
  }
}
