/** From a text to an answer: headers, conditions, compression. */
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import { corsHeaders } from './fhir-cors.ts'
import { fhirJson } from './fhir-format.ts'
import { dataHeaders } from './security-headers.ts'

/** Of every answer at this interface. */
const always = { ...dataHeaders, ...corsHeaders } as const

const gzip = promisify(gzipCallback)
/** Below it the headers weigh more than what is saved. */
const gzipAbove = 1_024

interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A FHIR JSON text, compressed when the caller asked and it is worth it. */
export async function jsonAnswer(
  request: Request,
  text: string,
  { status = 200, headers = {} }: AnswerOptions = {},
): Promise<Response> {
  const all = { ...always, ...fhirJson, Vary: 'Accept-Encoding', ...headers }
  if (text.length <= gzipAbove || !takesGzip(request.headers.get('accept-encoding'))) {
    return new Response(text, { status, headers: all })
  }
  const body = await gzip(text, { level: 1 })
  return new Response(body, { status, headers: { ...all, 'Content-Encoding': 'gzip' } })
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...always, ...headers } })
}

/** Bytes of another kind, as they come. */
export function streamAnswer(
  body: ReadableStream<Uint8Array>,
  { status = 200, headers = {} }: AnswerOptions = {},
): Response {
  return new Response(body, { status, headers: { ...always, ...headers } })
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding */
export function takesGzip(acceptEncoding: string | null): boolean {
  if (acceptEncoding === null) return false
  const weights = new Map(
    acceptEncoding.split(',').map((each) => {
      const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return [coding, q === undefined ? 1 : Number(q.slice(2))] as const
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

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
