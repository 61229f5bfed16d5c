/**
 * The cookie that ties an authorize request to the browser it came with: without it a link to somebody else's
 * request would let them collect the grant. One cookie a request, so that two tabs do not take each other's place.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'

const valuePattern = /^[A-Za-z0-9_-]{43}$/

type BrowserBinding = { value: string; hash: Uint8Array<ArrayBuffer> }

export function makeBinding(randomBytes: (size: number) => Uint8Array): BrowserBinding {
  const value = Buffer.from(randomBytes(32)).toString('base64url')
  return { value, hash: hashOf(value) }
}

/** @param overHttps a browser takes `__Host-` cookies over https only; plain http is for localhost */
export function bindingCookie(id: string, value: string, overHttps: boolean): string {
  const seconds = smartLifetimes.authorizationRequestMinutes * 60
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${overHttps ? '; Secure' : ''}`
  return `${cookieName(id, overHttps)}=${value}; ${attributes}`
}

/** Whether the browser carries the cookie of this request. */
export function isBound(
  id: string,
  cookieHeader: string | null,
  stored: Uint8Array,
  overHttps: boolean,
): boolean {
  const name = cookieName(id, overHttps)
  return (cookieHeader ?? '').split(';').some((pair) => {
    const separator = pair.indexOf('=')
    const value = pair.slice(separator + 1).trim()
    if (pair.slice(0, Math.max(0, separator)).trim() !== name || !valuePattern.test(value)) return false
    return timingSafeEqual(hashOf(value), stored)
  })
}

function cookieName(id: string, overHttps: boolean): string {
  return `${overHttps ? '__Host-' : ''}sandpiper-authorize-${id}`
}

function hashOf(value: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', value, 'buffer'))
}
