/** Pages that are the same for everybody without a session, and how long a rendered one is kept. */

/** Changed by a release only. */
const staticSeconds = 60
/** Read from the database: an incident must show at once. */
const liveSeconds = 1

const publicPages: readonly (readonly [pattern: RegExp, secondsKept: number])[] = [
  [/^\/docs(?:\/[\w.-]+){0,2}$/, staticSeconds],
  [/^\/(?:docs\.md|llms(?:-full)?\.txt|trust|legal(?:\/[\w-]+){0,2})$/, staticSeconds],
  [/^\/(?:directory|registration|sandbox-keys)?$/, liveSeconds],
  [/^\/status(?:\.md|\/history|\/incidents\/[\w-]+|\/feed\.(?:xml|json)|\/badge\.svg)?$/, liveSeconds],
]

/** The cookies that a visitor without a session has: what they hold shows on the page. */
const visitorCookie = /^sandpiper-(?:theme|zone)=[^;]{0,120}$/

/**
 * @param path of the page that is rendered, which may differ from the one in the request's URL
 * @returns null for a page that somebody may see differently
 */
export function publicPageOf(
  { method, url, headers }: Request,
  path: string,
): { key: string; secondsKept: number } | null {
  if (method !== 'GET' || url.includes('?')) return null
  if (['authorization', 'if-none-match', 'range'].some((name) => headers.has(name))) return null
  const cookies = (headers.get('cookie') ?? '').split(/;\s*/).filter((cookie) => cookie !== '')
  if (!cookies.every((cookie) => visitorCookie.test(cookie))) return null
  const secondsKept = publicPages.find(([pattern]) => pattern.test(path))?.[1]
  return secondsKept === undefined ? null : { key: [path, ...cookies.sort()].join(' '), secondsKept }
}
