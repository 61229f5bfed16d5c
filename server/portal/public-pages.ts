/** Pages that are the same for everybody without a session, and how long a rendered one is kept. */
import { createHash, randomBytes } from 'node:crypto'

/** Changed by a release only. */
const staticSeconds = 60
/** Read from the database: an incident must show at once. */
const liveSeconds = 1

const publicPages: readonly (readonly [pattern: RegExp, secondsKept: number])[] = [
  // No segment begins with a dot: a URL resolves `..`, and means another page.
  [/^\/docs(?:\/[\w-][\w.-]*){0,3}$/, staticSeconds],
  [/^\/(?:docs\.md|llms(?:-full)?\.txt|legal(?:\/[\w-]+){0,2})$/, staticSeconds],
  [/^\/(?:directory|registration|sandbox-keys)?$/, liveSeconds],
  [/^\/status(?:\.md|\/history|\/incidents\/[\w-]+|\/feed\.(?:xml|json)|\/badge\.svg)?$/, liveSeconds],
]

/** Differs from process to process, so that an upgraded one has new tags for its pages. */
const processTag = randomBytes(9).toString('base64url')

/** The cookies that a visitor without a session has: what they hold shows on the page. */
const visitorCookie = /^sandpiper-(?:language|theme|zone)=[^;]{0,120}$/

/** What decides of a request. */
type Asked = Pick<Request, 'method' | 'url'> & { headers: Pick<Headers, 'get' | 'has'> }

/**
 * @param path of the page that is rendered, which may differ from the one in the request's URL
 * @returns null for a page that a person may see differently
 */
export function publicPageOf({ method, url, headers }: Asked, path: string) {
  if (method !== 'GET' || url.includes('?') || !isVisitor(headers)) return null
  if (['authorization', 'range'].some((name) => headers.has(name))) return null
  const secondsKept = publicPages.find(([pattern]) => pattern.test(path))?.[1]
  if (secondsKept === undefined) return null
  // No cookie contains a semicolon. With a space between them, one cookie could pass for two.
  const key = [path, ...cookiesOf(headers).sort()].join(';')
  return { key, secondsKept, etag: secondsKept === staticSeconds ? etagOf(key) : null }
}

/** Of a page that only a release changes: with it, a browser that has the page need not get it again. */
const etagOf = (key: string): string =>
  `W/"${createHash('sha256').update(`${processTag} ${key}`).digest('base64url').slice(0, 22)}"`

/** Without a session, nor any other cookie than language, theme and zone. */
export const isVisitor = (headers: Asked['headers']): boolean =>
  cookiesOf(headers).every((cookie) => visitorCookie.test(cookie))

const cookiesOf = (headers: Asked['headers']): string[] =>
  (headers.get('cookie') ?? '').split(/;\s*/).filter((cookie) => cookie !== '')
