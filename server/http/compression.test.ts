import { describe, expect, test } from 'vitest'
import { gzipStream, pageResponse, takesGzip } from './compression.ts'

const long = 'Synthetic text of a page. '.repeat(100)

const asked = (headers: Record<string, string> = {}) =>
  new Request('http://localhost:3000/', { headers: { 'accept-encoding': 'gzip', ...headers } })

test.each([
  [null, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.2', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, *', false],
  ['*', true],
  ['*;q=0', false],
  ['br', false],
])('Accept-Encoding %j takes gzip: %s', (value, takes) => {
  expect(takesGzip(new Headers(value === null ? {} : { 'accept-encoding': value }))).toBe(takes)
})

describe('a page', () => {
  const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store' }
  const encodingOf = (request: Request, headers: Record<string, string>, isVisitor: boolean) =>
    pageResponse(
      request,
      { body: new Response(long).body, status: 200, headers: new Headers({ ...html, ...headers }) },
      isVisitor,
    ).headers.get('content-encoding')

  test('is compressed for a visitor wherever the request comes from', () => {
    expect(encodingOf(asked({ 'sec-fetch-site': 'cross-site' }), {}, true)).toBe('gzip')
  })

  test.each([
    ['same-origin', 'gzip'],
    ['none', 'gzip'],
    ['same-site', null],
    ['cross-site', null],
    ['', null],
  ])('of somebody signed in, asked for by %j, has the encoding %s', (site, encoding) => {
    expect(encodingOf(asked(site === '' ? {} : { 'sec-fetch-site': site }), {}, false)).toBe(encoding)
  })

  test.each([
    ['that shows a secret', { 'cache-control': 'no-store' }],
    ['that is compressed already', { 'content-encoding': 'br' }],
    ['of events', { 'content-type': 'text/event-stream' }],
    ['that is a PDF', { 'content-type': 'application/pdf' }],
    ['that is a picture', { 'content-type': 'image/png' }],
  ] as const)('%s stays as it is', (_what, headers) => {
    const before = 'content-encoding' in headers ? headers['content-encoding'] : null
    expect(encodingOf(asked({ 'sec-fetch-site': 'same-origin' }), headers, true)).toBe(before)
  })
})

describe('a stream', () => {
  test('is passed on piece by piece', async () => {
    let sendMore: (text: string) => void = () => undefined
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode('the first piece'))
        sendMore = (text) => {
          controller.enqueue(encoder.encode(text))
          controller.close()
        }
      },
    })
    const unzipping = new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>
    const reader = gzipStream(body).pipeThrough(unzipping).getReader()

    const first = await reader.read()
    sendMore(' and the last')
    const rest = await reader.read()

    expect(Buffer.from(first.value ?? []).toString()).toBe('the first piece')
    expect(Buffer.from(rest.value ?? []).toString()).toBe(' and the last')
    expect((await reader.read()).done).toBe(true)
  })

  test('that breaks, breaks for the reader; one whose reader leaves, ends', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('the source broke')),
    })
    let ended = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => {
        ended = true
      },
    })

    await expect(gzipStream(broken).getReader().read()).rejects.toThrow('the source broke')
    const reader = gzipStream(endless).getReader()
    await reader.read()
    await reader.cancel()

    await expect.poll(() => ended).toBe(true)
  })
})
