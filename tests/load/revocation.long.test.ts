import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startTwoServers, type TwoServers } from './two-servers.ts'

const REQUESTS = 10_000
const AT_ONCE = 16

let two: TwoServers

beforeAll(async () => {
  two = await startTwoServers()
})

afterAll(() => two.close())

describe('after a key is revoked', () => {
  it(`${REQUESTS} of the next ${REQUESTS} requests are refused by one process that knew the key`, async () => {
    expect(await revokeAndAsk(two.servers.slice(0, 1))).toEqual({ 401: REQUESTS })
  })

  it(`${REQUESTS} of the next ${REQUESTS} requests are refused by two processes that knew the key`, async () => {
    expect(await revokeAndAsk(two.servers)).toEqual({ 401: REQUESTS })
  })
})

/** Status → how often, of the requests sent after the revocation was answered. */
async function revokeAndAsk(through: readonly ServerProcess[]): Promise<Record<number, number>> {
  const { key, keyId } = await two.issueKey()
  for (const server of through) expect(await two.ask(server, key)).toBe(200)
  // Requests are under way when the revocation comes, so that caches and pools are busy with the key.
  let revoked = false
  const busy = Promise.all(
    through.map(async (server) => {
      while (!revoked) await two.ask(server, key)
    }),
  )
  await two.services.keys.revoke({ keyId }, two.actor())
  const tally: Record<number, number> = {}
  let sent = 0
  const sender = async () => {
    for (let index = sent++; index < REQUESTS; index = sent++) {
      const server = through[index % through.length]
      const status = server ? await two.ask(server, key) : 0
      tally[status] = (tally[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
  revoked = true
  await busy
  return tally
}
