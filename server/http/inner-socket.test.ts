/** Real requests through two servers: what people send arrives, what is answered comes back, and failures are seen. */
import { mkdtempSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  request as send,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerHeader, createForwarder, fetchOverSocket } from './inner-socket.ts'

let folder: string
let socketPath: string
const ends: (() => unknown)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-socket-'))
  socketPath = join(folder, 'portal.sock')
})

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
})

async function listen(server: Server, place: string | number): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(place, resolve))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return server
}

const startBehind = (answer: RequestListener) => listen(createServer(answer), socketPath)

/** The port that people reach. */
async function startFront(): Promise<number> {
  const { forward, close } = createForwarder({
    socketPath,
    callerOf: ({ headers }) => String(headers['x-of'] ?? '203.0.113.9'),
    onUnavailable: (_request, response) => response.writeHead(503, { Connection: 'close' }).end('later'),
  })
  ends.push(close)
  const server = await listen(createServer(forward), 0)
  return (server.address() as AddressInfo).port
}

function ask(
  port: number,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { body, ...more } = options
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send({ host: '127.0.0.1', port, agent: false, ...more }, resolve).on('error', reject)
    outgoing.end(body)
  })
}

describe('a request that is passed on', () => {
  test('keeps its method, path, headers and body', async () => {
    let seen: unknown
    await startBehind(async (request, response) => {
      const { method, url, headers } = request
      seen = { method, url, cookie: headers.cookie, host: headers.host, body: await text(request) }
      response.end()
    })

    await ask(await startFront(), {
      method: 'POST',
      path: '/keys/%C3%A9?a=%20b',
      headers: { cookie: 'a=1', host: 'portal.example' },
      body: 'name=Ærlige',
    })

    expect(seen).toEqual({
      method: 'POST',
      url: '/keys/%C3%A9?a=%20b',
      cookie: 'a=1',
      host: 'portal.example',
      body: 'name=Ærlige',
    })
  })

  test('names the caller that we found, never the one that it claims', async () => {
    const callers: unknown[] = []
    await startBehind(({ headers }, response) => {
      callers.push(headers[callerHeader])
      response.end()
    })

    await ask(await startFront(), { headers: { [callerHeader]: '127.0.0.1', 'X-Sandpiper-CALLER': '::1' } })

    expect(callers).toEqual(['203.0.113.9'])
  })

  test('gets status, headers and body of the answer, cookies one by one', async () => {
    await startBehind((_request, response) => {
      response.writeHead(418, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Kept': 'yes' })
      response.write('one ')
      response.end('two')
    })

    const answer = await ask(await startFront())

    expect(answer.statusCode).toBe(418)
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(answer.headers['x-kept']).toBe('yes')
    expect(await text(answer)).toBe('one two')
  })

  test('is answered to a client of HTTP/1.0, which sends no Host and knows no chunks', async () => {
    await startBehind((_request, response) => {
      response.write('whole ')
      setImmediate(() => response.end('text'))
    })
    const port = await startFront()

    const raw = await new Promise<string>((resolve) => {
      let got = ''
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\n\r\n'))
      socket.on('data', (piece) => (got += piece)).on('close', () => resolve(got))
    })

    expect(raw).toContain('200 OK')
    expect(raw.split('\r\n\r\n')[1]).toBe('whole text')
  })
})

describe('what goes wrong behind', () => {
  test('nobody listens: the caller is told, and served once somebody does', async () => {
    const port = await startFront()
    expect((await ask(port)).statusCode).toBe(503)

    await startBehind((_request, response) => response.end('here'))

    expect((await ask(port)).statusCode).toBe(200)
  })

  test('an answer that breaks off is an error to the caller, not an end', async () => {
    await startBehind((_request, response) => {
      response.write('half')
      setImmediate(() => response.destroy())
    })

    await expect(ask(await startFront()).then(text)).rejects.toThrow()
  })

  test('a kept connection that was closed meanwhile is no failure of the next read', async () => {
    let asked = 0
    // The second request of a connection is never answered.
    const server = await startBehind((request, response) => {
      asked++
      if (asked === 2) request.socket.destroy()
      else response.end(`${asked}`)
    })
    server.keepAliveTimeout = 60_000
    const port = await startFront()
    expect(await text(await ask(port))).toBe('1')

    expect(await text(await ask(port))).toBe('3')
  })

  test('a form that met such a connection is refused, not sent twice', async () => {
    let asked = 0
    const server = await startBehind((request, response) => {
      asked++
      if (asked === 2) request.socket.destroy()
      else response.end()
    })
    server.keepAliveTimeout = 60_000
    const port = await startFront()
    await ask(port)

    expect((await ask(port, { method: 'POST', body: 'a=1' })).statusCode).toBe(503)
    expect(asked).toBe(2)
  })

  test('a form that is refused before all of it is read gets that refusal', async () => {
    await startBehind((_request, response) => response.writeHead(403).end('no'))
    const port = await startFront()
    const body = 'a'.repeat(2_000_000)

    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port, { method: 'POST', body })))

    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.connection])).toEqual(
      Array(20).fill([403, 'close']),
    )
  })

  test('a caller who leaves ends the work behind', async () => {
    const left = new Promise<void>((resolve) => {
      void startBehind((_request, response) => {
        response.on('close', resolve)
        response.write('the first of much')
      })
    })
    const answer = await ask(await startFront())
    answer.once('data', () => answer.destroy())

    await left
  })

  test('no more than 512 wait for it', async () => {
    const open: (() => void)[] = []
    await startBehind((_request, response) => open.push(() => response.end()))
    const port = await startFront()
    const statuses: (number | undefined)[] = []
    const answers = Array.from({ length: 520 }, () =>
      ask(port).then(({ statusCode }) => statuses.push(statusCode)),
    )

    await expect.poll(() => [open.length, statuses], { timeout: 10_000 }).toEqual([512, Array(8).fill(503)])
    for (const end of open) end()
    await Promise.all(answers)
    expect(statuses.slice(8)).toEqual(Array(512).fill(200))
  })

  test('forms that are sent slowly hold up nobody else', async () => {
    await startBehind((request, response) => {
      request.resume().once('end', () => response.end())
    })
    const port = await startFront()
    const head = 'POST / HTTP/1.1\r\nHost: portal.example\r\nContent-Length: 9\r\n\r\n'
    const slow = Array.from({ length: 600 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    ends.push(() => {
      for (const socket of slow) socket.destroy()
    })
    for (const socket of slow) socket.write(head)
    const refused = slow.map((socket) => new Promise((resolve) => socket.once('data', resolve)))

    expect(String(await Promise.race(refused))).toContain('503')
    expect((await ask(port)).statusCode).toBe(200)
    // Of one caller only so many; of others, some more.
    expect(
      (await ask(port, { method: 'POST', headers: { 'x-of': '203.0.113.10' }, body: 'a' })).statusCode,
    ).toBe(200)
  })
})

describe('a call of the explorer', () => {
  test('is made for the person who uses it, with its body, and its answer read as it comes', async () => {
    let seen: unknown
    await startBehind(async (request, response) => {
      const { method, url, headers } = request
      seen = {
        method,
        url,
        caller: headers[callerHeader],
        key: headers['x-api-key'],
        body: await text(request),
      }
      response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"a":1}')
    })
    const call = fetchOverSocket(socketPath)
    const init = { method: 'POST', headers: { 'X-API-Key': 'k', [callerHeader]: '::1' }, body: '{}' }

    const answer = await call(new Request('http://localhost:3000/sandbox/api/v1/x?q=1', init), '203.0.113.9')

    expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
      201,
      'application/json',
      { a: 1 },
    ])
    expect(seen).toEqual({
      method: 'POST',
      url: '/sandbox/api/v1/x?q=1',
      caller: '203.0.113.9',
      key: 'k',
      body: '{}',
    })
  })

  test.each([204, 304])('may be answered without a body: %d', async (status) => {
    await startBehind((_request, response) => response.writeHead(status).end())

    const answer = await fetchOverSocket(socketPath)(new Request('http://localhost/r4/x'), '203.0.113.9')

    expect([answer.status, await answer.text()]).toEqual([status, ''])
  })

  test('fails when nobody answers, and when the person leaves', async () => {
    const call = fetchOverSocket(socketPath)
    await expect(call(new Request('http://localhost/r4/x'), '203.0.113.9')).rejects.toThrow()

    await startBehind(() => {})
    const leaving = new AbortController()
    const waiting = call(new Request('http://localhost/r4/x', { signal: leaving.signal }), '203.0.113.9')
    setImmediate(() => leaving.abort())
    await expect(waiting).rejects.toThrow()
  })
})
