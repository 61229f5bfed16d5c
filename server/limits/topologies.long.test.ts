/** Limits by Valkey or Redis as it is run: TLS with a user of few rights, Sentinel, Cluster; and through their failover. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { createTestRedis } from '../../tests/support/redis.ts'
import {
  createCluster,
  createSentinels,
  createTlsRedis,
  type Topology,
  untilOpen,
} from '../../tests/support/redis-topologies.ts'
import { createSharedLimiter } from './shared-windows.ts'
import { limiterPromises } from './windows.suite.ts'
import type { Limiter } from './windows.ts'

const open: Limiter[] = []

type Options = { clock?: () => Date; namespace?: string; commandTimeoutMilliseconds?: number }

async function connect(url: string, { clock, ...options }: Options = {}): Promise<Limiter> {
  const limiter = createSharedLimiter({
    url,
    namespace: `sandpiper:limit:${randomUUID()}`,
    clock: clock ?? (() => new Date()),
    clockDecides: clock !== undefined,
    commandTimeoutMilliseconds: 30_000,
    ...options,
  })
  open.push(limiter)
  await vi.waitUntil(() => limiter.state() === 'shared', { timeout: 15_000, interval: 5 })
  return limiter
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((limiter) => limiter.close()))
})

/** Wide enough that nothing is refused, in a window long enough for a failover. */
const wide = { requests: [1_000_000, 1_000_000] } as const
const takesOf = (name: string) =>
  [
    { window: 'restKey', subject: `key of ${name}`, ...wide },
    { window: 'restPractice', subject: name, ...wide },
  ] as const

/** What the server itself has counted of a practice in this minute, asked by a process that knows nothing. */
async function countedBy(url: string, namespace: string, name: string): Promise<number> {
  const fresh = await connect(url, { namespace })
  const decision = await fresh.take(takesOf(name))
  if (!decision.admitted) throw new Error('refused')
  const minute = decision.budgets.find(({ window, seconds }) => window === 'restPractice' && seconds === 60)
  return (minute?.requests ?? 0) - (minute?.remaining ?? 0) - 1
}

/** Not in the last seconds of a minute: its window is to outlive the test. */
async function early(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < seconds * 1_000) await sleep(left + 10)
}

/** The ACL line of docs/operations/valkey.md. */
const [, rights = ''] =
  /^user sandpiper (on .*)$/m.exec(readFileSync('docs/operations/valkey.md', 'utf8')) ?? []

describe('with TLS and a user that may only count', () => {
  let redis: Awaited<ReturnType<typeof createTlsRedis>>

  beforeAll(async () => {
    redis = await createTlsRedis(rights.replace('>PASSWORD', '>pass'))
  })
  afterAll(() => redis?.remove())

  limiterPromises('a limiter behind TLS', (clock) => connect(redis.url, { clock }))

  test('that user may do nothing else', async () => {
    const port = redis.ports[0] as number
    const ca = readFileSync(decodeURIComponent(new URL(redis.url).searchParams.get('sslrootcert') ?? ''))
    const client = new Redis({
      host: 'localhost',
      port,
      username: 'sandpiper',
      password: 'pass',
      tls: { ca },
    })
    const refusals = await Promise.all(
      [
        () => client.set('other', 'value'),
        () => client.get('other'),
        () => client.flushall(),
        () => client.config('GET', '*'),
        () => client.keys('*'),
        () => client.del('sandpiper:limit:x'),
        () => client.acl('LIST'),
      ].map((command) =>
        command().then(
          () => 'allowed',
          (error: Error) => error.message.slice(0, 6),
        ),
      ),
    )
    client.disconnect()

    expect(new Set(refusals)).toEqual(new Set(['NOPERM']))
  })

  test.each([
    [
      'another authority',
      (url: string) =>
        url.replace(/sslrootcert=.*/, `sslrootcert=${encodeURIComponent(redis.otherAuthority)}`),
      /certificate|signature/,
    ],
    ['another host name', (url: string) => url.replace('@localhost', '@127.0.0.1'), /altnames|IP/],
    ['another password', (url: string) => url.replace(':pass@', ':word@'), /WRONGPASS/],
  ])('with %s nothing is shared, and the reason is logged', async (_, change, reason) => {
    const reasons: (string | undefined)[] = []
    const limiter = createSharedLimiter({
      url: change(redis.url),
      clock: () => new Date(),
      onStateChange: (state, why) => reasons.push(`${state}: ${why}`),
    })
    open.push(limiter)

    await vi.waitUntil(() => reasons.length > 0, { timeout: 10_000 })

    expect(reasons[0]).toMatch(/^per_process/)
    expect(reasons[0]).toMatch(reason)
    expect((await limiter.take([{ window: 'restKey', subject: 'key' }])).admitted).toBe(true)
  })
})

describe.each([
  ['under Sentinel', createSentinels],
  ['in a Cluster', createCluster],
])('%s', (_, create) => {
  let servers: Topology

  beforeAll(async () => {
    servers = await create()
  })
  afterAll(() => servers?.remove())

  limiterPromises('a limiter', (clock) => connect(servers.url, { clock }))

  test('counts are kept when a replica is promoted: a process that counted goes on, and the others find them', async () => {
    const namespace = `sandpiper:limit:${randomUUID()}`
    const changes: string[] = []
    const limiter = createSharedLimiter({
      url: servers.url,
      namespace,
      clock: () => new Date(),
      onStateChange: (state, reason) => changes.push(`${state}${reason ? `: ${reason}` : ''}`),
    })
    open.push(limiter)
    await vi.waitUntil(() => limiter.state() === 'shared', { timeout: 15_000 })
    await early(40)
    const names = Array.from({ length: 12 }, () => randomUUID())
    // Nobody counts these again: what is found of them, the replica had.
    const left = Array.from({ length: 12 }, () => randomUUID())
    let counted = 0
    for (let round = 0; round < 200; round++) {
      await Promise.all(left.map((name) => limiter.take(takesOf(name))))
      const decisions = await Promise.all(names.map((name) => limiter.take(takesOf(name))))
      counted += decisions.filter(({ admitted }) => admitted).length
    }
    const primaries = servers.ports.filter((port) =>
      servers.ask(port, 'info', 'replication').includes('role:master'),
    )

    const killedAt = performance.now()
    await servers.kill(primaries[0] as number)
    let slowest = 0
    let during = 0
    while (performance.now() - killedAt < 15_000) {
      const began = performance.now()
      const decisions = await Promise.all(names.map((name) => limiter.take(takesOf(name))))
      during += decisions.filter(({ admitted }) => admitted).length
      slowest = Math.max(slowest, performance.now() - began)
      const isPromoted = servers.ports
        .filter((port) => port !== primaries[0])
        .filter((port) => servers.ask(port, 'info', 'replication').includes('role:master')).length
      if (isPromoted === primaries.length && limiter.state() === 'shared') break
      await sleep(20)
    }
    const backAfterMs = performance.now() - killedAt
    // Two seconds in which every window is taken from again: what this process knows is told to the new primary.
    for (let round = 0; round < 20; round++) {
      await Promise.all(names.map((name) => limiter.take(takesOf(name))))
      during += names.length
      await sleep(100)
    }
    const found = await Promise.all(names.map((name) => countedBy(servers.url, namespace, name)))
    const replicated = await Promise.all(left.map((name) => countedBy(servers.url, namespace, name)))
    const total = found.reduce((sum, each) => sum + each, 0)
    console.log(
      `${counted} counted before, ${during} after the kill; ${total} found; of 200 each that were left alone ${Math.min(...replicated)} at least; shared again after ${Math.round(backAfterMs)} ms; ` +
        `slowest answer of 12 at once ${Math.round(slowest)} ms; ${JSON.stringify(changes)}`,
    )

    expect(limiter.state()).toBe('shared')
    // All of them but those of the last moments, in which nobody else counted.
    expect(total).toBeGreaterThanOrEqual((counted + during) * 0.99)
    expect(Math.min(...found)).toBeGreaterThan(200)
    expect(Math.min(...replicated)).toBeGreaterThanOrEqual(195)
    expect(slowest).toBeLessThan(2_000)
  })
})

test('a server that comes back empty is told what was counted, and what a process counted alone', async () => {
  const server = createTestRedis()
  const namespace = randomUUID()
  const limiter = await connect(server.url, { namespace })
  await early(20)
  await Promise.all(Array.from({ length: 300 }, () => limiter.take(takesOf('practice'))))

  await server.stop()
  await vi.waitUntil(() => limiter.state() === 'per_process', { timeout: 5_000 })
  await Promise.all(Array.from({ length: 40 }, () => limiter.take(takesOf('practice'))))
  server.start()
  await vi.waitUntil(() => limiter.state() === 'shared', { timeout: 10_000 })
  await vi.waitUntil(async () => {
    await limiter.take(takesOf('practice'))
    return (await countedBy(server.url, namespace, 'practice')) > 340
  })
  await limiter.close()
  await server.remove()
})

test('many processes neither storm a server that is away, nor wait for it', async () => {
  let attempts = 0
  const trap = createServer((socket) => {
    attempts += 1
    socket.on('error', () => {})
    socket.destroy()
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  const { port } = trap.address() as { port: number }
  const limiters = Array.from({ length: 40 }, () =>
    createSharedLimiter({ url: `redis://127.0.0.1:${port}`, clock: () => new Date() }),
  )
  open.push(...limiters)
  await sleep(8_000)
  const began = performance.now()
  const decisions = await Promise.all(
    limiters.flatMap((limiter) =>
      Array.from({ length: 100 }, () => limiter.take([{ window: 'restKey', subject: 'key' }])),
    ),
  )
  const tookMs = performance.now() - began
  await new Promise((resolve) => trap.close(resolve))
  console.log(`${attempts} attempts of 40 processes in 8 s; 4,000 requests took ${Math.round(tookMs)} ms`)

  expect(decisions.every(({ admitted }) => admitted)).toBe(true)
  expect(tookMs).toBeLessThan(2_000)
  // 100, 200, 400, 800, 1600 and 2000 ms at most, half of it at least.
  expect(attempts / 40).toBeGreaterThan(4)
  expect(attempts / 40).toBeLessThan(14)
})

test.each([
  ['redis://', createCluster, 'say redis+cluster://'],
  ['redis+cluster://', async () => singleTopology(), 'say redis://'],
] as const)('%s to the other kind of server is refused with the remedy', async (scheme, create, remedy) => {
  const servers = await create()
  const reasons: string[] = []
  const limiter = createSharedLimiter({
    url: `${scheme}127.0.0.1:${servers.ports[0]}`,
    clock: () => new Date(),
    onStateChange: (_, reason) => reasons.push(reason ?? ''),
  })
  open.push(limiter)

  await vi.waitUntil(
    async () => {
      for (let i = 0; i < 20; i++) await limiter.take([{ window: 'restKey', subject: randomUUID() }])
      return reasons.some((reason) => reason.includes(remedy))
    },
    { timeout: 15_000, interval: 100 },
  )
  await servers.remove()
})

async function singleTopology(): Promise<Pick<Topology, 'ports' | 'remove'>> {
  const port = await findFreePort()
  const server = createTestRedis(port)
  await untilOpen(port)
  return { ports: [port], remove: server.remove }
}
