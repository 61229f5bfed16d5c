/**
 * Checks the bodies of the portal's forms before they are parsed: a parser would first build half a million fields of a
 * malicious form and count them afterwards.
 */
import { limits } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { readBody } from './body.ts'

/**
 * The body for the page. A form with a document to sign is only read when the page reads it, after it has checked the
 * account and its rights.
 * @throws Problem as `readPortalBody` does
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
 * Reads the body, up to 64 kB. Forms with files have the limit of all bodies, and forms with a document to sign a higher one.
 * @throws Problem `payload_too_large`, or `validation` for too many fields
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

/** The paths of forms with a document to sign, which also need a session cookie. */
const documentForms = /\/agreements\/[^/]+\/change(?:\/file)?$/

const takesDocument = ({ url, headers }: Request): boolean =>
  documentForms.test(new URL(url).pathname) && headers.has('cookie')

const filesMaxOf = (request: Request) =>
  takesDocument(request) ? limits.documentFormBytesMax : limits.bodyBytesMax

/** JSON is checked when it is parsed (contract/http/json-bounds.ts). */
const isJson = (type: string) => /^application\/json\b/i.test(type)

/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1. Without a boundary the form has no parts. */
function boundaryOf(type: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return `--${quoted ?? plain ?? ''}`
}

/** The limit for the headers of a part, which include the name of its file. */
const headBytesMax = 4_096
const headEnd = '\r\n\r\n'

/** The parser takes seconds for megabytes of headers. */
function hasLongHead(body: Buffer, mark: string): boolean {
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    const isLast = body.subarray(at + mark.length, at + mark.length + 2).toString() === '--'
    if (!isLast && !body.subarray(at, at + headBytesMax).includes(headEnd)) return true
  }
  return false
}

/** Stops counting at `max` + 1. */
function countOf(bytes: Buffer, mark: string, max: number): number {
  let count = 0
  for (let at = bytes.indexOf(mark); at >= 0 && count <= max; at = bytes.indexOf(mark, at + mark.length))
    count++
  return count
}
