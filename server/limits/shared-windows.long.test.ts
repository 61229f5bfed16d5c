/** Needs Redis or Valkey: the one at REDIS_URL, else the program on PATH, started here on a socket of its own. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestRedis, type TestRedis } from '../../tests/support/redis.ts'
import { createSharedLimiter } from './shared-windows.ts'
import { createTestClock, limiterPromises } from './windows.suite.ts'
import type { Limiter } from './windows.ts'

const givenUrl = process.env.REDIS_URL ?? ''
/** A server that we started may also be stopped. */
const ownServer = givenUrl === ''
let url = givenUrl
let server: TestRedis | undefined
const open: Limiter[] = []

async function connect(options: {
  clock: () => Date
  namespace?: string
  clockDecides?: boolean
}): Promise<Limiter> {
  const limiter = createSharedLimiter({
    url,
    namespace: randomUUID(),
    clockDecides: true,
    commandTimeoutMilliseconds: 30_000,
    ...options,
  })
  open.push(limiter)
  await vi.waitUntil(() => limiter.state() === 'shared', { timeout: 5_000, interval: 5 })
  return limiter
}

beforeAll(() => {
  if (!ownServer) return
  server = createTestRedis()
  url = server.url
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((limiter) => limiter.close()))
})

afterAll(async () => {
  await server?.remove()
})

limiterPromises('a limiter in Redis', (clock) => connect({ clock }))

test('two processes together admit no more than one', async () => {
  const clock = createTestClock()
  const namespace = randomUUID()
  const limiters = await Promise.all([connect({ clock, namespace }), connect({ clock, namespace })])

  const decisions = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => limiters[i % 2]?.take([{ window: 'restKey', subject: 'key' }])),
  )

  expect(decisions.filter((decision) => decision?.admitted)).toHaveLength(150)
})

test('by its own clock Redis opens a window again', async () => {
  const limiter = await connect({ clock: () => new Date(), clockDecides: false })
  const take = { window: 'restKey', subject: 'key', requests: [1, 1_000] } as const

  let admitted = 0
  const started = Date.now()
  while (admitted < 3) if ((await limiter.take([take])).admitted) admitted++

  expect(Date.now() - started).toBeGreaterThan(1_000)
  expect(Date.now() - started).toBeLessThan(3_500)
})

if (ownServer) {
  test('while Redis is away each process counts for itself and says so, and afterwards they share again', async () => {
    const changes: string[] = []
    const clock = createTestClock()
    const limiter = createSharedLimiter({
      url,
      clock,
      clockDecides: true,
      commandTimeoutMilliseconds: 30_000,
      namespace: randomUUID(),
      onStateChange: (state) => changes.push(state),
    })
    open.push(limiter)
    await vi.waitUntil(() => limiter.state() === 'shared', { timeout: 5_000, interval: 5 })

    await server?.stop()
    const decisions = await Promise.all(
      Array.from({ length: 200 }, () => limiter.take([{ window: 'restKey', subject: 'key' }])),
    )

    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(150)
    expect(limiter.state()).toBe('per_process')
    server?.start()
    await vi.waitUntil(() => limiter.state() === 'shared', { timeout: 10_000, interval: 5 })
    expect(changes).toEqual(['shared', 'per_process', 'shared'])
  })
}
