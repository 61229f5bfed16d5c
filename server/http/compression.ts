/**
 * Responses above 1 kB are compressed with gzip for callers that accept it, at the fastest level: the proxy in front
 * need not, and should not. Never compressed where a secret and another's text could share a body.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as StreamOfNode } from 'node:stream/web'
import { promisify } from 'node:util'
import { constants, createGzip, gzip as gzipCallback } from 'node:zlib'
import { parseWeights } from './accept.ts'

const gzip = promisify(gzipCallback)
/** In bytes. Below it the headers weigh more than what is saved. */
const compressAbove = 1_024
const level = constants.Z_BEST_SPEED

/** https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding */
export function takesGzip(headers: Headers): boolean {
  const codings = parseWeights(headers.get('accept-encoding'))
  const taken = codings.find(({ name }) => name === 'gzip') ?? codings.find(({ name }) => name === '*')
  return taken !== undefined && taken.weight > 0
}

interface ResponseOptions {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
}

/** A text as a response, compressed where the caller accepts it and it is long enough. */
export async function textResponse(
  request: Request,
  text: string | Buffer,
  { status = 200, headers }: ResponseOptions,
): Promise<Response> {
  // Some say it themselves, for their 304 says it, too.
  const { Vary = '' } = headers
  const isSaid = Vary.includes('Accept-Encoding')
  const varied = { ...headers, Vary: isSaid ? Vary : ['Accept-Encoding', Vary].filter(Boolean).join(', ') }
  if (text.length <= compressAbove || !takesGzip(request.headers))
    return new Response(text as BodyInit, { status, headers: varied })
  const body = await gzip(text, { level })
  return new Response(body, { status, headers: { ...varied, 'Content-Encoding': 'gzip' } })
}

/** A body in pieces as a response, compressed where the caller accepts it and it is text. */
export function streamResponse(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { status = 200, headers }: ResponseOptions,
): Response {
  return respond(body, status, new Headers(headers), takesGzip(request.headers))
}

/** Compressed as it comes, each piece as soon as it is there. An error of `body` breaks the response off. */
export function gzipStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = createGzip({ level, flush: constants.Z_SYNC_FLUSH })
  // The reader of the encoder hears of an error, too.
  pipeline(Readable.fromWeb(body as StreamOfNode), encoder).catch(() => undefined)
  return Readable.toWeb(encoder) as ReadableStream<Uint8Array>
}

const textType = /^(?:text\/(?!event-stream)|(?:application|image)\/(?:[\w.+-]+\+)?(?:json|javascript|xml)\b)/

function isCompressible(status: number, headers: Headers): boolean {
  if (status === 206 || headers.has('content-encoding') || headers.has('accept-ranges')) return false
  return textType.test(headers.get('content-type') ?? '')
}

function respond(body: PageBody, status: number, headers: Headers, mayCompress: boolean): Response {
  const isText = body !== null && isCompressible(status, headers)
  if (isText) headers.append('Vary', 'Accept-Encoding')
  if (!isText || !mayCompress) return new Response(body, { status, headers })
  headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  return new Response(gzipStream(body), { status, headers })
}

type PageBody = ReadableStream<Uint8Array> | null

/**
 * A page of the portal, compressed where that gives nothing away.
 * @param page its headers are the response's, and may be changed
 * @param isVisitor without a session. For anyone else the length of a compressed page could give away what is on it
 *   to a site that sends them there with a text of its own (BREACH, https://www.breachattack.com), so only requests
 *   from our own pages, or from the address bar, are answered compressed.
 */
export function pageResponse(
  request: Request,
  page: { body: PageBody; status: number; headers: Headers },
  isVisitor: boolean,
): Response {
  const isOwn = ['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? '')
  // A page that says `no-store` of itself shows a key or another secret once; of the others the frame says it.
  const showsSecret = page.headers.get('cache-control') === 'no-store'
  const mayCompress = !showsSecret && (isVisitor || isOwn) && takesGzip(request.headers)
  return respond(page.body, page.status, page.headers, mayCompress)
}

/** Text in pieces as a body: gathered to a size worth sending, and made no faster than it is taken. */

const chunkCharacters = 64 * 1024

/** What `pieces` throws breaks the body off; who goes away ends the pieces. */
export function streamText(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let gathered = ''
        while (gathered.length < chunkCharacters) {
          const { done, value } = await iterator.next()
          if (done) {
            if (gathered !== '') controller.enqueue(encoder.encode(gathered))
            controller.close()
            return
          }
          gathered += value
        }
        controller.enqueue(encoder.encode(gathered))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}
