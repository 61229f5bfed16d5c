/** Two server processes count limits together, by the Redis or Valkey on PATH. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { windowTable } from '../../server/contract/http/limits.ts'
import { createTestRedis, type TestRedis } from '../support/redis.ts'
import { type ServerProcess, startTwoServers, type TwoServers } from './two-servers.ts'

const AT_ONCE = 32
const [keyBurst, keySustained] = windowTable.restKey.windows
const [practiceBurst, practiceSustained] = windowTable.restPractice.windows

let redis: TestRedis
let two: TwoServers

beforeAll(async () => {
  redis = createTestRedis(await findFreePort())
  two = await startTwoServers(redis.url)
  await vi.waitUntil(async () => (await limitsOf()).every((state) => state === 'shared'), {
    timeout: 20_000,
  })
})

afterAll(async () => {
  await two.close()
  await redis.remove()
})

/** What each process says of itself. */
function limitsOf(): Promise<string[]> {
  return Promise.all(
    two.servers.map(async ({ origin }) => {
      const { limits } = (await (await fetch(`${origin}/readyz`)).json()) as { limits: string }
      return limits
    }),
  )
}

/** As fast as it goes, at both processes in turn. */
async function flood(keys: readonly string[], milliseconds: number) {
  const tally: Record<number, number> = {}
  const started = Date.now()
  let sent = 0
  const sender = async () => {
    while (Date.now() - started < milliseconds) {
      const index = sent++
      const server = two.servers[index % 2] as ServerProcess
      const status = await two.ask(server, keys[index % keys.length] as string)
      tally[status] = (tally[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  const ended = Date.now()
  const touched = (seconds: number) =>
    Math.floor(ended / (seconds * 1_000)) - Math.floor(started / (seconds * 1_000)) + 1
  return { served: tally[200] ?? 0, refused: tally[429] ?? 0, tally, touched }
}

describe('two processes with Redis', () => {
  it('never serve a key more often than its windows admit', async () => {
    const { key } = await two.issueKey()

    const { served, tally, touched } = await flood([key], 5_000)

    expect(Object.keys(tally).filter((status) => status !== '200' && status !== '429')).toEqual([])
    expect(served).toBeLessThanOrEqual(
      Math.min(keyBurst.requests * touched(1), keySustained.requests * touched(60)),
    )
  })

  it('serve a key with limits of its own as often as they admit, on a machine however slow', async () => {
    const { key, keyId } = await two.issueKey()
    const [burst, sustained] = [10, 30]
    const granted = { keyId, burst, sustained, reason: 'Load test', grantedById: two.actor().accountId }
    await two.services.prisma.keyLimitGrant.create({ data: { ...granted, createdAt: new Date() } })

    const { served, refused, touched } = await flood([key], 10_000)

    expect(refused).toBeGreaterThan(0)
    expect(served).toBeGreaterThanOrEqual(sustained)
    expect(served).toBeLessThanOrEqual(Math.min(burst * touched(1), sustained * touched(60)))
  })

  it('never serve a practice more often than its windows admit, whatever its keys', async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => two.issueKey()))

    const { served, touched } = await flood(
      keys.map(({ key }) => key),
      5_000,
    )

    expect(served).toBeLessThanOrEqual(
      Math.min(practiceBurst.requests * touched(1), practiceSustained.requests * touched(60)),
    )
  })

  it('count each for itself while Redis is away, say so, and share again afterwards', async () => {
    const { key } = await two.issueKey()
    await redis.stop()
    await vi.waitUntil(async () => (await limitsOf()).every((state) => state === 'per_process'), {
      timeout: 20_000,
    })

    const { served, tally, touched } = await flood([key], 2_000)

    expect(Object.keys(tally).filter((status) => status !== '200' && status !== '429')).toEqual([])
    expect(served).toBeLessThanOrEqual(2 * keyBurst.requests * touched(1))
    redis.start()
    await vi.waitUntil(async () => (await limitsOf()).every((state) => state === 'shared'), {
      timeout: 20_000,
    })
  })
})
