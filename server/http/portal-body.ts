/**
 * Bodies of the portal's forms, bounded before anything parses them: what a page sends is small, and a parser would
 * build half a million fields first and count them afterwards.
 */
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { readBody } from './body.ts'

/**
 * The whole body: 64 kB; where a form carries files the limit of all bodies, and for a document to sign more.
 * @throws Problem `payload_too_large`, or `validation` for more fields than any form has
 */
export async function readPortalBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const type = request.headers.get('content-type') ?? ''
  const isMultipart = /^multipart\//i.test(type)
  const bytes = await readBody(request, isMultipart ? filesMaxOf(request) : limits.portalBodyBytesMax)
  const body = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
  const mark = isMultipart ? boundaryOf(type) : '&'
  if (!isJson(type) && countOf(body, mark, limits.portalFieldsMax) > limits.portalFieldsMax)
    throw new Problem('validation', { message: 'The form has too many fields.', field: 'form' })
  return body
}

/** The pages that take a document to sign. Without a session cookie there is no such page. */
const documentForms = /\/agreements\/[^/]+\/change(?:\/file)?$/

function filesMaxOf(request: Request): number {
  const takesDocument = documentForms.test(new URL(request.url).pathname) && request.headers.has('cookie')
  return takesDocument ? limits.documentFormBytesMax : limits.bodyBytesMax
}

/** JSON is bounded where it is parsed (contract/http/json-bounds.ts). */
const isJson = (type: string) => /^application\/json\b/i.test(type)

/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 — without one there are no parts to parse. */
function boundaryOf(type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return `--${quoted ?? plain ?? ''}`
}

/** Counts to one more than `max`. */
function countOf(bytes: Buffer, mark: string, max: number): number {
  let count = 0
  for (let at = bytes.indexOf(mark); at >= 0 && count <= max; at = bytes.indexOf(mark, at + mark.length))
    count++
  return count
}
