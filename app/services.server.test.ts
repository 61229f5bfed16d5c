import { type AppLoadContext, data } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'
import { Problem } from '../server/contract/http/problems.ts'
import { createServices } from '../server/services.ts'
import { openDatabaseGate } from '../tests/support/database-gate.ts'
import { testServices } from '../tests/support/services.ts'
import { longTest } from '../tests/support/slice.ts'
import { page, takeHeaders } from './services.server.ts'

test('a page that gets no database connection is answered with 503, and one that breaks with 500', async () => {
  const services = await testServices({
    template: 'schema',
    waitMs: 500,
    environment: { DATABASE_POOL: '2' },
  })
  const context = { services, correlationId: 'c1' } as unknown as AppLoadContext
  const ask = (loader: () => Promise<unknown>) =>
    page(loader)({ request: new Request('http://localhost/'), params: {}, context })
  const held = await Promise.all([services.pool.connect(), services.pool.connect()])

  try {
    for (const loader of [
      () => services.prisma.account.count(),
      () => services.prisma.$transaction((tx) => tx.account.count()),
      () => services.pool.query('SELECT 1'),
    ]) {
      await expect(ask(loader)).rejects.toMatchObject({
        data: { correlationId: 'c1' },
        init: { status: 503 },
      })
    }
  } finally {
    for (const client of held) client.release()
  }

  expect(await ask(() => services.prisma.account.count())).toBe(0)
  await expect(ask(() => services.prisma.$queryRaw`SELECT 1 / 0`)).rejects.toMatchObject({
    init: { status: 500 },
  })
})

longTest('a page whose database hangs is answered with 503 and Retry-After within its deadline', async () => {
  const services = await testServices({ template: 'schema', environment: { DATABASE_POOL: '2' } })
  const gate = await openDatabaseGate(services.database.appUrl)
  const { env, log, clock } = services
  const hanging = createServices({ env, log, clock, appUrl: gate.url })
  const context = { services: hanging, correlationId: 'c1' } as unknown as AppLoadContext
  const ask = (method: string, handler: () => Promise<unknown>) =>
    page(handler)({ request: new Request('http://localhost/', { method }), params: {}, context })
  await hanging.prisma.account.count()
  gate.hang()

  try {
    const began = performance.now()
    // Each statement would be given up after six seconds.
    const loader = async () => {
      await hanging.prisma.account.count().catch(() => {})
      return hanging.prisma.account.count()
    }
    await expect(ask('GET', loader)).rejects.toMatchObject({ init: { status: 503 } })
    expect(performance.now() - began).toBeLessThan(10_000)
    await expect(
      page(() => new Promise(() => {}), { withinMs: 50 })({
        request: new Request('http://localhost/', { method: 'POST' }),
        params: {},
        context,
      }),
    ).rejects.toMatchObject({ init: { status: 503 } })
    const headers = new Headers()
    takeHeaders(context, headers)
    expect(headers.get('retry-after')).toBe('5')
  } finally {
    await gate.open()
    await hanging.close()
    await gate.close()
  }
})

test('when to come back reaches the answer, whether a page says it, throws it or is refused', async () => {
  const services = { clock: () => new Date(0) }
  const retryAfterOf = async (loader: () => unknown) => {
    const context = { services, correlationId: 'c1' } as unknown as AppLoadContext
    await page(loader)({ request: new Request('http://localhost/'), params: {}, context }).catch(() => {})
    const headers = new Headers()
    takeHeaders(context, headers)
    return headers.get('retry-after')
  }
  const init = { status: 429, headers: { 'retry-after': '17' } }

  expect(await retryAfterOf(() => data(null, init))).toBe('17')
  expect(
    await retryAfterOf(() => {
      throw data(null, init)
    }),
  ).toBe('17')
  expect(
    await retryAfterOf(() => {
      throw new Problem('rate_limited', { retryAfterSeconds: 17 })
    }),
  ).toBe('17')
  expect(await retryAfterOf(() => data(null))).toBeNull()
})
