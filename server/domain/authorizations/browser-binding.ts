/**
 * The cookie that binds authorize requests to their browser: without it, an attacker could send a person a link to the
 * attacker's own request and collect the grant. One cookie serves all requests, because many would fill the headers.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'

const valuePattern = /^[A-Za-z0-9_-]{43}$/

type BrowserBinding = { value: string; hash: Uint8Array<ArrayBuffer> }

/** The browser's binding, or a new one for its first request. */
export function bindingOf(
  cookieHeader: string | null,
  overHttps: boolean,
  randomBytes: (size: number) => Uint8Array,
): BrowserBinding {
  const [value = Buffer.from(randomBytes(32)).toString('base64url')] = valuesIn(cookieHeader, overHttps)
  return { value, hash: hashOf(value) }
}

/** @param overHttps browsers accept `__Host-` cookies only over https; plain http is for localhost */
export function bindingCookie(value: string, overHttps: boolean): string {
  const seconds = smartLifetimes.authorizationRequestMinutes * 60
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${overHttps ? '; Secure' : ''}`
  return `${cookieName(overHttps)}=${value}; ${attributes}`
}

/** Whether the browser has the cookie of the request. */
export const isBound = (cookieHeader: string | null, stored: Uint8Array, overHttps: boolean): boolean =>
  valuesIn(cookieHeader, overHttps).some((value) => timingSafeEqual(hashOf(value), stored))

function valuesIn(cookieHeader: string | null, overHttps: boolean): string[] {
  const name = cookieName(overHttps)
  return (cookieHeader ?? '').split(';').flatMap((pair) => {
    const separator = pair.indexOf('=')
    const value = pair.slice(separator + 1).trim()
    return pair.slice(0, Math.max(0, separator)).trim() === name && valuePattern.test(value) ? [value] : []
  })
}

const cookieName = (overHttps: boolean) => `${overHttps ? '__Host-' : ''}sandpiper-authorize`

const hashOf = (value: string): Uint8Array<ArrayBuffer> => new Uint8Array(hash('sha256', value, 'buffer'))
