/**
 * Serves cached public pages in the public process, because forwarding a request costs more than the page. Requests for
 * other pages are forwarded, and their pages are fetched from the portal's cache for the next visitor.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Context, Hono } from 'hono'
import { Problem } from '../contract/http/problems.ts'
import { isDocsPage, prefersMarkdown } from '../http/accept.ts'
import { takesGzip } from '../http/compression.ts'
import { isUnchanged } from '../http/conditions.ts'
import type { EdgeEnv } from '../http/edge.ts'
import { isRepeatable, keptPageHeader, keptUntilHeader } from '../http/inner-socket.ts'
import { createPageCache, type StoredPage, toResponse } from '../http/page-cache.ts'
import type { Services } from '../services.ts'
import { answerError } from './portal-routes.ts'
import { publicPageOf } from './public-pages.ts'

type Dependencies = Pick<Services, 'clock' | 'env' | 'limiter' | 'log'>

/** @param fetchPage sends a request to the portal */
export function createFrontPages(
  { clock, env, limiter, log }: Dependencies,
  fetchPage: (request: Request) => Promise<Response>,
) {
  const pages = createPageCache({ clock })
  const found = new WeakMap<object, StoredPage>()
  const fetching = new Set<string>()

  /** Whether `app` can serve the request. */
  function has(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '/', headers } = request
    const key = keyOf(request)
    if (key === null) return false
    const kept = pages.find(key)
    if (kept) found.set(request, kept.page)
    else
      response.once('finish', () => response.statusCode === 200 && void fetchKept(key, url, headers.cookie))
    return kept !== null
  }

  async function fetchKept(key: string, path: string, cookie: string | undefined): Promise<void> {
    if (fetching.has(key)) return
    fetching.add(key)
    try {
      const headers = { [keptPageHeader]: '1', ...(cookie !== undefined && { cookie }) }
      const response = await fetchPage(new Request(new URL(path, env.PUBLIC_ORIGIN), { headers }))
      const [, nonce] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
      const correlationId = response.headers.get('x-correlation-id')
      const until = Number(response.headers.get(keptUntilHeader))
      if (response.status === 200 && nonce && correlationId)
        await pages.keep(key, response, { nonce, correlationId }, until)
      else await response.body?.cancel()
    } catch (err) {
      // The portal may have stopped. Visitors then get an error page.
      log.debug({ err }, 'a public page was not fetched')
    } finally {
      fetching.delete(key)
    }
  }

  async function answer(c: Context<EdgeEnv>): Promise<Response> {
    const page = c.env?.incoming && found.get(c.env.incoming)
    if (!page) return c.notFound()
    const { edge } = c.var
    edge.route = 'portal'
    const decision = await limiter.take([{ window: 'portalPage', subject: edge.ipSubject }])
    if (!decision.admitted)
      throw new Problem('rate_limited', { retryAfterSeconds: decision.retryAfterSeconds })
    const { headers } = c.req.raw
    const { etag, 'cache-control': cacheControl = '' } = Object.fromEntries(page.headers)
    if (etag && isUnchanged(headers, { etag, lastModified: null }))
      return new Response(null, { status: 304, headers: { ETag: etag, 'Cache-Control': cacheControl } })
    const marks = { nonce: randomBytes(16).toString('base64'), correlationId: edge.correlationId }
    return toResponse(page, { marks, gzip: takesGzip(headers) })
  }

  const app = new Hono<EdgeEnv>()
  app.all('*', answer)
  app.onError(answerError(log))
  return { has, app }
}

/** The key of a cacheable page, the same as the portal's; null if the page is not cacheable. */
function keyOf(request: IncomingMessage): string | null {
  const { method = '', url = '/', headers } = request
  if (!isRepeatable(request) || (isDocsPage(url) && prefersMarkdown(headers.accept ?? null))) return null
  const headerOf = (name: string) => headers[name]?.toString() ?? null
  const target = { method, url, headers: { get: headerOf, has: (name: string) => headerOf(name) !== null } }
  return publicPageOf(target, url)?.key ?? null
}
