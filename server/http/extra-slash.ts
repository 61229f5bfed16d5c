/**
 * One rule of every interface: a path has no slash at its end and never two in a row. One that has is routed as if it
 * had not, so that the interface it was meant for can name the right address.
 */
import { Problem } from '../contract/http/problems.ts'

/** `/r4//x/` is `/r4/x`. */
export const withoutExtraSlash = (path: string): string =>
  path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')

/** The path of a URL as it was sent: what is encoded in it stays so. */
export function pathOf(url: string): string {
  const [, path = '/'] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? []
  return path
}

/** @returns what to do about it, or null for a path without an extra slash */
export function adviceOnSlash({ url }: Request, origin: string): string | null {
  const path = pathOf(url)
  const right = withoutExtraSlash(path)
  return right === path || path === '' ? null : `Use ${new URL(right, origin).href}`
}

/** @throws Problem `not_found` */
export function checkSlashes(request: Request, origin: string): void {
  const advice = adviceOnSlash(request, origin)
  if (advice !== null) throw new Problem('not_found', { message: `The path has an extra slash. ${advice}` })
}
