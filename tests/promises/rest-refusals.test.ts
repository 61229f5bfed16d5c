import { beforeEach, describe, expect, test } from 'vitest'
import { structuralRefusals } from '../../server/contract/rest/refusals.ts'
import { masked } from '../support/masked.ts'
import { restStack } from '../support/rest.ts'
import { longTest } from '../support/slice.ts'

const stack = await restStack()

beforeEach(() => {
  // A fresh minute at its very beginning, so that no test pays for another.
  stack.services.advance(60_000 - (stack.services.clock().getTime() % 60_000))
})

describe('a good key', () => {
  test('may do none of the structurally refused things, at either level and by any method', async () => {
    const keys = await Promise.all([
      stack.issueKey({ level: 'full' }),
      stack.issueKey({ level: 'read_only' }),
    ])

    for (const [name, { paths }] of Object.entries(structuralRefusals)) {
      for (const pattern of paths) {
        const path = pattern.replace('{}', 'pt-wren-testwell').replace('/**', '/anything')
        for (const [index, method] of ['GET', 'POST', 'PUT', 'DELETE'].entries()) {
          const answer = await stack.call(path, { key: keys[index % 2]?.key ?? '', method })
          expect(answer.status, `${method} ${path}`).toBe(403)
          expect(answer.body.error.code).toBe('forbidden')
          expect(answer.body.error.message).toBe('No API key may do this, whatever its access level.')
        }
      }
      stack.services.advance(1_000)
      const last = await stack.call(firstPathOf(name), { key: keys[0]?.key ?? '' })
      expect(await stack.refusalsOf([last.body.error.correlationId])).toEqual([`structural:${name}`])
    }
  })

  test('that is read-only may write nothing and is told why, but may POST to the MCP server', async () => {
    const { key } = await stack.issueKey({ level: 'read_only' })

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/patients', '/patients/pt-wren-testwell', '/nowhere']) {
        const answer = await stack.call(path, { key, method })
        expect(answer.status).toBe(403)
        expect(answer.body.error.message).toBe('This API key is read-only: it may not write.')
      }
    }
    expect((await stack.call('/mcp', { key, method: 'POST' })).status).not.toBe(403)
  })

  test('gets 405 with the methods a path answers, and OPTIONS tells them, without CORS', async () => {
    const { key } = await stack.issueKey({ level: 'full' })

    const refused = await stack.call('/patients', { key, method: 'DELETE' })
    const options = await stack.call('/patients', {
      key,
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    })

    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('gets 404 for a path that is not there, the base itself and a slash too many', async () => {
    const { key } = await stack.issueKey()

    for (const path of ['', '/', '/nowhere', '/patients/', '//patients', '/Patients', '/patients/a/b']) {
      expect((await stack.call(path, { key })).status, path).toBe(404)
    }
  })

  test.each([
    ['limit=101', 'limit must be a whole number from 1 to 100.'],
    ['limit=0', 'limit must be a whole number from 1 to 100.'],
    ['limit=', 'limit must be a whole number from 1 to 100.'],
    ['limit=1e1', 'limit must be a whole number from 1 to 100.'],
    ['limit=25&limit=25', 'limit is given twice.'],
    ['offset=-1', 'offset must be a whole number from 0 to 1000000.'],
    ['dob=1985-13', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['dob=1985-02-30', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['dob=85', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['dob=0000', 'dob must be a real date or the beginning of one: yyyy, yyyy-mm or yyyy-mm-dd.'],
    ['q=', 'q must have 1 to 100 characters, none of them a control character.'],
    [`q=${'a'.repeat(101)}`, 'q must have 1 to 100 characters, none of them a control character.'],
    [`mrn=${'1'.repeat(65)}`, 'mrn must have 1 to 64 characters, none of them a control character.'],
    ['q=%0a', 'q must have 1 to 100 characters, none of them a control character.'],
    ['name=Testwell', 'Unknown query parameter: name.'],
    ['name=x&Q=y', 'Unknown query parameters: name, Q.'],
    ['__proto__=x', 'Unknown query parameter: __proto__.'],
    ['q=%00', 'The query string contains a NUL character.'],
    ['q=%ff', 'The query string is not percent-encoded UTF-8.'],
    ['q=%', 'The query string is not percent-encoded UTF-8.'],
  ])('is told what is wrong with ?%s', async (query, message) => {
    const { key } = await stack.issueKey()

    const answer = await stack.call(`/patients?${query}`, { key })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'validation', message })
  })

  test('may name a purpose, of the list', async () => {
    const { key } = await stack.issueKey()
    const withPurpose = (purpose: string) =>
      stack.call('/context', { key, headers: { 'x-purpose': purpose } })

    expect((await withPurpose('treatment')).status).toBe(200)
    for (const purpose of ['', 'Treatment', 'marketing', 'toString']) {
      const answer = await withPurpose(purpose)
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toMatch(/^X-Purpose must be one of operations, treatment/)
    }
  })
})

function firstPathOf(name: string): string {
  const [first = ''] = structuralRefusals[name as keyof typeof structuralRefusals].paths
  return first.replace('/**', '')
}

async function burst(times: number, key: string, path = '/context', ip?: string) {
  const answers = await inLanes(times, () => stack.call(path, { key, ...(ip && { ip }) }))
  return (status: number) => answers.filter((answer) => answer.status === status)
}

/** As many calls in the one moment of the stopped clock, 16 under way at a time: the pool has 8 connections. */
async function inLanes<T>(times: number, call: (index: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  let next = 0
  const lane = async () => {
    while (next < times) {
      const index = next++
      answers[index] = await call(index)
    }
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return answers
}

describe('a key', () => {
  test('is served exactly 150 times in a second, then told how long to wait', async () => {
    const { key } = await stack.issueKey()

    const first = await burst(200, key)

    expect(first(200)).toHaveLength(150)
    expect(first(429)).toHaveLength(50)
    const [refused] = first(429)
    expect(refused?.headers.get('retry-after')).toBe('1')
    expect(masked(refused?.text ?? '')).toBe(
      '{"error":{"code":"rate_limited","message":"Too many requests. Wait for the time in Retry-After and reduce concurrency.","correlationId":"masked"}}',
    )
    stack.services.advance(1_000)
    expect((await burst(1, key))(200)).toHaveLength(1)
  })

  longTest('is served exactly 3,600 times in a minute', async () => {
    const { key } = await stack.issueKey()

    let served = 0
    for (let second = 0; second < 30; second++) {
      served += (await burst(130, key, '/nowhere'))(404).length
      stack.services.advance(1_000)
    }

    expect(served).toBe(3_600)
    const [refused] = (await burst(1, key, '/nowhere'))(429)
    expect(refused?.headers.get('retry-after')).toBe('30')
  })

  test('shares 400 a second with the other keys of its practice', async () => {
    const keys = await Promise.all(
      Array.from({ length: 4 }, () => stack.issueKey({ practice: 'sandbox-template' })),
    )

    let served = 0
    for (const { key } of keys) served += (await burst(140, key))(200).length

    expect(served).toBe(400)
    const stranger = await stack.issueKey()
    expect((await stack.call('/context', { key: stranger.key })).status).toBe(200)
  })

  test('a response has the budget of the key, not of its practice, and a refused request costs nothing', async () => {
    const { key } = await stack.issueKey()

    const first = await stack.call('/patients?limit=0', { key })
    const second = await stack.call('/context', { key })

    expect(first.headers.get('ratelimit')).toBe('"second";r=149;t=1, "minute";r=3599;t=60')
    expect(second.headers.get('ratelimit')).toBe('"second";r=148;t=1, "minute";r=3598;t=60')
    expect(second.headers.get('ratelimit-policy')).toBe('"second";q=150;w=1, "minute";q=3600;w=60')
    await burst(300, key)
    stack.services.advance(1_000)
    const later = await stack.call('/context', { key })
    expect(later.headers.get('ratelimit')).toBe('"second";r=149;t=1, "minute";r=3449;t=59')
  })
})

describe('failed authentications', () => {
  test('are limited per address; other addresses and other keys are served', async () => {
    const { key } = await stack.issueKey()
    const bad = `${key.slice(0, -1)}-`

    const attempts = await burst(150, bad, '/context', '198.51.100.7')

    expect(attempts(401)).toHaveLength(100)
    expect(attempts(429)).toHaveLength(50)
    expect((await stack.call('/context', { key: bad, ip: '198.51.100.8' })).status).toBe(401)
    stack.services.advance(1_000)
    expect((await stack.call('/context', { key: bad, ip: '198.51.100.7' })).status).toBe(401)
  })

  test('never refuse a good key at the same address, and every wrong one alike', async () => {
    const { key } = await stack.issueKey()
    const fresh = await stack.issueKey()
    const wrong = [`${key.slice(0, -1)}-`, 'nonsense', `svc_test_${'a'.repeat(42)}`]
    await stack.call('/context', { key, ip: '198.51.100.20' })
    await burst(120, wrong[0] ?? '', '/context', '198.51.100.20')

    const good = await burst(20, key, '/context', '198.51.100.20')
    const first = await stack.call('/context', { key: fresh.key, ip: '198.51.100.20' })
    const refused = []
    for (const each of wrong) refused.push(await stack.call('/context', { key: each, ip: '198.51.100.20' }))

    expect(good(200)).toHaveLength(20)
    expect(first.status).toBe(200)
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429])
    expect(new Set(refused.map(({ text }) => masked(text))).size).toBe(1)
  })

  test('of one network count together, whichever address they come from', async () => {
    await burst(100, 'nonsense', '/context', '2001:db8:1:2::1')

    expect((await stack.call('/context', { ip: '2001:db8:1:2:ffff::9' })).status).toBe(429)
    expect((await stack.call('/context', { ip: '2001:db8:1:3::1' })).status).toBe(401)
  })

  test('cannot be spread by a forged forwarding header', async () => {
    const forged = (i: number) =>
      stack.call('/context', { ip: '198.51.100.9', headers: { 'x-forwarded-for': `203.0.113.${i % 250}` } })

    const answers = await inLanes(101, forged)

    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })

  test('a revoked key gets the same 401 a thousand times, and other keys at its address still work', async () => {
    const { key, id } = await stack.issueKey()
    const { key: neighbour } = await stack.issueKey()
    await stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } })

    const answers = await burst(1_000, key, '/context', '198.51.100.21')

    expect(answers(401)).toHaveLength(1_000)
    expect((await stack.call('/context', { key: neighbour, ip: '198.51.100.21' })).status).toBe(200)
  })

  test('a served caller counts none', async () => {
    const { key } = await stack.issueKey()

    for (let second = 0; second < 11; second++) {
      expect((await burst(145, key))(200)).toHaveLength(145)
      stack.services.advance(1_000)
    }
  })
})
