/**
 * A rule of all APIs: a path has no trailing slash and no double slashes. A path with an extra slash is routed without it,
 * so that the API's error can name the correct URL.
 */
import { Problem } from '../contract/http/problems.ts'

/** `/r4//x/` is `/r4/x`. */
export const withoutExtraSlash = (path: string): string =>
  path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')

/** The path of a URL as it was sent, without decoding. */
export function pathOf(url: string): string {
  const [, path = '/'] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? []
  return path
}

/** @returns advice for the client; null if the path has no extra slash */
export function adviceOnSlash({ url }: Request, origin: string): string | null {
  const path = pathOf(url)
  const correct = withoutExtraSlash(path)
  return correct === path || path === '' ? null : `Use ${new URL(correct, origin).href}`
}

/** @throws Problem `not_found` */
export function checkSlashes(request: Request, origin: string): void {
  const advice = adviceOnSlash(request, origin)
  if (advice !== null) throw new Problem('not_found', { message: `The path has an extra slash. ${advice}` })
}
