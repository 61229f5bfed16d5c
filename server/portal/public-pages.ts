/** Pages that are the same for all visitors without a session, and how long they are cached. */
import { createHash, randomBytes } from 'node:crypto'

/** For pages that only a release changes. */
const staticSeconds = 60
/** For pages with data, which must show an incident immediately. */
const liveSeconds = 1

const publicPages: readonly (readonly [pattern: RegExp, secondsKept: number])[] = [
  // No segment may begin with a dot, because URLs resolve `..` to another page.
  [/^\/docs(?:\/[\w-][\w.-]*){0,3}$/, staticSeconds],
  [/^\/(?:docs\.md|llms(?:-full)?\.txt|legal(?:\/[\w-]+){0,2})$/, staticSeconds],
  [/^\/(?:directory|registration|sandbox-keys)?$/, liveSeconds],
  [/^\/status(?:\.md|\/history|\/incidents\/[\w-]+|\/feed\.(?:xml|json)|\/badge\.svg)?$/, liveSeconds],
]

/** Random for each process, so that pages have new ETags after an upgrade. */
const processTag = randomBytes(9).toString('base64url')

/** Cookies of visitors without a session. Their values change the page, so they are part of its key. */
const visitorCookie = /^sandpiper-(?:language|theme|zone)=[^;]{0,120}$/

type PageRequest = Pick<Request, 'method' | 'url'> & { headers: Pick<Headers, 'get' | 'has'> }

/**
 * @param path of the page that is rendered, which may differ from the one in the request's URL
 * @returns null for a page that a person may see differently
 */
export function publicPageOf({ method, url, headers }: PageRequest, path: string) {
  if (method !== 'GET' || url.includes('?') || !isVisitor(headers)) return null
  if (['authorization', 'range'].some((name) => headers.has(name))) return null
  const secondsKept = publicPages.find(([pattern]) => pattern.test(path))?.[1]
  if (secondsKept === undefined) return null
  // No cookie contains a semicolon. With a space between them, one cookie could pass for two.
  const key = [path, ...cookiesOf(headers).sort()].join(';')
  return { key, secondsKept, etag: secondsKept === staticSeconds ? etagOf(key) : null }
}

/** The ETag of a page that only a release changes. */
const etagOf = (key: string): string =>
  `W/"${createHash('sha256').update(`${processTag} ${key}`).digest('base64url').slice(0, 22)}"`

/** Whether the request has no cookies except language, theme and zone, so no session either. */
export const isVisitor = (headers: PageRequest['headers']): boolean =>
  cookiesOf(headers).every((cookie) => visitorCookie.test(cookie))

const cookiesOf = (headers: PageRequest['headers']): string[] =>
  (headers.get('cookie') ?? '').split(/;\s*/).filter((cookie) => cookie !== '')
