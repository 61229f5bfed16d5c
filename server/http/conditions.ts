import { Problem } from '../contract/http/problems.ts'

/** Conditional requests, https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests */

/** What a caller knows of a resource already. */
interface Validators {
  /** Weak: `W/"3"`. */
  readonly etag: string
  readonly lastModified: Date | null
}

export function validatorHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return { ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) }
}

/**
 * True when the caller has this version: If-None-Match decides, and If-Modified-Since only where it is absent.
 * https://www.rfc-editor.org/rfc/rfc9110#name-precedence-of-preconditions
 */
export function isUnchanged(headers: Headers, { etag, lastModified }: Validators): boolean {
  const known = headers.get('if-none-match')
  if (known !== null) {
    return known.split(',').some((each) => each.trim() === '*' || opaque(each) === opaque(etag))
  }
  const since = headers.get('if-modified-since')
  if (since === null || lastModified === null) return false
  const instant = Date.parse(since)
  // The header counts whole seconds.
  return !Number.isNaN(instant) && Math.floor(lastModified.getTime() / 1_000) * 1_000 <= instant
}

const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')

// https://www.rfc-editor.org/rfc/rfc9110#name-range — one range of bytes; several are answered with the whole.

/** Both ends belong to it. */
export interface Range {
  readonly first: number
  readonly last: number
}

/**
 * @returns null for the whole
 * @throws Problem `range_not_satisfiable`
 */
export function parseRange(header: string | null, size: number): Range | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  // Not a range at all, which is ignored.
  if (from !== '' && to !== '' && Number(to) < first) return null
  if (first >= size || (from === '' && Number(to) === 0)) {
    // https://www.rfc-editor.org/rfc/rfc9110#status.416
    throw new Problem('range_not_satisfiable', { bytes: size })
  }
  return { first, last }
}
