import { type AppLoadContext, data } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'
import { Problem } from '../server/contract/http/problems.ts'
import { createServices } from '../server/services.ts'
import { openDatabaseGate } from '../tests/support/database-gate.ts'
import { testServices } from '../tests/support/services.ts'
import { longTest } from '../tests/support/slice.ts'
import { page, takeHeaders } from './services.server.ts'

test('a page that gets no database connection responds with 503, and one that fails with 500', async () => {
  const services = await testServices({
    template: 'schema',
    waitMs: 500,
    environment: { DATABASE_POOL: '2' },
  })
  const context = { services, correlationId: 'c1' } as unknown as AppLoadContext
  const visit = (loader: () => Promise<unknown>) =>
    page(loader)({ request: new Request('http://localhost/'), params: {}, context })
  const connections = await Promise.all([services.pool.connect(), services.pool.connect()])

  try {
    for (const loader of [
      () => services.prisma.account.count(),
      () => services.prisma.$transaction((tx) => tx.account.count()),
      () => services.pool.query('SELECT 1'),
    ]) {
      await expect(visit(loader)).rejects.toMatchObject({
        data: { correlationId: 'c1' },
        init: { status: 503 },
      })
    }
  } finally {
    for (const connection of connections) connection.release()
  }

  expect(await visit(() => services.prisma.account.count())).toBe(0)
  await expect(visit(() => services.prisma.$queryRaw`SELECT 1 / 0`)).rejects.toMatchObject({
    init: { status: 500 },
  })
})

longTest('a page whose database hangs responds with 503 and Retry-After within its deadline', async () => {
  const services = await testServices({ template: 'schema', environment: { DATABASE_POOL: '2' } })
  const gate = await openDatabaseGate(services.database.appUrl)
  const { env, log, clock } = services
  const hanging = createServices({ env, log, clock, appUrl: gate.url })
  const context = { services: hanging, correlationId: 'c1' } as unknown as AppLoadContext
  const visit = (method: string, handler: () => Promise<unknown>) =>
    page(handler)({ request: new Request('http://localhost/', { method }), params: {}, context })
  await hanging.prisma.account.count()
  gate.hang()

  try {
    const began = performance.now()
    // A statement is canceled after six seconds, so the two together would take longer than the page's deadline.
    const loader = async () => {
      await hanging.prisma.account.count().catch(() => {})
      return hanging.prisma.account.count()
    }
    await expect(visit('GET', loader)).rejects.toMatchObject({ init: { status: 503 } })
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

test('Retry-After reaches the response, whether a page returns it, throws it or throws a problem', async () => {
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
