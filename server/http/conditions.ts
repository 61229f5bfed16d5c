import { Problem } from '../contract/http/problems.ts'

// Conditional requests, https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests

interface Validators {
  /** A weak tag looks like `W/"3"`. */
  readonly etag: string
  readonly lastModified: Date | null
}

export function validatorHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return { ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) }
}

/**
 * Whether the client already has this version. Without If-None-Match, If-Modified-Since decides.
 * https://www.rfc-editor.org/rfc/rfc9110#name-precedence-of-preconditions
 */
export function isUnchanged(headers: Headers, { etag, lastModified }: Validators): boolean {
  const known = headers.get('if-none-match')
  if (known !== null) {
    return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
  }
  const since = headers.get('if-modified-since')
  if (since === null || lastModified === null) return false
  const instant = Date.parse(since)
  // The header has whole seconds.
  return !Number.isNaN(instant) && Math.floor(lastModified.getTime() / 1_000) * 1_000 <= instant
}

const opaque = (etag: string): string => etag.trim().replace(/^W\//, '')

// https://www.rfc-editor.org/rfc/rfc9110#name-range with one range only; a request for several gets the whole body.

/** Both ends are included. */
export interface Range {
  readonly first: number
  readonly last: number
}

/**
 * @returns null for the whole body
 * @throws Problem `range_not_satisfiable`
 */
export function parseRange(header: string | null, size: number): Range | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return null
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  // An invalid range is ignored.
  if (from !== '' && to !== '' && Number(to) < first) return null
  if (first >= size || (from === '' && Number(to) === 0)) {
    // https://www.rfc-editor.org/rfc/rfc9110#status.416
    throw new Problem('range_not_satisfiable', { bytes: size })
  }
  return { first, last }
}
