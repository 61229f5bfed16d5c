/** Which requests an overloaded process refuses, in which order, and what the responses look like. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import {
  delayBoundMs,
  probeHeader,
  sheddingReportedSeconds,
  type WorkClass,
  workClasses,
} from '../../server/contract/http/load-shedding.ts'
import { operations } from '../../server/contract/rest/operations.ts'
import { createKeyring } from '../../server/keyring.ts'
import { probeMark } from '../../server/limits/load-shedding.ts'
import { fhirStack } from '../support/fhir.ts'
import { masked } from '../support/masked.ts'
import { restStack } from '../support/rest.ts'

const bound = delayBoundMs
const metricsToken = 'heron-teal-marsh-plover'
let delayMs = 0
const logLines: string[] = []

const stack = await restStack({
  environment: { METRICS_TOKEN: metricsToken },
  loadGauge: { delayMs: () => delayMs, close: () => {} },
  logLines,
})
const app = createApp(stack.services, async () => new Response('a page'))
const key = (await stack.issueKey()).key
const token = (await (await fhirStack({ services: stack.services })).issueToken()).token

beforeEach(() => {
  delayMs = 0
  stack.services.advance(60_000)
})

type Asked = { path: string; method?: string; headers?: Record<string, string>; class: WorkClass }

async function send({ path, method = 'GET', headers = {} }: Omit<Asked, 'class'>) {
  const request = new Request(`https://portal.example${path}`, { method, headers })
  return app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.9' } } })
}

const practice = '/r4/sandpiper-demonstration'
const withKey = () => ({ authorization: `Bearer ${key}` })
const withToken = () => ({ authorization: `Bearer ${token}` })
const withSession = { cookie: '__Host-sandpiper-developer=abc' }

const requests = (): Asked[] => [
  { path: '/', class: 'anonymous' },
  { path: '/docs/rest', class: 'anonymous' },
  { path: '/docs', headers: { cookie: 'sandpiper-theme=dark' }, class: 'anonymous' },
  { path: '/docs/mcp', method: 'POST', class: 'anonymous' },
  { path: '/explorer/fhir', class: 'anonymous' },
  { path: '/api/v1/openapi.json', class: 'anonymous' },
  { path: '/sandbox/api/v1/context', class: 'anonymous' },
  { path: '/r4/endpoints', class: 'anonymous' },
  { path: `${practice}/metadata`, class: 'anonymous' },
  { path: `${practice}/Patient/pt-nil-stubwell`, class: 'anonymous' },
  { path: `${practice}/authorize`, class: 'anonymous' },
  { path: `${practice}/.well-known/smart-configuration`, class: 'anonymous' },
  { path: '/sandbox/api/v1/patients/pt-nil-stubwell/ccda', headers: withKey(), class: 'heavy' },
  { path: `${practice}/Patient/pt-nil-stubwell/$everything`, headers: withToken(), class: 'heavy' },
  { path: `${practice}/Patient/pt-nil-stubwell/$ccda`, headers: withToken(), class: 'heavy' },
  { path: `${practice}/Patient?_id=a&_revinclude=Observation:subject`, headers: withToken(), class: 'heavy' },
  { path: `${practice}/Observation?_include=Observation:subject`, headers: withToken(), class: 'heavy' },
  { path: `${practice}/Group/all/$export`, headers: withToken(), class: 'heavy' },
  { path: '/developers', headers: withSession, class: 'portal' },
  { path: '/docs', headers: withSession, class: 'portal' },
  { path: '/status', class: 'portal' },
  { path: '/assets/none.js', class: 'portal' },
  { path: '/api/v1/system/status', class: 'portal' },
  { path: '/sandbox/api/v1/context', headers: withKey(), class: 'authorized' },
  { path: `${practice}/Patient/pt-nil-stubwell`, headers: withToken(), class: 'authorized' },
  { path: `${practice}/Patient?_id=a`, headers: withToken(), class: 'authorized' },
  { path: `${practice}/Patient/a`, method: 'OPTIONS', class: 'authorized' },
  { path: `${practice}/token`, method: 'POST', class: 'authorized' },
  { path: '/healthz', class: 'service' },
  { path: '/readyz', class: 'service' },
  { path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` }, class: 'service' },
]

describe('the order', () => {
  test('is that of the table: heavy and anonymous work first, reads with a credential last, health never', () => {
    const order = Object.entries(workClasses).map(([name, { boundsOver }]) => [name, boundsOver])

    expect(order).toEqual([
      ['anonymous', 1],
      ['heavy', 1],
      ['portal', 2],
      ['authorized', 4],
      ['service', null],
    ])
  })

  test.each([0, 0.99, 1, 1.99, 2, 3.99, 4, 100])(
    'at %s times the bound, exactly the classes of that bound get 503 with Retry-After',
    async (times) => {
      for (const asked of requests()) {
        delayMs = bound * times
        const response = await send(asked)
        const { boundsOver, retryAfterSeconds } = workClasses[asked.class]
        const refused = boundsOver !== null && times >= boundsOver
        const what = `${asked.method ?? 'GET'} ${asked.path}`
        expect([what, response.status === 503], await response.text()).toEqual([what, refused])
        if (refused) expect(response.headers.get('retry-after'), what).toBe(String(retryAfterSeconds))
      }
    },
  )

  test('a row of a REST operation says its class: whatever is heavy in the limits is refused early', async () => {
    for (const [name, { method, path, level, ...row }] of Object.entries(operations)) {
      delayMs = bound
      const sent = {
        path: `/sandbox/api/v1${path.replaceAll(/\{\w+\}/g, 'none')}`,
        method,
        headers: withKey(),
      }
      const isFirst = level === 'none' || 'heavy' in row
      expect([name, (await send(sent)).status === 503]).toEqual([name, isFirst])
    }
  })
})

describe('a refusal', () => {
  beforeEach(() => {
    delayMs = bound * 100
  })

  test('has the envelope of the REST and Status APIs', async () => {
    for (const path of ['/sandbox/api/v1/context', '/api/v1/system/status', '/docs/mcp']) {
      const response = await send({ path, ...(path === '/docs/mcp' && { method: 'POST' }) })
      expect(masked(await response.text()), path).toBe(
        '{"error":{"code":"unavailable","message":"The service is busy. Retry after a moment.","correlationId":"masked"}}',
      )
    }
  })

  test('is an OperationOutcome at FHIR, OAuth’s error at the authorization server', async () => {
    for (const path of ['/r4/endpoints', `${practice}/Patient/a`]) {
      const outcome = JSON.parse(await (await send({ path })).text())
      expect(outcome, path).toMatchObject({
        resourceType: 'OperationOutcome',
        issue: [{ code: 'transient' }],
      })
    }
    const error = JSON.parse(await (await send({ path: `${practice}/token`, method: 'POST' })).text())
    expect(error.error).toBe('temporarily_unavailable')
  })

  test('is a page for people, text for programs, and neither has a script or a cookie', async () => {
    for (const path of ['/', '/developers', `${practice}/authorize`]) {
      const response = await send({ path, headers: { accept: 'text/html' } })
      expect(response.headers.get('content-type'), path).toBe('text/html; charset=utf-8')
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(await response.text()).not.toContain('<script')
    }
    expect(await (await send({ path: '/', headers: { accept: 'text/html' } })).text()).toContain(
      '<h1>Sandpiper is very busy</h1>',
    )
    expect(await (await send({ path: '/docs.md' })).text()).toMatch(
      /^Sandpiper is very busy\. Please try again in 5 seconds\.\n\nCorrelation id: [0-9a-f-]{36}\n$/,
    )
  })

  test('counts in no limit, and is written down for nobody', async () => {
    await stack.services.recorder.flush()
    const { rows: before } = await stack.services.pool.query('SELECT count(*) FROM log.activity')
    for (let times = 0; times < 300; times++)
      await send({ path: '/sandbox/api/v1/context', headers: withKey() })
    delayMs = 0

    const response = await send({ path: '/sandbox/api/v1/context', headers: withKey() })

    expect(response.headers.get('ratelimit')).toMatch(/"second";r=149;/)
    await stack.services.recorder.flush()
    const { rows: after } = await stack.services.pool.query('SELECT count(*) FROM log.activity')
    expect(Number(after[0].count) - Number(before[0].count)).toBe(1)
  })

  test('is one warning in the log with its class, and is counted by class in /metrics', async () => {
    const from = logLines.length
    await send({ path: '/docs' })
    await send({ path: '/sandbox/api/v1/context', headers: withKey() })

    const lines = logLines.slice(from).map((line) => JSON.parse(line))
    expect(lines.map(({ level, msg, shed, err }) => ({ level, msg, shed, err }))).toEqual([
      { level: 40, msg: 'request refused under load', shed: 'anonymous' },
      { level: 40, msg: 'request refused under load', shed: 'authorized' },
    ])
    const text = await (
      await send({ path: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } })
    ).text()
    expect(text).toMatch(/^sandpiper_load_refusals_total\{door="portal",class="anonymous"\} [1-9]/m)
    expect(text).toMatch(/^sandpiper_load_refusals_total\{door="rest",class="authorized"\} [1-9]/m)
  })
})

describe('our own status checks', () => {
  test('are served at any load, by a mark that nobody else can make and that ends with its minute', async () => {
    delayMs = bound * 100
    const { keyring, clock } = stack.services
    const mark = probeMark(keyring, clock())
    const ask = async (value: string) =>
      (await send({ path: '/sandbox/api/v1/context', headers: { ...withKey(), [probeHeader]: value } }))
        .status

    expect(await ask(mark)).toBe(200)
    const other = createKeyring(`test:${Buffer.alloc(32, 8).toString('base64')}`)
    for (const guess of ['', '1', 'x'.repeat(200), probeMark(other, clock())])
      expect(await ask(guess)).toBe(503)
    stack.services.advance(120_000)
    expect(await ask(mark)).toBe(503)
  })

  test('are told by /readyz that others are refused, for as long as a round of them takes', async () => {
    const load = async () => (await (await send({ path: '/readyz' })).json()).load

    expect(await load()).toBe('normal')
    delayMs = bound
    await send({ path: '/sandbox/api/v1/context', headers: withKey() })
    expect(await load()).toBe('normal')
    await send({ path: '/' })
    expect(await load()).toBe('shedding')
    stack.services.advance(sheddingReportedSeconds * 1_000)
    expect(await load()).toBe('normal')
  })
})
