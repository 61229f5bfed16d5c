/** Serves what no API handles: the portal's files, and its pages with their security headers. */
import { randomBytes } from 'node:crypto'
import { serveStatic } from '@hono/node-server/serve-static'
import type { AppLoadContext } from '@remix-run/server-runtime'
import { type Context, type ErrorHandler, Hono } from 'hono'
import { html } from 'hono/html'
import type { WindowName } from '../contract/http/limits.ts'
import { workClasses } from '../contract/http/load-shedding.ts'
import { Problem, toProblem } from '../contract/http/problems.ts'
import { docsMcpPath, docsSourcePath } from '../contract/mcp/docs-tools.ts'
import { isDocsPage, prefersMarkdown } from '../http/accept.ts'
import { pageResponse, takesGzip } from '../http/compression.ts'
import { isUnchanged } from '../http/conditions.ts'
import { createDevelopmentPages } from '../http/development-pages.ts'
import type { Edge, EdgeEnv } from '../http/edge.ts'
import { withoutExtraSlash } from '../http/extra-slash.ts'
import { keptPageHeader, keptUntilHeader } from '../http/inner-socket.ts'
import { createPageCache, type PageMarks, toResponse } from '../http/page-cache.ts'
import { busyPage, findOtherOrigin, leavingPage, plainPage } from '../http/plain-page.ts'
import { portalBody } from '../http/portal-body.ts'
import { checkOrigin, dataHeaders, isSafeMethod, pageHeaders } from '../http/security-headers.ts'
import type { Services } from '../services.ts'
import { createDocsMcp, type DocsSource, isDocsMcp } from './docs-mcp.ts'
import { clientFolder } from './load-portal.ts'
import { createMailLinks } from './mail-links.ts'
import type { PortalHandler } from './portal-handler.ts'
import { isVisitor, publicPageOf } from './public-pages.ts'
import { portalWorkClass } from './work-class.ts'

/** File names under /assets contain a hash of their content. */
const forever = 'public, max-age=31536000, immutable'
const anHour = 'public, max-age=3600'

/** Calls one of our own APIs inside this process, for a client at this IP address. */
export type CallApi = (request: Request, ip: string) => Promise<Response>

export function createPortalRoutes(services: Services, portal: PortalHandler, callApi: CallApi) {
  const { env, log, limiter, load, clock } = services
  const pages = createPageCache({ clock })
  const development = createDevelopmentPages(env)
  const mailLinks = createMailLinks(env.PUBLIC_ORIGIN)
  const app = new Hono<EdgeEnv>()

  app.use('/assets/*', files(forever))
  app.use('*', files(anHour))
  const docsMcp = createDocsMcp(services, findDocs)
  app.all(`${docsMcpPath}/*`, async (c, next) =>
    withoutExtraSlash(c.req.path) === docsMcpPath && isDocsMcp(c.req.raw) ? docsMcp(c) : next(),
  )

  app.all('*', async (c) => {
    c.var.edge.route = 'portal'
    await load.admitPage(c.var.edge, c.req.raw.headers, portalWorkClass(c.req.path, c.req.header('cookie')))
    // The Fetch API allows no Request with this method, and no page handles it.
    if (c.req.method === 'TRACE') throw new Problem('method_not_allowed')
    checkOrigin(c.req.raw, env.PUBLIC_ORIGIN)
    const opened = development.open(c.req.raw, c.var.edge.ip)
    if (opened) return opened
    const nonce = randomBytes(16).toString('base64')
    const { correlationId } = c.var.edge
    const answer = await respond(c, { nonce, correlationId })
    // After a 304 the browser shows its stored page under the policy of that page: a new nonce would block its scripts.
    if (answer.status === 304) return answer
    const elsewhere = isSafeMethod(c.req.method) ? null : findOtherOrigin(answer, env.PUBLIC_ORIGIN)
    if (elsewhere) return leavingPage(elsewhere, { answer, correlationId, publicOrigin: env.PUBLIC_ORIGIN })
    const headers = new Headers(answer.headers)
    mailLinks.keepToken(c.req.raw, headers)
    for (const [name, value] of Object.entries(
      pageHeaders({
        nonce,
        publicOrigin: env.PUBLIC_ORIGIN,
        development: env.NODE_ENV === 'development',
      }),
    )) {
      headers.set(name, value)
    }
    // A patient's document keeps its own policy, which is stricter than that of a page.
    const own = answer.headers.get('Content-Security-Policy')
    if (own?.startsWith("sandbox; default-src 'none'")) headers.set('Content-Security-Policy', own)
    if (isDocsPage(new URL(c.req.url).pathname)) headers.append('Vary', 'Accept')
    // Remix drops the headers of a thrown response unless every parent route passes them on.
    if (answer.status === 503 && !headers.has('Retry-After')) headers.set('Retry-After', '1')
    const { body, status } = answer
    return pageResponse(c.req.raw, { body, status, headers }, isVisitor(c.req.raw.headers))
  })

  /** Gets the documentation from the portal, which gives it only to a request with `takeDocs`, never to a client. */
  async function findDocs({ var: { edge } }: Context<EdgeEnv>): Promise<DocsSource> {
    const taken: DocsSource[] = []
    await portal(new Request(new URL(docsSourcePath, env.PUBLIC_ORIGIN)), {
      services,
      nonce: '',
      correlationId: edge.correlationId,
      clientIp: edge.ip,
      mayDevelop: false,
      callApi: () => Promise.reject(new Problem('internal')),
      takeDocs: (docs) => taken.push(docs),
    })
    const [docs] = taken
    if (!docs) throw new Problem('unavailable')
    return docs
  }

  /** Returns a public page from the cache, or renders the page. */
  async function respond(c: Context<EdgeEnv>, marks: PageMarks): Promise<Response> {
    const { edge } = c.var
    const mayDevelop = development.mayShow(c.req.raw, edge.ip)
    if (!isSafeMethod(c.req.method)) await takeWindows(['portalForm'], edge)
    const link = await mailLinks.open(c.req.raw, marks.nonce)
    if (link) {
      if (isSafeMethod(c.req.method)) await takeWindows(['portalPage'], edge)
      return link
    }
    const request = await portalRequest(c)
    const found = env.NODE_ENV === 'development' ? null : publicPageOf(request, new URL(request.url).pathname)
    const key = `${found?.key} ${mayDevelop}`
    const options = { marks, gzip: takesGzip(request.headers) }
    const page = found && pages.find(key)
    const stored = page && toResponse(page.page, options)
    const etag = found?.etag
    const tag: Record<string, string> = etag ? { ETag: etag, 'Cache-Control': 'private, no-cache' } : {}
    if (isFromFront(c)) {
      edge.quiet = true
      if (!page || !stored) throw new Problem('not_found')
      return withHeaders(stored, { ...tag, [keptUntilHeader]: `${page.until}` })
    }
    const isKnown = etag && isUnchanged(request.headers, { etag, lastModified: null })
    // Rendering a page costs much more than sending a stored one, so it has a window of its own.
    if (stored || isKnown) await takeWindows(['portalPage'], edge)
    else if (isSafeMethod(request.method)) await takeWindows(['portalPage', 'portalRender'], edge)
    if (isKnown) return new Response(null, { status: 304, headers: tag })
    if (stored) return withHeaders(stored, tag)
    const render = async (pageRequest: Request) => {
      const context: AppLoadContext = {
        services,
        ...marks,
        clientIp: edge.ip,
        mayDevelop,
        linkToken: mailLinks.tokenOf(pageRequest),
        callApi: (own) => callApi(checkCallable(own), edge.ip),
      }
      const answer = await portal(pageRequest, context)
      if (!isRawFault(pageRequest, answer)) return answer
      // Routes without a page, such as downloads, would show the browser an error as JSON of Remix.
      context.fault ??= { status: answer.status, data: null }
      return portal(faultPageRequest(pageRequest), context)
    }
    if (found === null) return render(request)
    // Other visitors may wait for the same page, so rendering continues when this visitor leaves.
    const lasting = new Request(request.url, { headers: request.headers })
    const rendered = await pages.render(key, found.secondsKept, options, () => render(lasting))
    if (rendered === null) return render(request)
    return rendered.status === 200 && !rendered.headers.has('set-cookie')
      ? withHeaders(rendered, tag)
      : rendered
  }

  /** @throws Problem `rate_limited` */
  async function takeWindows(windows: readonly WindowName[], { ipSubject: subject }: Edge): Promise<void> {
    const decision = await limiter.take(windows.map((window) => ({ window, subject })))
    if (!decision.admitted)
      throw new Problem('rate_limited', { retryAfterSeconds: decision.retryAfterSeconds })
  }

  app.onError(answerError(log))

  /** Rebuilds the request under the portal's own origin, whatever Host and proxies say: `//host/path` stays a path. */
  async function portalRequest(c: Context<EdgeEnv>): Promise<Request> {
    const request = c.req.raw
    const { pathname, search } = new URL(request.url)
    if (!isRoutable(pathname)) throw new Problem('not_found')
    const url = new URL(env.PUBLIC_ORIGIN)
    url.pathname = wantsMarkdown(request, pathname) ? `${pathname.replace(/\/$/, '')}.md` : pathname
    url.search = withoutLegacy(search)
    const headers = new Headers(request.headers)
    // Remix compares a form's Origin with these headers and not with PUBLIC_ORIGIN, as checkOrigin does.
    headers.set('host', url.host)
    headers.delete('x-forwarded-host')
    const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await portalBody(request)
    return new Request(url, { method: request.method, headers, signal: request.signal, ...body })
  }

  return app
}

function isRawFault({ headers }: Request, answer: Response): boolean {
  const isPage = answer.headers.get('content-type')?.startsWith('text/html')
  return answer.status >= 400 && !isPage && headers.get('accept')?.includes('text/html') === true
}

/** Leads to the not-found page in the area of the path that failed. */
function faultPageRequest({ url, headers, signal }: Request): Request {
  const { origin, pathname } = new URL(url)
  return new Request(new URL(`${pathname}/-`, origin), { headers, signal })
}

/** Handles only errors before the portal runs, because the portal has an error page of its own. */
export function answerError(log: Services['log']): ErrorHandler<EdgeEnv> {
  return (error, c) => {
    const problem = toProblem(error)
    const { correlationId, shed } = c.var.edge
    if (shed !== null)
      return busyPage(c.req.header('accept') ?? null, correlationId, workClasses[shed].retryAfterSeconds)
    // It is no error if a person aborts a form while it is sent.
    if (problem.status >= 500 && !c.req.raw.signal.aborted)
      log.error({ err: error, correlationId }, 'the portal failed')
    if (c.req.header('accept')?.includes('text/html'))
      return plainPage({
        title: 'The request failed',
        body: html`<p>${problem.message}</p>`,
        correlationId,
        status: problem.status,
        headers: problem.headers,
      })
    const text = `${problem.message}\n\nCorrelation id: ${correlationId}\n`
    return c.text(text, problem.status, { ...problem.headers, ...dataHeaders })
  }
}

/** The front process requests a page for its cache (front-pages.ts). It removes this header from clients' requests. */
const isFromFront = ({ env, req }: Context<EdgeEnv>): boolean =>
  env?.incoming?.callerAddress !== undefined && req.header(keptPageHeader) !== undefined

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** The portal may call the sandbox and FHIR. Its own pages and the production API must not be reachable from inside. */
const callablePaths = ['/sandbox/api/v1/', '/r4/']

function checkCallable(request: Request): Request {
  const { pathname } = new URL(request.url)
  if (callablePaths.some((each) => pathname.startsWith(each))) return request
  throw new Problem('internal', { detail: 'not an API that the portal may call' })
}

/**
 * The router decodes a path and makes a URL of it. For `/%5c` and `//a:99999`, whose decoded path begins like a host,
 * it would throw an error instead of finding no page.
 */
function isRoutable(pathname: string): boolean {
  const decoded = pathname.split('/').map(decodeSegment).join('/')
  return URL.canParse(decoded, 'http://localhost')
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F')
  } catch {
    return segment
  }
}

/** Each documentation page is also served as Markdown, under its path with `.md`. */
function wantsMarkdown({ method, headers }: Request, pathname: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && isDocsPage(pathname) && prefersMarkdown(headers.get('accept'))
}

/** Remix still handles legacy `_data` requests and logs an error for each. None of our pages sends one. */
function withoutLegacy(search: string): string {
  if (!search.includes('_data')) return search
  const query = new URLSearchParams(search)
  query.delete('_data')
  return `${query}`
}

function files(cacheControl: string) {
  return serveStatic({
    root: clientFolder,
    precompressed: true,
    onFound: (_path, c: Context<EdgeEnv>) => {
      c.var.edge.route = 'file'
      c.var.edge.quiet = true
      c.header('Cache-Control', cacheControl)
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Cross-Origin-Resource-Policy', 'same-origin')
    },
  })
}
