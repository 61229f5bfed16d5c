/** What every limiter promises. Runs on memory and on Redis. */
import { describe, expect, test } from 'vitest'
import type { Decision, Limiter, Take } from './windows.ts'

type TestClock = { now: Date; advance: (milliseconds: number) => void }

export function createTestClock(): TestClock & (() => Date) {
  const clock = () => clock.now
  clock.now = new Date('2026-11-20T12:00:00.000Z')
  clock.advance = (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds)
  }
  return clock
}

export function limiterPromises(title: string, make: (clock: () => Date) => Promise<Limiter>): void {
  const key = (subject = 'key-1'): Take => ({ window: 'restKey', subject })
  const practice = (subject = 'practice-1'): Take => ({ window: 'restPractice', subject })

  async function admitted(limiter: Limiter, takes: Take[], times: number): Promise<number> {
    const decisions = await Promise.all(Array.from({ length: times }, () => limiter.take(takes)))
    return decisions.filter((decision) => decision.admitted).length
  }

  async function setUp() {
    const clock = createTestClock()
    return { clock, limiter: await make(clock) }
  }

  describe(title, () => {
    test('admits exactly 150 requests of a key in a second', async () => {
      const { clock, limiter } = await setUp()

      expect(await admitted(limiter, [key()], 400)).toBe(150)

      clock.advance(999)
      expect(await admitted(limiter, [key()], 1)).toBe(0)
      clock.advance(1)
      expect(await admitted(limiter, [key()], 400)).toBe(150)
    })

    test('counts what a request costs, and refuses what no longer fits', async () => {
      const { clock, limiter } = await setUp()
      const heavy = (cost: number): Take => ({ window: 'heavy', subject: 'key-1', cost })

      expect(await admitted(limiter, [heavy(10)], 9)).toBe(9)
      expect(await admitted(limiter, [heavy(11)], 1)).toBe(0)
      expect(await admitted(limiter, [heavy(1)], 20)).toBe(10)
      clock.advance(1_000)
      expect(await admitted(limiter, [heavy(100)], 2)).toBe(1)
    })

    test.each([
      { caller: 'key', take: key(), perSecond: 100, perMinute: 3_600 },
      { caller: 'practice', take: practice(), perSecond: 300, perMinute: 12_000 },
    ])(
      'admits exactly $perMinute requests of a $caller in a minute',
      async ({ take, perSecond, perMinute }) => {
        const { clock, limiter } = await setUp()

        let total = 0
        for (let second = 0; second < 60; second++) {
          total += await admitted(limiter, [take], perSecond)
          clock.advance(1_000)
        }

        expect(total).toBe(perMinute)
      },
    )

    test('admits exactly 400 requests of a practice in a second over all its keys', async () => {
      const { limiter } = await setUp()

      const counts = await Promise.all(
        [1, 2, 3, 4].map((n) => admitted(limiter, [key(`key-${n}`), practice()], 140)),
      )

      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400)
    })

    test('a refused request takes nothing from any window', async () => {
      const { limiter } = await setUp()
      await admitted(limiter, [key('busy'), practice()], 150)

      expect(await admitted(limiter, [key('busy'), practice()], 1_000)).toBe(0)

      expect(await admitted(limiter, [practice()], 1_000)).toBe(400 - 150)
    })

    test('waiting as long as it says is enough, and not waiting that long is not', async () => {
      const { clock, limiter } = await setUp()
      clock.advance(10_300)
      for (let second = 0; second < 24; second++) {
        await admitted(limiter, [key()], 150)
        clock.advance(1_000)
      }

      const refused = (await limiter.take([key()])) as Extract<Decision, { admitted: false }>

      expect(refused).toEqual({ admitted: false, window: 'restKey', retryAfterSeconds: 26 })
      clock.advance(25_000)
      expect((await limiter.take([key()])).admitted).toBe(false)
      clock.advance(1_000)
      expect((await limiter.take([key()])).admitted).toBe(true)
    })

    test('tells the wait of the window that refuses longest', async () => {
      const { clock, limiter } = await setUp()
      const small: Take = { window: 'restKey', subject: 'small', requests: [1, 1] }
      await limiter.take([small])
      clock.advance(500)

      expect(await limiter.take([small])).toEqual({
        admitted: false,
        window: 'restKey',
        retryAfterSeconds: 60,
      })
    })

    test('tells what is left of each window', async () => {
      const { limiter } = await setUp()
      await limiter.take([key()])

      const decision = await limiter.take([key()])

      expect(decision).toEqual({
        admitted: true,
        budgets: [
          { window: 'restKey', seconds: 1, requests: 150, remaining: 148, resetSeconds: 1 },
          { window: 'restKey', seconds: 60, requests: 3_600, remaining: 3_598, resetSeconds: 60 },
        ],
      })
    })

    test('knows a used-up window without taking from it', async () => {
      const { clock, limiter } = await setUp()
      const one: Take = { window: 'statusIp', subject: '192.0.2.1' }

      expect(limiter.blockedSeconds(one)).toBeNull()
      for (let i = 0; i < 5; i++) await limiter.take([one])
      expect(limiter.blockedSeconds(one)).toBe(1)
      expect(limiter.blockedSeconds({ ...one, subject: '192.0.2.2' })).toBeNull()
      clock.advance(1_000)
      expect(limiter.blockedSeconds(one)).toBeNull()
    })

    test('higher limits granted to one key change no other', async () => {
      const { limiter } = await setUp()

      expect(await admitted(limiter, [{ ...key('granted'), requests: [300, 9_000] }], 500)).toBe(300)
      expect(await admitted(limiter, [key('other')], 500)).toBe(150)
    })

    test('keys, practices and addresses do not share counters', async () => {
      const { limiter } = await setUp()
      await admitted(limiter, [{ window: 'statusIp', subject: 'same' }], 50)

      expect(await admitted(limiter, [key('same'), practice('same')], 10)).toBe(10)
    })
  })
}
