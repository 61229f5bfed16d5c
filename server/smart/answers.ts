/** Responses of the authorization server: JSON without caching, errors of RFC 6749 §5.2, and error pages. */
import { html } from 'hono/html'
import type { Problem } from '../contract/http/problems.ts'
import { oauthRefusals, refusalOf, wordsOf } from '../contract/smart/oauth-errors.ts'
import { requestHeaders } from '../http/fhir-answer.ts'
import { hostOf, plainPage } from '../http/plain-page.ts'
import { dataHeaders } from '../http/security-headers.ts'

/** Browser apps may call these endpoints, which read no cookies. */
const openToBrowsers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Correlation-Id, Retry-After, WWW-Authenticate',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

const uncached = {
  ...dataHeaders,
  ...openToBrowsers,
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
} as const

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...uncached, 'Content-Type': 'application/json', ...headers },
  })
}

/**
 * Documents that may be cached for an hour: keys and style. Discovery may not: with Node 20 and later, clients built
 * on got 11, SMART's own bulk client among them, wait forever for a response that may be cached.
 */
export function cachedJson(body: unknown): Response {
  return new Response(JSON.stringify(body), {
    headers: {
      ...dataHeaders,
      ...openToBrowsers,
      'Cache-Control': 'public, max-age=3600',
      'Content-Type': 'application/json',
    },
  })
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export function oauthError(problem: Problem, usedBasic: boolean): Response {
  const { error } = oauthRefusals[refusalOf(problem)]
  const { description, hint } = wordsOf(problem)
  const challenge = problem.status === 401 && usedBasic
  const error_description = [description, hint].filter((words) => words !== null).join(' ')
  return json({ error, error_description }, problem.status, {
    ...problem.headers,
    ...(challenge && { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' }),
  })
}

/** Preflights of browser apps. */
export function preflight(methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...uncached,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': '7200',
      Allow: methods,
    },
  })
}

/** Redirects to one of our pages, or to a registered redirect URI of the app. */
export function seeOther(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { ...dataHeaders, Pragma: 'no-cache', Location: location, ...headers },
  })
}

/**
 * A page for the user of an app whose request was refused. It has the information that the developer needs, but nothing
 * from the request.
 * @param back the app's redirect URI with the error; null while it must not be linked
 */
export async function errorPage(
  problem: Problem,
  correlationId: string,
  back: string | null = null,
): Promise<Response> {
  const { error } = oauthRefusals[refusalOf(problem)]
  const { description, hint } = wordsOf(problem)
  const body = html`<p>The app asked for access in a way this server cannot follow. Nothing was shared. The app’s developer can fix it.</p>
<p><strong>${description}</strong> <code>${error}</code></p>
${hint === null ? '' : html`<p>${withCode(hint)}</p>`}
${back === null ? '' : html`<p><a href="${back}" rel="noreferrer">Go back to ${hostOf(new URL(back))}</a></p>`}`
  // A 401 would make the browser ask for credentials.
  const status = problem.status === 401 ? 400 : problem.status
  return plainPage({
    title: 'The app could not be opened',
    body,
    correlationId,
    status,
    headers: problem.headers,
  })
}

/** Formats a URL at the end of a sentence as code. */
function withCode(sentence: string) {
  const [, words = sentence, url] = /^(.*) (https?:\/\/\S+)$/.exec(sentence) ?? []
  return url === undefined ? words : html`${words} <code>${url}</code>`
}
