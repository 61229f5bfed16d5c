import { expect, test } from 'vitest'
import { rateLimitHeaders } from './rate-limit-headers.ts'
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

test('the headers tell a caller its own budget and not its practice’s', async () => {
  const limiter = createMemoryLimiter({ clock: createTestClock() })

  const decision = await limiter.take([
    { window: 'restKey', subject: 'k' },
    { window: 'restPractice', subject: 'p' },
  ])

  expect(decision.admitted && rateLimitHeaders(decision.budgets, 'restKey')).toEqual({
    'RateLimit-Policy': '"second";q=150;w=1, "minute";q=3600;w=60',
    RateLimit: '"second";r=149;t=1, "minute";r=3599;t=60',
  })
})
