/** The order in which a server stops, as a proxy in front of it sees it. */
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Env } from '../env.ts'
import { noProxies } from '../http/client-ip.ts'
import { createEdge, type EdgeEnv } from '../http/edge.ts'
import { createDrain, createHealth } from '../http/health.ts'
import { type Listening, listen } from './listen.ts'
import { stopServing } from './serve.ts'

const drain = createDrain()
const agent = new Agent({ keepAlive: true })
let server: Listening
let finishSlow = (_body: string) => {}
let slowBegun: Promise<void>

beforeEach(async () => {
  const app = new Hono<EdgeEnv>()
  let begin = () => {}
  slowBegun = new Promise((resolve) => {
    begin = resolve
  })
  const edge = createEdge({ clock: () => new Date(), log: pino({ level: 'silent' }), proxies: noProxies })
  app.use('*', edge)
  app.get('/slow', async (c) => {
    const body = new Promise<string>((resolve) => {
      finishSlow = resolve
    })
    begin()
    return c.text(await body)
  })
  app.get('/quick', (c) => c.text('quick'))
  const health = createHealth({
    checks: {},
    clock: async () => 'in_step',
    isDraining: drain.isBegun,
    limits: () => 'memory',
    load: () => 'normal',
    searchIndex: async () => 'current',
  })
  app.route('/', health)
  server = await listen({ env: { PORT: 0, HOST: '127.0.0.1' } as Env, app, drain })
})

afterEach(() => agent.destroy())

const ask = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) =>
    get({ port: server.port, host: '127.0.0.1', path, agent }, resolve).on('error', reject),
  )

test('not ready first, then a while in which everything is answered, then no connections', async () => {
  const before = await ask('/readyz')
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive'])
  await text(before)
  const slow = ask('/slow')
  await slowBegun

  let turnedAway = () => {}
  const pause = new Promise<void>((resolve) => {
    turnedAway = resolve
  })
  const stopped = stopServing({ drain, server, graceMs: 10_000, pause: () => pause })

  const draining = await ask('/readyz')
  expect(draining.statusCode).toBe(503)
  expect(JSON.parse(await text(draining))).toMatchObject({ ready: false, draining: true })
  const alive = await ask('/healthz')
  expect([alive.statusCode, await text(alive)]).toEqual([200, 'ok'])
  const answered = await ask('/quick')
  expect([answered.statusCode, answered.headers.connection]).toEqual([200, 'close'])
  await text(answered)

  turnedAway()
  await expect.poll(() => ask('/quick').catch((error) => error.code)).toBe('ECONNREFUSED')
  finishSlow('whole')
  expect(await text(await slow)).toBe('whole')
  await stopped
})
