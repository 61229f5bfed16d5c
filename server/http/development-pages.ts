/**
 * Who may open the pages for development (`/dev/*`), which show everybody's email, and the tour, which signs in as
 * others. Headers and addresses cannot tell a
 * visitor of this machine from one behind a proxy on it that adds no header, so a browser also needs the key of the
 * address that `npm start` prints, which that address leaves in a cookie.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { paths } from '../contract/portal/paths.ts'
import { wasForwarded } from './client-ip.ts'
import { dataHeaders } from './security-headers.ts'

const cookieName = 'sandpiper-dev'
/** Pages for development, and the tour of a demonstration, which signs in without a password. */
const isOurs = (pathname: string) => pathname.startsWith('/dev/') || pathname === paths.tour

type Settings = {
  PUBLIC_ORIGIN: string
  developmentPages: boolean
  /** Made at each start. Without one no one may open these pages. */
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

  /** A name that is not this machine's own belongs to a site that resolves it to this machine (DNS rebinding). */
  function isFromThisMachine({ url, headers }: Request, ip: string): boolean {
    if (!developmentPages || wasForwarded(headers) || !isLoopback(ip)) return false
    const { host, hostname } = new URL(url)
    return host === publicHost || hostname === 'localhost' || isLoopback(hostname)
  }

  return {
    /** Asked by the pages' loaders and not by path, since a path has many spellings. */
    mayShow: (request: Request, ip: string) => isFromThisMachine(request, ip) && isKey(keyInCookie(request)),

    /** The printed address leads to the page itself, so that the key does not stay in the browser's history. */
    open(request: Request, ip: string): Response | null {
      const { pathname, searchParams } = new URL(request.url)
      const sentKey = searchParams.get('key')
      if (request.method !== 'GET' || !isOurs(pathname) || !isKey(sentKey)) return null
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
  return cookies.find((each) => each.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1)
}

/** Hashes have one length: comparing them tells nothing about the key. */
const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

const isLoopback = (host: string): boolean =>
  host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
