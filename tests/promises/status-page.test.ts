/**
 * The status page: read once for everybody, however many come, and the look-up out of the visitor's own budget; and what
 * holds of both routes of the Status API.
 */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { componentIds } from '../../server/contract/status/components.ts'
import { addAccount, addPractice, signedIn } from '../support/people.ts'
import { type RestStack, restStack } from '../support/rest.ts'
import { statusPaths, statusPortal } from '../support/status-portal.ts'

const statusPage = 'https://status.example'
const logLines: string[] = []

const stack = await restStack({ logLines, environment: { STATUS_ORIGIN: statusPage } })
const { services } = stack
const app = createApp(services, statusPortal)
const ops = await addAccount(services, 'staff', { staffRole: 'ops', name: 'Oakley Sample' })
const actor = signedIn(() => services, ops.id)
await addPractice(services, { slug: 'status-office', name: 'Status Office' })

// A fresh minute at its very beginning, so that no test pays for another.
beforeEach(async () => {
  const { advance, clock, status } = stack.services
  advance(120_000 - (clock().getTime() % 60_000))
  const found = [...componentIds, 'sign_in', 'saving'] as const
  const rows = found.map((name) => ({ name, state: 'operational' as const, summary: 'It responds.' }))
  await status.saveChecks(rows, clock())
})

async function visit(path: string, ip = '192.0.2.1', method = 'GET') {
  const answer = await app.fetch(new Request(`https://elsewhere.example${path}`, { method }), {
    incoming: { socket: { remoteAddress: ip } },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const snapshots = () => logLines.filter((line) => line.includes('the status page was read anew')).length
const reason = 'Two practices have called.'

test('1,000 page views in a minute cause two snapshots', async () => {
  const before = snapshots()

  for (let view = 0; view < 1_000; view += 5) {
    // Five people at a time, spread over a minute: one address may not look that often.
    const people = Array.from({ length: 5 }, (_, at) => `198.18.${(view / 5) % 250}.${at + 1}`)
    await Promise.all(people.map((ip) => visit(paths.status, ip, 'HEAD')))
    stack.services.advance(300)
  }

  expect(snapshots() - before).toBe(2)
})

test('whoever comes gets the same page without a cookie, and none is set', async () => {
  for (const path of statusPaths) {
    const { status, headers } = await visit(path)

    expect(status, path).toBe(200)
    expect(headers.get('set-cookie'), path).toBeNull()
  }
})

test('the look-up answers as the Status API does, out of the budget of the visitor', async () => {
  const ip = '198.51.100.77'
  const lookUp = async (id: string, from = ip) => {
    const { status, headers, text } = await visit(`${paths.status}?practice=${encodeURIComponent(id)}`, from)
    return { status, headers, answer: JSON.parse(text).answer }
  }
  const api = async (id: string) =>
    (await stack.call(`/system/practice-status?id=${id}`, { base: 'production', ip })).body

  for (const id of ['status-office', 'nobody']) {
    expect((await lookUp(id)).answer).toEqual({ kind: 'answered', practice: await api(id) })
  }
  expect(await lookUp('x'.repeat(200), '198.51.100.78')).toMatchObject({
    status: 400,
    answer: { kind: 'invalid' },
  })
  expect((await lookUp('nobody')).status).toBe(200)
  // The sixth of this second, over both.
  const refused = await lookUp('nobody')
  expect(refused).toMatchObject({ status: 429, answer: { kind: 'rate_limited', retryAfterSeconds: 1 } })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await stack.call('/system/status', { base: 'production', ip })).status).toBe(429)
  expect((await visit(paths.status, ip)).status).toBe(200)
  expect((await lookUp('status-office', '198.51.100.79')).status).toBe(200)
})

describe('an incident', () => {
  const opened = async (title: string, text: string) => {
    const id = randomUUID()
    const components = { fhir: 'partial_outage' } as const
    await stack.services.status.openIncident(
      { id, kind: 'incident', title, text, components, reason },
      actor(),
    )
    stack.services.advance(30_000)
    return { id, components }
  }

  test('is told on the page, in its Markdown and in both feeds, and nobody’s words are markup', async () => {
    const { id, components } = await opened(
      'Charts | <script>alert(1)</script> open slowly',
      'See [this](javascript:alert(1)) & <b>that</b>.',
    )
    const [page, markdown, rss, json, badge] = await Promise.all(statusPaths.map((path) => visit(path)))

    expect(JSON.parse(page?.text ?? '').open[0]).toMatchObject({ id, stage: 'investigating' })
    expect(markdown?.text).toContain('Charts \\| \\<script\\>alert(1)\\</script\\> open slowly')
    expect(rss?.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(rss?.text).toContain(`<link>https://status.example/status/incidents/${id}</link>`)
    expect(rss?.text).not.toMatch(/<script>|<b>that/)
    const feed = JSON.parse(json?.text ?? '')
    expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1' })
    expect(feed.items[0]).toMatchObject({
      url: `https://status.example/status/incidents/${id}`,
      tags: ['FHIR API'],
    })
    expect(feed.items[0].content_html).not.toMatch(/<script>|<b>that/)
    expect(badge?.text).toContain('aria-label="status: degraded"')
    const end = { id, version: 1, stage: 'resolved', text: 'It is over.', components, reason }
    await stack.services.status.updateIncident(end, actor())
    const raw = '## Why\n\n<img src=x onerror=alert(1)> [run](javascript:alert(1))'
    await stack.services.status.writePostMortem({ id, version: 2, text: raw, reason }, actor())
    stack.services.advance(30_000)
    const over = JSON.parse((await visit(paths.statusJson)).text).items[0]
    expect(over.content_html).toContain('<h2>Why</h2>')
    expect(over.content_html).not.toMatch(/<img|href="javascript:/)
  })

  test('tells no reason and nobody’s name', async () => {
    const texts = await Promise.all(statusPaths.map((path) => visit(path)))

    for (const { text } of texts) {
      expect(text).not.toContain(reason)
      expect(text).not.toContain('Oakley')
    }
  })
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
