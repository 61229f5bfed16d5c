/** A page of one style and no script, for responses that the portal has no part in. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { dataHeaders } from './security-headers.ts'

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}h1{font-size:1.4rem}code{overflow-wrap:anywhere}'
const digest = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

type PlainPage = {
  title: string
  /** Below the title; escaped already. */
  body: ReturnType<typeof html>
  correlationId: string
  status: number
  headers?: Readonly<Record<string, string>>
}

export async function plainPage({
  title,
  body,
  correlationId,
  status,
  headers,
}: PlainPage): Promise<Response> {
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(style)}</style></head>
<body><main><h1>${title}</h1>
${body}
<p>Correlation id: <code>${correlationId}</code></p></main></body></html>`
  return new Response(String(await page), {
    status,
    headers: {
      ...dataHeaders,
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    },
  })
}

/** For somebody whose page is refused under load. Programs get the same as text. */
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
