/**
 * Bodies of the portal's forms, bounded before anything parses them: what a page sends is small, and a parser would
 * build half a million fields first and count them afterwards.
 */
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { readBody } from './body.ts'

/**
 * The body for the page. A document to sign is read when the page asks for its form: it knows then who sends it, and
 * that it may be sent.
 * @throws Problem as `readPortalBody`
 */
export async function portalBody(request: Request): Promise<Pick<RequestInit, 'body' | 'duplex'>> {
  if (!takesDocument(request)) return { body: await readPortalBody(request) }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(await readPortalBody(request))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, duplex: 'half' }
}

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
  if (isMultipart && hasLongHead(body, mark))
    throw new Problem('validation', {
      message: 'The form has a field with a name that is too long.',
      field: 'form',
    })
  return body
}

/** The pages that take a document to sign. Without a session cookie there is no such page. */
const documentForms = /\/agreements\/[^/]+\/change(?:\/file)?$/

const takesDocument = ({ url, headers }: Request): boolean =>
  documentForms.test(new URL(url).pathname) && headers.has('cookie')

const filesMaxOf = (request: Request) =>
  takesDocument(request) ? limits.documentFormBytesMax : limits.bodyBytesMax

/** JSON is bounded where it is parsed (contract/http/json-bounds.ts). */
const isJson = (type: string) => /^application\/json\b/i.test(type)

/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 — without one there are no parts to parse. */
function boundaryOf(type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return `--${quoted ?? plain ?? ''}`
}

/** Of one part, with the name of its file. */
const headBytesMax = 4_096
const headEnd = '\r\n\r\n'

/** The parser takes seconds for megabytes of them. */
function hasLongHead(body: Buffer, mark: string): boolean {
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    const isLast = body.subarray(at + mark.length, at + mark.length + 2).toString() === '--'
    if (!isLast && !body.subarray(at, at + headBytesMax).includes(headEnd)) return true
  }
  return false
}

/** Counts to one more than `max`. */
function countOf(bytes: Buffer, mark: string, max: number): number {
  let count = 0
  for (let at = bytes.indexOf(mark); at >= 0 && count <= max; at = bytes.indexOf(mark, at + mark.length))
    count++
  return count
}
