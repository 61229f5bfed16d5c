/**
 * Protects the development pages (`/dev/*`), which show all emails, and the tour, which signs in as any demonstration
 * account. A visitor behind a local proxy that adds no headers looks like a local one, so the browser also needs a key. The
 * URL that `npm start` prints contains the key and stores it in a cookie.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { paths } from '../contract/portal/paths.ts'
import { wasForwarded } from './client-ip.ts'
import { dataHeaders } from './security-headers.ts'

const cookieName = 'sandpiper-dev'
const isProtected = (pathname: string) => pathname.startsWith('/dev/') || pathname === paths.tour

type Settings = {
  PUBLIC_ORIGIN: string
  developmentPages: boolean
  /** Generated at each start. Without a key, the pages cannot be opened. */
  SANDPIPER_DEV_KEY?: string | undefined
}

export function createDevelopmentPages({
  PUBLIC_ORIGIN,
  developmentPages,
  SANDPIPER_DEV_KEY: key,
}: Settings) {
  const publicHost = new URL(PUBLIC_ORIGIN).host
  const isKey = (text: string | null | undefined) =>
    Boolean(key && text) && timingSafeEqual(hash(text ?? ''), hash(key ?? ''))

  /** Refuses other host names, because a site could resolve its own name to this machine (DNS rebinding). */
  function isFromThisMachine({ url, headers }: Request, ip: string): boolean {
    if (!developmentPages || wasForwarded(headers) || !isLoopback(ip)) return false
    const { host, hostname } = new URL(url)
    return host === publicHost || hostname === 'localhost' || isLoopback(hostname)
  }

  return {
    /** The pages' loaders call it, because a check of the path could miss one of its spellings. */
    mayShow: (request: Request, ip: string) => isFromThisMachine(request, ip) && isKey(keyInCookie(request)),

    /** Redirects the printed URL to the page without the key, so that the key does not stay in the history. */
    open(request: Request, ip: string): Response | null {
      const { pathname, searchParams } = new URL(request.url)
      const sentKey = searchParams.get('key')
      if (request.method !== 'GET' || !isProtected(pathname) || !isKey(sentKey)) return null
      if (!isFromThisMachine(request, ip)) return null
      const cookie = `${cookieName}=${sentKey}; Path=/; HttpOnly; SameSite=Strict`
      return new Response(null, {
        status: 303,
        headers: { ...dataHeaders, Location: pathname, 'Set-Cookie': cookie },
      })
    },
  }
}

function keyInCookie({ headers }: Request): string | undefined {
  const cookies = headers.get('cookie')?.split(/;\s*/) ?? []
  return cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

/** Hashes have the same length, as timingSafeEqual requires. */
const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

const isLoopback = (host: string): boolean =>
  host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
