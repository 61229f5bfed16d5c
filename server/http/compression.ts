/**
 * Compresses responses above 1 kB with gzip at the fastest level if the client accepts it, so that the proxy in front need
 * not. Bodies that could mix a secret with text from an attacker are not compressed.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as StreamOfNode } from 'node:stream/web'
import { promisify } from 'node:util'
import { constants, createGzip, gzip as gzipCallback } from 'node:zlib'
import { parseWeights } from './accept.ts'

const gzip = promisify(gzipCallback)
/** In bytes. Smaller bodies are not worth it. */
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

/** A text response, compressed if the client accepts it and the text is long enough. */
export async function textResponse(
  request: Request,
  text: string | Buffer,
  { status = 200, headers }: ResponseOptions,
): Promise<Response> {
  // Callers whose 304 responses need `Vary`, too, have set it already.
  const { Vary = '' } = headers
  const isSet = Vary.includes('Accept-Encoding')
  const varied = { ...headers, Vary: isSet ? Vary : ['Accept-Encoding', Vary].filter(Boolean).join(', ') }
  if (text.length <= compressAbove || !takesGzip(request.headers))
    return new Response(text as BodyInit, { status, headers: varied })
  const body = await gzip(text, { level })
  return new Response(body, { status, headers: { ...varied, 'Content-Encoding': 'gzip' } })
}

/** A streamed response, compressed if the client accepts it and the body is text. */
export function streamResponse(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { status = 200, headers }: ResponseOptions,
): Response {
  return respond(body, status, new Headers(headers), takesGzip(request.headers))
}

/** Compresses a stream and flushes each chunk. An error of `body` aborts the response. */
export function gzipStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = createGzip({ level, flush: constants.Z_SYNC_FLUSH })
  // The encoder's reader gets the error, too.
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
 * A page of the portal, compressed if that cannot leak its content.
 * @param page its headers become those of the response and may be changed
 * @param isVisitor the request has no session. For signed-in users, another site could learn a page's content from its
 *   compressed length by adding its own text (BREACH, https://www.breachattack.com), so only requests from our own pages or
 *   the address bar are compressed.
 */
export function pageResponse(
  request: Request,
  page: { body: PageBody; status: number; headers: Headers },
  isVisitor: boolean,
): Response {
  const isFromUs = ['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? '')
  // A page that sets exactly `no-store` shows a key or another secret.
  const showsSecret = page.headers.get('cache-control') === 'no-store'
  const mayCompress = !showsSecret && (isVisitor || isFromUs) && takesGzip(request.headers)
  return respond(page.body, page.status, page.headers, mayCompress)
}

/** The chunks of `streamText` are at least this long. */

const chunkCharacters = 64 * 1024

/** Streams a text with backpressure. An error of `pieces` aborts the body, and a disconnect ends `pieces`. */
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
