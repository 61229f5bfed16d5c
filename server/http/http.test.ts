import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { describe, expect, test, vi } from 'vitest'
import { Problem, toProblem } from '../contract/http/problems.ts'
import { makeKey } from '../contract/keys/key-format.ts'
import { readBody } from './body.ts'
import { noProxies } from './client-ip.ts'
import { clientCorrelationId } from './correlation.ts'
import { createEdge, type EdgeEnv } from './edge.ts'
import { createHealth } from './health.ts'
import { createLog, scrub, toLoggedError } from './log.ts'
import { checkOrigin, pageHeaders, transportHeaders } from './security-headers.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const key = makeKey('sandbox', (size) => Buffer.alloc(size, 7))

function capture() {
  const lines: string[] = []
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, log: createLog({ LOG_LEVEL: 'info' }, out) }
}

describe('the correlation id', () => {
  test.each([
    ['visit-7.A_b', 'visit-7.A_b'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), null],
    ['two words', null],
    ['', null],
    [key, null],
  ])('of a caller, %j, is kept as %j', (given, kept) => {
    expect(clientCorrelationId(new Headers({ 'x-correlation-id': given }))).toBe(kept)
  })
})

describe('a body', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  /** Chunked, without a length. */
  function stream(bytes: number): ReadableStream<Uint8Array> {
    let sent = 0
    return new ReadableStream({
      pull(controller) {
        if (sent >= bytes) return controller.close()
        const size = Math.min(65_536, bytes - sent)
        sent += size
        controller.enqueue(new Uint8Array(size).fill(97))
      },
    })
  }

  test('announced as too large is refused before a byte is read', async () => {
    const request = post(stream(10), { 'content-length': '1048577' })

    await expect(readBody(request)).rejects.toMatchObject({ kind: 'payload_too_large' })
    expect(request.bodyUsed).toBe(false)
  })
})

describe('unsafe portal methods', () => {
  const form = (origin: string | null, method = 'POST') =>
    new Request('http://localhost:3000/sign-in', { method, ...(origin && { headers: { origin } }) })

  test('are taken from our own pages only', () => {
    expect(() => checkOrigin(form('http://localhost:3000'), 'http://localhost:3000')).not.toThrow()
    for (const origin of [
      null,
      'null',
      'http://evil.example',
      'http://localhost:3001',
      'https://localhost:3000',
    ]) {
      expect(() => checkOrigin(form(origin), 'http://localhost:3000')).toThrow(/was not sent from/)
    }
    expect(() => checkOrigin(form(null, 'GET'), 'http://localhost:3000')).not.toThrow()
  })
})

describe('page headers', () => {
  test('allow scripts and styles by this answer’s nonce only', () => {
    const policy = pageHeaders({ nonce: 'abc', publicOrigin: 'https://portal.example' })[
      'Content-Security-Policy'
    ]

    expect(policy).toContain("script-src 'self' 'nonce-abc';")
    expect(policy).toContain("style-src 'self' 'nonce-abc'; style-src-attr 'unsafe-inline'")
    expect(policy).toContain("form-action 'self';")
    expect(policy).toContain('upgrade-insecure-requests')
    expect(policy).not.toContain('unsafe-eval')
  })

  test('pin https only where there is https', () => {
    expect(transportHeaders('http://localhost:3000')).toEqual({})
    expect(transportHeaders('https://portal.example')).toEqual({
      'Strict-Transport-Security': 'max-age=31536000',
    })
  })
})

describe('the log', () => {
  test('holds no key, token, address, body or password, however it got there', () => {
    const { lines, log } = capture()
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'

    log.info(
      { authorization: `Bearer ${key}`, password: 'hunter2', nested: { token: 'hunter2' } },
      `used ${key}`,
    )
    log.error({ err: new Error(`bad ${key} ${jwt} wren@testwell.example`) }, 'failed')
    log.error(
      { err: Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(wren)' }) },
      'failed',
    )
    log.warn({ headers: { cookie: 'a=hunter2' }, 'set-cookie': 'hunter2' }, 'GET /claim?token=hunter2&x=1')

    const text = lines.join('')
    expect(lines).toHaveLength(4)
    for (const secret of [key, 'hunter2', jwt, 'wren']) expect(text).not.toContain(secret)
    expect(text).toContain(key.slice(0, 12))
    expect(text).toContain('duplicate key')
  })

  test('of a database error keeps the cause and drops the values', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "Testwell"'), {
      code: '22P02',
    })

    expect(toLoggedError(error)).toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type uuid',
    })
  })

  test('of a Prisma error keeps the last line, not the call', () => {
    const error = new Error(
      '\nInvalid `prisma.account.create()` invocation:\n{ email: "wren" }\n\nUnique constraint failed',
    )
    error.name = 'PrismaClientKnownRequestError'

    expect(toLoggedError(error).message).toBe('Unique constraint failed')
    expect(toLoggedError(error).stack ?? '').not.toContain('wren')
  })

  test('of connection strings keeps the scheme', () => {
    expect(scrub('connect postgresql://app:hunter2@db/x failed')).toBe('connect postgresql://[…] failed')
  })
})

describe('the edge', () => {
  function app() {
    const { lines, log } = capture()
    const paceRefusal = vi.fn(() => 60)
    const edge = createEdge({ clock: () => now, log, proxies: noProxies, paceRefusal })
    const hono = new Hono<EdgeEnv>().use('*', edge).get('/things/:id', (c) => {
      c.var.edge.route = '/things/{id}'
      return c.text(c.var.edge.ip)
    })
    hono.get('/broken', () => {
      throw new Problem('internal', { detail: 'cause' })
    })
    hono.get('/away', () => {
      throw toProblem(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
    })
    hono.get('/over-limit', (c) => c.text('', 429))
    hono.get('/refused', (c) => {
      if (c.req.query('turn') !== undefined) c.var.edge.leave = () => {}
      return c.text('', 400)
    })
    return { lines, hono, paceRefusal }
  }

  test.each([
    ['a 429', '/over-limit', true],
    ['a refusal of a request that waited for its turn', '/refused?turn', true],
    ['another refusal', '/refused', false],
    ['a response', '/things/1', false],
  ])('%s is delayed as the pace says: %s %s', async (_, path, isDelayed) => {
    const { hono, paceRefusal } = app()
    const connection = { incoming: { socket: { remoteAddress: '127.0.0.1' }, complete: true } }
    const begun = performance.now()

    await hono.request(path, {}, connection)

    expect(paceRefusal).toHaveBeenCalledTimes(isDelayed ? 1 : 0)
    if (isDelayed) expect(performance.now() - begun).toBeGreaterThanOrEqual(59)
  })

  test('logs of a request the same fields each time, and no secret that came as the caller’s name for it', async () => {
    const { hono, lines } = app()

    await hono.request('/things/1', {
      headers: { 'x-correlation-id': `spa_${'a'.repeat(43)}`, authorization: 'Bearer hunter2' },
    })

    const line = JSON.parse(lines.at(-1) as string)
    expect(Object.keys(line)).toEqual(
      'level,time,correlationId,clientCorrelationId,method,route,status,durationMs,ip,msg'.split(','),
    )
    expect(line.clientCorrelationId).toBe('spa_…')
    expect(lines.join('')).not.toMatch(/aaaa|hunter2/)
  })

  test('logs the stack of an outage once, and one line for each request that it fails', async () => {
    const { hono, lines } = app()

    for (let request = 0; request < 3; request++) await hono.request('/away')

    const errors = lines.map((line) => JSON.parse(line)).map(({ err }) => err)
    expect(errors.map((err) => [err.type, 'stack' in err, 'stack' in err.cause])).toEqual([
      ['Problem', true, true],
      ['Problem', false, false],
      ['Problem', false, false],
    ])
  })
})

function behindEdge(health: Hono<EdgeEnv>) {
  const { lines, log } = capture()
  const edge = createEdge({ clock: () => now, log, proxies: noProxies })
  return { lines, app: new Hono<EdgeEnv>().use('*', edge).route('/', health) }
}

describe('readiness', () => {
  test('is refused while one check fails or takes too long, and says which', async () => {
    const health = createHealth({
      isDraining: () => false,
      checks: {
        database: async () => {},
        recorder: () => Promise.reject(new Error('no')),
        slow: () => new Promise(() => {}),
      },
      limits: () => 'per_process',
      load: () => 'shedding',
      clock: async () => 'in_step',
      searchIndex: async () => 'current',
      withinMs: 5,
    })

    const { app, lines } = behindEdge(health)
    const answer = await app.request('/readyz')

    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      ready: false,
      checks: { database: 'ok', recorder: 'failed', slow: 'failed' },
      limits: 'per_process',
      load: 'shedding',
    })
    expect((await app.request('/healthz')).status).toBe(200)
    expect(lines.map((line) => JSON.parse(line).route)).toEqual(['/readyz'])
  })

  test('is given when all work, also while no jobs run, limits are counted per process, some requests are refused and the clock is off', async () => {
    const health = createHealth({
      isDraining: () => false,
      checks: { database: async () => {} },
      limits: () => 'per_process',
      load: () => 'shedding',
      clock: async () => 'off',
      searchIndex: async () => 'rebuilding',
      worker: () => new Promise(() => {}),
    })

    const begun = performance.now()
    const answer = await behindEdge(health).app.request('/readyz')

    expect(answer.status).toBe(200)
    // Sooner than a prober gives up.
    expect(performance.now() - begun).toBeLessThan(1_000)
    const body = { ready: true, worker: 'failed', clock: 'off', searchIndex: 'rebuilding' }
    expect(await answer.json()).toMatchObject(body)
  })
})
