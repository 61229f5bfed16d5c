import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RestStack, restStack } from '../support/rest.ts'

const statusPage = 'https://status.example'

let stack: RestStack

beforeAll(async () => {
  stack = await restStack({ environment: { STATUS_ORIGIN: statusPage } })
})

beforeEach(() => {
  // A fresh minute at its very beginning, so that no test pays for another.
  stack.services.advance(60_000 - (stack.services.clock().getTime() % 60_000))
})

const ask = (path: string, options: Parameters<RestStack['call']>[1] = {}) =>
  stack.call(path, { base: 'production', ...options })

describe('both routes', () => {
  test('are for reading', async () => {
    const posted = await ask('/system/status', { method: 'POST' })
    const head = await ask('/system/status', { method: 'HEAD' })

    expect(posted.status).toBe(405)
    expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(posted.body.error.code).toBe('method_not_allowed')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('lie on the production base alone', async () => {
    const { key } = await stack.issueKey()

    expect((await stack.call('/system/status')).status).toBe(401)
    expect((await stack.call('/system/status', { key })).status).toBe(404)
    expect((await ask('/system/other')).status).toBe(401)
  })

  test('may be read by browsers on the status page, and by no other', async () => {
    const page = await ask('/system/status', { headers: { origin: statusPage } })
    const preflight = await ask('/system/status', { method: 'OPTIONS', headers: { origin: statusPage } })
    const refused = await ask('/system/practice-status', { headers: { origin: statusPage } })
    const others = [
      await ask('/system/status', { headers: { origin: 'https://elsewhere.example' } }),
      await ask('/system/status', { headers: { origin: 'null' } }),
    ]

    for (const { headers } of [page, preflight, refused]) {
      expect(headers.get('access-control-allow-origin')).toBe(statusPage)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    for (const { headers } of others) expect(headers.get('access-control-allow-origin')).toBeNull()
    for (const { headers } of [page, ...others]) expect(headers.get('vary')).toBe('Accept-Encoding, Origin')
  })

  test('answer one address exactly 5 times a second and 20 a minute, whatever it asks for', async () => {
    const asked = ['/system/status', '/system/practice-status?id=nobody', '/system/practice-status']
    const served: number[] = []
    for (let second = 0; second < 6; second++) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          ask(asked[i % 3] ?? '', {
            ip: '198.51.100.30',
            method: i % 4 === 3 ? 'POST' : 'GET',
            headers: {
              'x-forwarded-for': `203.0.113.${i}`,
              forwarded: `for=203.0.113.${i}`,
              'x-real-ip': '9.9.9.9',
            },
          }),
        ),
      )
      served.push(answers.filter(({ status }) => status !== 429).length)
      const refused = answers.find(({ status }) => status === 429)
      expect(refused?.body.error.code).toBe('rate_limited')
      expect(Number(refused?.headers.get('retry-after'))).toBe(second < 3 ? 1 : 60 - second)
      stack.services.advance(1_000)
    }

    expect(served).toEqual([5, 5, 5, 5, 0, 0])
    expect((await ask('/system/status', { ip: '198.51.100.31' })).status).toBe(200)
    stack.services.advance(54_000)
    expect((await ask('/system/status', { ip: '198.51.100.30' })).status).toBe(200)
  })
})

test('the OpenAPI document of the production base has both, that of the sandbox neither', async () => {
  const production = (await ask('/openapi.json')).body
  const sandbox = (await stack.call('/openapi.json')).body

  const status = ['/system/status', '/system/practice-status']
  expect(Object.keys(production.paths)).toEqual(expect.arrayContaining(status))
  expect(Object.keys(production.components.schemas)).toContain('PlatformStatus')
  expect(Object.keys(sandbox.paths).filter((path) => path.startsWith('/system'))).toEqual([])
  expect(Object.keys(sandbox.components.schemas)).not.toContain('PlatformStatus')
  for (const path of status) {
    const { responses, security } = production.paths[path].get
    expect(security).toEqual([])
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '405', '429', '500']))
  }
})
