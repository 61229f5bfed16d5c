import { expect, test } from 'vitest'
import { createTestClock, limiterPromises } from './windows.suite.ts'
import { createMemoryLimiter } from './windows.ts'

limiterPromises('a limiter in memory', async (clock) => createMemoryLimiter({ clock }))

test('a flood of addresses neither fills the memory nor passes unlimited', async () => {
  const clock = createTestClock()
  const limiter = createMemoryLimiter({ clock, subjectsMax: 100 })
  const known = { window: 'statusIp', subject: 'known' } as const
  await limiter.take([known])

  let admitted = 0
  for (let i = 0; i < 50_000; i++) {
    const decision = await limiter.take([{ window: 'statusIp', subject: `2001:db8::${i}` }])
    if (decision.admitted) admitted++
  }

  // 99 of their own, then 1,024 shared counters of five requests a second each.
  expect(admitted).toBe(99 + 1_024 * 5)
  expect((await limiter.take([known])).admitted).toBe(true)
})
