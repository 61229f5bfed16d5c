/** Which browsers may read: those on the one configured status page. https://fetch.spec.whatwg.org/#http-cors-protocol */

/** Whether or not one may, a cache must not hand one origin's answer to another. */
export function corsHeaders(origin: string | null, statusOrigin: string): Record<string, string> {
  if (origin !== statusOrigin) return { Vary: 'Origin' }
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': statusOrigin,
    'Access-Control-Expose-Headers':
      'Deprecation, Link, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Correlation-Id',
  }
}

export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Max-Age': '7200',
} as const
