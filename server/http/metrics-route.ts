/** `/metrics`, for callers with METRICS_TOKEN. If none is set, the path is unknown like any other. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { EdgeEnv } from './edge.ts'
import { bearerChallenge } from './error-envelope.ts'
import type { Metrics } from './metrics.ts'
import { dataHeaders } from './security-headers.ts'

type Dependencies = { metrics: Metrics; token: string }

export function createMetricsRoute({ metrics, token }: Dependencies): Hono<EdgeEnv> {
  const expected = hash(token)
  const app = new Hono<EdgeEnv>()
  app.get('/metrics', async (c) => {
    c.var.edge.route = '/metrics'
    c.var.edge.quiet = true
    const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    // Hashes have the same length, as timingSafeEqual requires.
    if (!timingSafeEqual(hash(bearer), expected))
      return c.text('A token is required.\n', 401, { ...dataHeaders, ...bearerChallenge(c.req.raw) })
    return c.text(await metrics.text(), 200, { ...dataHeaders, 'Content-Type': metrics.contentType })
  })
  return app
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
