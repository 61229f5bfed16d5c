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

function opaque(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}
