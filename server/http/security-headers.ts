import { Problem } from '../contract/http/problems.ts'

/** Security headers of all API responses: browsers must treat them as data and not as documents. */
export const dataHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

const hstsSeconds = 365 * 86_400

/** Only for https origins, because a browser would remember the header for http://localhost. */
export const transportHeaders = (publicOrigin: string): Record<string, string> =>
  publicOrigin.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}` } : {}

type PageOptions = {
  nonce: string
  publicOrigin: string
  /** Vite's client opens a WebSocket on the same port. */
  development?: boolean
}

/** Headers of all pages of the portal. */
export function pageHeaders(options: PageOptions): Record<string, string> {
  return {
    'Content-Security-Policy': pagePolicy(options),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // With `no-referrer`, browsers would send `Origin: null` with our own forms.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...transportHeaders(options.publicOrigin),
  }
}

/** https://www.w3.org/TR/CSP3/. Style attributes are allowed; style elements need the nonce. */
function pagePolicy(options: PageOptions): string {
  const { nonce, publicOrigin, development = false } = options
  const socket = publicOrigin.replace(/^http/, 'ws')
  const directives: readonly (readonly [name: string, ...sources: string[]])[] = [
    ['default-src', "'self'"],
    ['script-src', "'self'", `'nonce-${nonce}'`],
    ['style-src', "'self'", `'nonce-${nonce}'`],
    ['style-src-attr', "'unsafe-inline'"],
    ['img-src', "'self'", 'data:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...(development ? [socket] : [])],
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
    ['frame-ancestors', "'none'"],
    ...(publicOrigin.startsWith('https:') ? ([['upgrade-insecure-requests']] as const) : []),
  ]
  return directives.map((directive) => directive.join(' ')).join('; ')
}

// Prevents forms of other sites from acting for a signed-in visitor.

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export const isSafeMethod = (method: string): boolean => safeMethods.has(method)

/**
 * Unsafe methods need `Origin` equal to PUBLIC_ORIGIN, which all browsers send.
 * @throws Problem `forbidden`
 */
export function checkOrigin(request: Request, publicOrigin: string): void {
  if (isSafeMethod(request.method)) return
  const origin = request.headers.get('origin')
  if (origin === publicOrigin) return
  throw new Problem('forbidden', {
    message: `This form was not sent from ${publicOrigin}. Open the portal there and try again.`,
    detail: origin === null ? 'unsafe method without Origin' : 'unsafe method from another origin',
  })
}
