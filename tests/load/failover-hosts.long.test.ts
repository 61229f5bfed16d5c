/** A standby is promoted under load, and found without a hand: by a list of hosts in the URL, or by HAProxy. */
import { afterEach, expect, test } from 'vitest'
import { APP_ROLE } from '../../server/store/roles.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { bothHosts, createPair, expectReady, failOver, type Pair, startOn } from './failover.ts'

const closing: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function makePair(): Promise<Pair> {
  const pair = await createPair()
  closing.push(pair.remove)
  return pair
}

test('with both hosts in the URL, writes go on within a second of the promotion', async () => {
  const pair = await makePair()
  const running = await startOn(bothHosts(pair))
  closing.push(running.close)

  const { backAfterMs } = await failOver(running, {
    lose: () => pair.primary.signal('SIGKILL'),
    withoutMs: 5_000,
    promote: pair.standby.promote,
  })

  expect(backAfterMs).toBeLessThan(1_000)
  await expectReady(running)
})

test('a primary that hangs, and says nothing at all, holds up nobody once there is another', async () => {
  const pair = await makePair()
  const running = await startOn(bothHosts(pair))
  closing.push(running.close)

  const { backAfterMs } = await failOver(running, {
    lose: () => pair.primary.signal('SIGSTOP'),
    // A statement under way is given up after 6 s; until then its request waits.
    withoutMs: 12_000,
    promote: pair.standby.promote,
  })

  expect(backAfterMs).toBeLessThan(1_500)
  await expectReady(running)
})

test('a server whose only host is a standby does not start, and says so', async () => {
  const pair = await makePair()

  const failure = await startOn(`postgresql://${APP_ROLE}@127.0.0.1:${pair.standby.port}/sandpiper`).then(
    (running) => {
      closing.push(running.close)
      return 'it started'
    },
    (error: Error) => error.message,
  )

  expect(failure).toContain(`DATABASE_URL: 127.0.0.1:${pair.standby.port} is a standby, or takes no writes`)
})

test('behind HAProxy, which accepts and closes while there is no primary, writes go on within a second', async () => {
  const pair = await makePair()
  const proxy = await startHaproxy([pair.primary, pair.standby])
  closing.push(proxy.close)
  const running = await startOn(`postgresql://${APP_ROLE}@127.0.0.1:${proxy.port}/sandpiper`)
  closing.push(running.close)

  const { backAfterMs } = await failOver(running, {
    lose: () => pair.primary.signal('SIGKILL'),
    withoutMs: 5_000,
    promote: pair.standby.promote,
  })

  expect(backAfterMs).toBeLessThan(1_000 + 2 * checkMs)
  await expectReady(running)
})

/** `inter` of the configuration: so long HAProxy may not know of the promotion. */
const checkMs = 500
