/** A standby is promoted under load behind PgBouncer, which is led to it; the processes themselves are left alone. */
import { afterEach, expect, onTestFailed, test } from 'vitest'
import { APP_ROLE } from '../../server/store/roles.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { isPgbouncerAtLeast, startPgbouncer } from '../support/pgbouncer.ts'
import { bothHosts, createPair, expectReady, failOver, type Pair, startOn } from './failover.ts'

/** server_login_retry: PgBouncer waits so long before it tries a server again. */
const retryMs = 1_000
const backMs = 1_000 + retryMs
/** `inter` of HAProxy's checks. */
const checkMs = 500
const ownAddress = '127.0.0.2'

const closing: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function makePair(standbyHost?: string): Promise<Pair> {
  const pair = await createPair(standbyHost)
  closing.push(pair.remove)
  return pair
}

/** @param target where PgBouncer finds PostgreSQL: the primary, if not given */
async function startBehindPgbouncer(
  pair: Pair,
  { host = '127.0.0.1', port = pair.primary.port, databaseOptions = '' } = {},
) {
  const bouncer = await startPgbouncer(
    { host, port, database: 'sandpiper' },
    { databaseOptions, settings: { admin_users: APP_ROLE } },
  )
  closing.push(bouncer.remove)
  onTestFailed(() => console.log(bouncer.log()))
  const running = await startOn(bouncer.url, { directUrl: bothHosts(pair) })
  closing.push(running.close)
  return { bouncer, running }
}

test('a primary is lost: writes go on once PgBouncer is reloaded with the address of the standby', async () => {
  const pair = await makePair()
  const { bouncer, running } = await startBehindPgbouncer(pair)

  const { backAfterMs } = await failOver(running, {
    lose: () => pair.primary.signal('SIGKILL'),
    withoutMs: 5_000,
    async promote() {
      await pair.standby.promote()
      bouncer.setTargetPort(pair.standby.port)
      bouncer.reload()
    },
  })

  expect(backAfterMs).toBeLessThan(backMs)
  await expectReady(running)
})

test('a primary is replaced while PgBouncer pauses: requests wait', async () => {
  const pair = await makePair()
  const { bouncer, running } = await startBehindPgbouncer(pair)

  const { writers } = await failOver(running, {
    async lose() {
      await bouncer.command('PAUSE sandpiper')
      pair.primary.signal('SIGKILL')
    },
    withoutMs: 0,
    async promote() {
      await pair.standby.promote()
      bouncer.setTargetPort(pair.standby.port)
      await bouncer.command('RELOAD')
      await bouncer.command('RESUME sandpiper')
    },
  })

  // A busy machine may take longer than requests wait: they are repeated then.
  expect(writers.statuses.get(503) ?? 0).toBeLessThan(20)
  await expectReady(running)
})

test('PgBouncer in front of HAProxy is led to the standby by itself', async () => {
  const pair = await makePair()
  const proxy = await startHaproxy([pair.primary, pair.standby])
  closing.push(proxy.close)
  const { running } = await startBehindPgbouncer(pair, { port: proxy.port })

  const { backAfterMs } = await failOver(running, {
    lose: () => pair.primary.signal('SIGKILL'),
    withoutMs: 5_000,
    promote: pair.standby.promote,
  })

  expect(backAfterMs).toBeLessThan(backMs + 2 * checkMs)
  await expectReady(running)
})

test('from 1.24 on, PgBouncer with both hosts goes on with the next one; before, it refuses the setting', async () => {
  const pair = await makePair(ownAddress)
  const target = { host: `127.0.0.1,${ownAddress}`, databaseOptions: 'load_balance_hosts=disable' }
  if (!isPgbouncerAtLeast('1.24')) {
    await expect(startBehindPgbouncer(pair, target)).rejects.toThrow(/load_balance_hosts/)
    return
  }
  const { running } = await startBehindPgbouncer(pair, target)

  const { backAfterMs } = await failOver(running, {
    lose: () => pair.primary.signal('SIGKILL'),
    withoutMs: 5_000,
    promote: pair.standby.promote,
  })

  expect(backAfterMs).toBeLessThan(backMs)
  await expectReady(running)
})
