/** A database that dies under load while a proxy goes on accepting connections, and a standby that takes its place. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_ROLE } from '../../server/store/roles.ts'
import { createPair, expectReady, failOver, type Pair, startOn } from './failover.ts'

const WITHOUT_DATABASE_MS = 10_000

let pair: Pair
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  pair = await createPair()
  proxy = await startProxy(pair.primary.port)
})

afterAll(async () => {
  await proxy?.close()
  pair?.remove()
})

test('writes go on after a standby is promoted: none that was acknowledged is lost or doubled, and nobody storms the proxy', async () => {
  const running = await startOn(`postgresql://${APP_ROLE}@127.0.0.1:${proxy.port}/sandpiper`)
  const { server, services } = running
  let attempts = new Map<string, number>()
  let page = { status: 0, retryAfter: false, text: '', ms: 0 }

  const { backAfterMs } = await failOver(running, {
    lose() {
      pair.primary.signal('SIGKILL')
      proxy.target(null)
      proxy.takeAttempts()
    },
    withoutMs: WITHOUT_DATABASE_MS,
    async during() {
      attempts = proxy.takeAttempts()
      const began = performance.now()
      const response = await fetch(`${server.origin}/directory`)
      page = {
        status: response.status,
        retryAfter: response.headers.has('retry-after'),
        text: await response.text(),
        ms: performance.now() - began,
      }
    },
    async promote() {
      await pair.standby.promote()
      proxy.target(pair.standby.port)
    },
  })
  const standing = [...attempts].filter(([name]) => /worker lock|recorder/.test(name))
  console.log(`attempts while the database was away ${JSON.stringify([...attempts])}`)

  // Three connections, each tried after pauses of 50 ms to 2 s.
  for (const [name, count] of standing) expect(count, name).toBeLessThanOrEqual(40)
  expect(standing.length).toBeGreaterThan(0)
  expect(attempts.get('sandpiper worker') ?? 0).toBeLessThanOrEqual(150)
  expect(backAfterMs).toBeLessThan(1_000)
  expect([page.status, page.retryAfter]).toEqual([503, true])
  expect(page.text).toContain('Temporarily unavailable')
  expect(page.ms).toBeLessThan(10_000)
  // The new server is not filled with connections of those who tried.
  const { rows } = await services.pool.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  expect(rows[0]?.count).toBeLessThan(60)
  await expectReady(running)
  await running.close()
})

/** As many proxies do, it accepts every connection and closes it when there is nobody behind. */
async function startProxy(firstTarget: number) {
  let target: number | null = firstTarget
  let attempts = new Map<string, number>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // the other side went away
    socket.on('close', () => sockets.delete(socket))
  }
  const listener: Server = createServer((near) => {
    keep(near)
    near.once('data', (first) => {
      const name = /application_name\0([^\0]*)/.exec(first.toString('latin1'))?.[1] ?? ''
      attempts.set(name, (attempts.get(name) ?? 0) + 1)
      if (target === null) {
        near.end()
        return
      }
      const far = connect(target, '127.0.0.1')
      keep(far)
      far.write(first)
      near.pipe(far).pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.end())
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as { port: number }).port,
    target(next: number | null) {
      target = next
    },
    /** Connections since the last call, by the name of the application. */
    takeAttempts() {
      const taken = attempts
      attempts = new Map()
      return taken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
