/** https://www.rfc-editor.org/rfc/rfc9110#name-range — one range of bytes; several are answered with the whole. */
import { Problem } from '../contract/http/problems.ts'

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
