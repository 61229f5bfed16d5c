/** What a real client sees of a response that breaks off. */
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import type { Env } from '../env.ts'
import { streamText } from '../http/compression.ts'
import { listen } from './listen.ts'

let close: (() => Promise<void>) | undefined

afterEach(async () => {
  await close?.()
})

/** The port of a server whose every response is this stream. */
async function serve(body: () => ReadableStream<Uint8Array>): Promise<number> {
  const app = new Hono()
  app.all('*', () => new Response(body(), { headers: { 'content-type': 'application/xml' } }))
  const env = { PORT: 0, HOST: '127.0.0.1' } as Env
  const portal = { handler: async () => new Response() }
  const server = await listen({ env, app, portal })
  close = () => server.close(0)
  return server.port
}

const request = (port: number) =>
  new Promise<IncomingMessage>((resolve, reject) =>
    get({ port, host: '127.0.0.1' }, resolve).on('error', reject),
  )

const piece = 'x'.repeat(100_000)

async function* breakingOff(pieces: number, pause: () => Promise<unknown>) {
  for (let count = 0; count < pieces; count++) {
    yield piece
    await pause()
  }
  throw new Error('the database went away')
}

describe('a response that breaks off', () => {
  test.each([
    ['after its first piece', 1],
    ['later', 20],
  ])('%s is an error to the client, not an end', async (_when, count) => {
    const port = await serve(() => streamText(breakingOff(count, () => new Promise(setImmediate))))

    const response = await fetch(`http://127.0.0.1:${port}/`)

    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  test('is a reset connection to a client of HTTP/1.0, which takes a closed one for the end', async () => {
    // Time to read what was sent: a client with unread bytes when the reset arrives may see a plain end instead.
    const port = await serve(() => streamText(breakingOff(5, () => setTimeout(20))))

    const outcome = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('GET / HTTP/1.0\r\nHost: localhost\r\n\r\n'),
      )
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
      socket.on('end', () => resolve('end'))
      socket.resume()
    })

    expect(outcome).toBe('ECONNRESET')
  })

  test('while the client reads slowly is an error as well', async () => {
    let fail = () => {}
    const port = await serve(
      () =>
        new ReadableStream({
          start(controller) {
            fail = () => controller.error(new Error('the database went away'))
          },
          pull: (controller) => controller.enqueue(new Uint8Array(1_048_576)),
        }),
    )

    const response = await request(port)
    await new Promise((resolve) => response.once('readable', resolve))
    // The socket is full by now, and nothing is read from the stream.
    await setTimeout(200)
    fail()
    await setTimeout(50)
    const outcome = new Promise<string>((resolve) => {
      response.on('error', () => resolve('broken off'))
      response.on('end', () => resolve(response.complete ? 'complete' : 'broken off'))
      response.resume()
    })

    expect(await outcome).toBe('broken off')
  })
})
