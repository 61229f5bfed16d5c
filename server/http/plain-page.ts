/** A minimal HTML page for responses that the portal does not render. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { dataHeaders, transportHeaders } from './security-headers.ts'

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}h1{font-size:1.4rem}code{overflow-wrap:anywhere}form{display:grid;gap:.75rem}input,button{font:inherit;padding:.6rem .75rem;min-width:0}form p{margin:0}'
const digest = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/**
 * A page that goes to another origin by itself, with a link for browsers that don't. A form must not respond with a
 * redirect: browsers apply the `form-action` of the form's page to it and to all redirects that follow at the app's
 * servers. https://www.w3.org/TR/CSP3/#directive-form-action
 * @param answer the redirect, whose cookies the page sets
 */
export function leavingPage(
  url: URL,
  { answer, correlationId, publicOrigin }: { answer: Response; correlationId: string; publicOrigin: string },
): Promise<Response> {
  return plainPage({
    title: `Opening ${hostOf(url)}`,
    head: html`<meta http-equiv="refresh" content="0;url=${url.href}">`,
    body: html`<p><a href="${url.href}" rel="noreferrer">Continue to ${hostOf(url)}</a></p>`,
    correlationId,
    status: 200,
    headers: transportHeaders(publicOrigin),
    cookies: answer.headers.getSetCookie(),
  })
}

/** @returns the target of a redirect to another origin, or null */
export function findOtherOrigin({ status, headers }: Response, publicOrigin: string): URL | null {
  const location = headers.get('location')
  if (status < 300 || status > 399 || location === null) return null
  const url = new URL(location, publicOrigin)
  return url.origin === new URL(publicOrigin).origin ? null : url
}

/** The host, or a description of an app on this device by its scheme. */
export function hostOf({ host, protocol }: URL): string {
  return host || `the app on this device (${protocol.slice(0, -1)})`
}

type PlainPage = {
  title: string
  head?: ReturnType<typeof html>
  /** Escaped HTML below the title. */
  body: ReturnType<typeof html>
  correlationId?: string
  /** For a page with a form: the portal's policy allows its style and script by their nonce. */
  scripted?: { script: string; nonce: string }
  status: number
  headers?: Readonly<Record<string, string>>
  cookies?: readonly string[]
}

export async function plainPage({
  title,
  head = raw(''),
  body,
  correlationId,
  scripted,
  status,
  headers,
  cookies = [],
}: PlainPage): Promise<Response> {
  const nonce = scripted && html` nonce="${scripted.nonce}"`
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style${nonce}>${raw(style)}</style>${head}</head>
<body><main><h1>${title}</h1>
${body}
${correlationId && html`<p>Correlation id: <code>${correlationId}</code></p>`}</main>
${scripted && html`<script${nonce}>${raw(scripted.script)}</script>`}</body></html>`
  const response = new Response(String(await page), {
    status,
    headers: {
      ...dataHeaders,
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    },
  })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** The response to a page request that is refused because of the load. Programs get it as text. */
export async function busyPage(
  accept: string | null,
  correlationId: string,
  retryAfterSeconds: number,
): Promise<Response> {
  const title = 'Sandpiper is very busy'
  const text = `Please try again in ${retryAfterSeconds} seconds.`
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  if (accept?.includes('text/html'))
    return plainPage({ title, body: html`<p>${text}</p>`, correlationId, status: 503, headers })
  return new Response(`${title}. ${text}\n\nCorrelation id: ${correlationId}\n`, {
    status: 503,
    headers: { ...dataHeaders, ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
