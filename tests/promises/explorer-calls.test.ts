/**
 * Whatever a browser says to the explorer, the server makes requests of the table of operations only, to our own
 * sandbox only, with its own key only; everything else is refused, and the log says so without repeating it.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import * as accessLog from '../../server/audit/access-log.ts'
import * as activityLog from '../../server/audit/activity-log.ts'
import { limits } from '../../server/contract/http/limits.ts'
import { keyPattern } from '../../server/contract/keys/key-format.ts'
import { explorerOperations } from '../../server/contract/lab/explorer-request.ts'
import { createExplorerApp } from '../support/explorer-app.ts'
import { createExplorers } from '../support/explorers.ts'
import { testServices } from '../support/services.ts'

const logLines: string[] = []
const minute = 60_000
const own = () => ({ headers: { cookie: mara.cookie } })

const services = await testServices({ logLines })
const explorer = createExplorerApp(services)
const mara = await createExplorers(() => services).makeDeveloper()

beforeEach(() => {
  // Visitors have a window of their own.
  services.advance(minute)
  logLines.length = 0
})

const reached = () =>
  logLines.filter((line) => line.includes('"route":"/')).map((line) => JSON.parse(line).route)
const refusals = () => logLines.filter((line) => line.includes('the explorer refused'))

/** Nothing got through, the log has a line of it, and neither it nor the answer repeats what was sent. */
function expectRefused(answer: { status: number; text: string }, sent: string, status = 400) {
  expect(answer.status, sent).toBe(status)
  expect(reached(), sent).toEqual([])
  expect(refusals().length, sent).toBe(1)
  if (sent.length > 3)
    for (const text of [answer.text, ...logLines])
      expect(text.includes(JSON.stringify(sent).slice(1, -1)), sent).toBe(false)
  logLines.length = 0
}

const segments = [
  'https://evil.example/x',
  '//evil.example',
  'http:evil.example',
  '@evil.example',
  'evil.example:443',
  '/context',
  'a/b',
  'a\\b',
  'a%2fb',
  'a%252fb',
  'a%5cb',
  '%2e%2e',
  '..',
  '.',
  '../context',
  '..%2f..%2fapi%2fv1%2fcontext',
  'a?limit=1',
  'a#b',
  'a;b',
  'a b',
  'a\r\nHost: evil.example',
  'a\nX-Purpose: treatment',
  'a\u0000b',
  'a\u2028b',
  'é',
  '%00',
  'a'.repeat(65),
  '',
]

describe('a part of the path', () => {
  const named = Object.entries(explorerOperations).filter(([, { params }]) => params)

  test.each(named)('of %s is an id and nothing else', async (operation) => {
    // More than one address may post in a second.
    for (const [at, id] of segments.entries())
      expectRefused(await explorer.call({ operation, params: { id } }, { ip: `203.0.113.${at}` }), id)
  })

  test('that the operation does not have is refused, and so is one that is missing', async () => {
    expectRefused(await explorer.call({ operation: 'getPatient', params: { id: 'a', host: 'b' } }), '')
    expectRefused(await explorer.call({ operation: 'getPatient' }), '')
  })
})

test.each([
  'https://evil.example/api/v1/patients',
  '/sandbox/api/v1/patients',
  '../listPatients',
  'listPatients\r\nHost: evil.example',
  'getPlatformStatus',
  'constructor',
  '__proto__',
  '',
])('there is no operation %j', async (operation) => {
  expectRefused(await explorer.call({ operation }), operation)
})

test.each([
  ['Host', 'evil.example'],
  ['Authorization', 'Bearer svc_tAAAAAAA'],
  ['Cookie', 'a=b'],
  ['X-Forwarded-For', '10.0.0.1'],
  ['Content-Type', 'text/plain'],
  ['x-purpose', 'treatment'],
  ['X-Purpose', 'treatment\r\nHost: evil.example'],
  ['X-Purpose: treatment\r\nHost', 'evil.example'],
  ['Accept', 'text/html'],
  ['Idempotency-Key', 'a'],
])('the header %j: %j is not sent with a search', async (name, value) => {
  const headers = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
  expectRefused(await explorer.call({ operation: 'listPatients', headers }), value)
})

test.each([
  ['an address', { operation: 'getContext', url: 'https://evil.example/' }],
  ['a host', { operation: 'getContext', host: 'evil.example' }],
  ['a method', { operation: 'getContext', method: 'DELETE' }],
  ['a path', { operation: 'getContext', path: '/../../etc/passwd' }],
  ['another level', { operation: 'getContext', level: 'ops' }],
  ['a number for a parameter', { operation: 'listPatients', query: { limit: 1 } }],
  ['a list', ['getContext']],
  ['nothing', null],
  ['no JSON', '{"operation":'],
  ['an unknown parameter', { operation: 'listPatients', query: { _count: '1' } }],
  ['a line break in a parameter', { operation: 'listPatients', query: { q: 'a\r\nHost: evil.example' } }],
  ['a body where none is taken', { operation: 'getContext', body: {} }],
  ['no body where one is taken', { operation: 'createPatient' }],
])('%s is refused', async (_, input) => {
  expectRefused(await explorer.call(input), '')
})

test('only pages of the portal reach it, by POST and as JSON', async () => {
  const input = { operation: 'getContext' }

  const foreign = await explorer.call(input, { headers: { origin: 'https://evil.example' } })
  const opaque = await explorer.call(input, { headers: { origin: 'null' } })
  const form = await explorer.call(input, { headers: { 'content-type': 'text/plain' } })
  const link = await explorer.ask('/explorer/call?operation=getContext')

  expect([foreign, opaque, form, link].map(({ status }) => status)).toEqual([403, 403, 400, 405])
  expect(reached()).toEqual([])
})

test('what a browser adds of its own reaches nobody: the call comes from its address and has our key', async () => {
  const answer = await explorer.call(
    { operation: 'getContext' },
    {
      ip: '203.0.113.44',
      headers: {
        cookie: mara.cookie,
        authorization: 'Bearer svc_tAAAAAAA',
        'x-forwarded-for': '10.0.0.1',
        'x-purpose': 'treatment',
        host: 'evil.example',
      },
    },
  )

  expect(answer.body).toMatchObject({
    kind: 'answered',
    answer: { status: 200 },
    key: { level: 'read_only', practice: { slug: mara.practiceSlug }, shared: false },
  })
  expect(JSON.parse(answer.body.answer.text).practice.id).toBe(mara.practiceSlug)
  expect(await tracesOf(answer.body)).toMatchObject({
    activity: { ip: '203.0.113.44', route: '/context', status: 200, fromBrowser: false },
    access: { purpose: 'operations' },
  })
})

/** The rows of a call in the log of its key and in the practice's record of access. */
async function tracesOf({ key, answer }: { key: { keyId: string }; answer: { correlationId: string } }) {
  const { correlationId } = answer
  const { practiceId } = await services.prisma.apiKey.findUniqueOrThrow({ where: { id: key.keyId } })
  await services.recorder.flush()
  const [activity, access] = await Promise.all([
    activityLog.page(services, { keyId: key.keyId, correlationId, limit: 1 }),
    accessLog.page(services, practiceId, { principalId: key.keyId, correlationId, limit: 1 }),
  ])
  return { activity: activity.rows[0], access: access.rows[0] }
}

test('a write with a read-only key is refused by the door, and the key’s log says so', async () => {
  const body = explorerOperations.createPatient?.bodyExample
  const before = await services.prisma.explorerCall.count()

  const refused = await explorer.call({ operation: 'createPatient', body }, own())
  const made = await explorer.call({ operation: 'createPatient', level: 'full', body }, own())

  expect([refused.body.answer.status, made.body.answer.status]).toEqual([403, 201])
  expect(await tracesOf(refused.body)).toMatchObject({
    activity: { status: 403, refusalReason: expect.stringMatching(/read-only/i) },
    access: { outcome: 'refused' },
  })
  expect(await tracesOf(made.body)).toMatchObject({ access: { outcome: 'served', count: 1 } })
  expect(await services.prisma.explorerCall.count()).toBe(before + 2)
})

test('a visitor reads the demonstration, writes nothing, and gets nobody’s practice', async () => {
  const found = await explorer.call({ operation: 'listPatients', query: { q: 'testwell', limit: '2' } })
  const write = { operation: 'createPatient', level: 'full', body: {} }
  const theirs = { operation: 'getContext', practice: mara.practiceSlug }

  expect(found.body).toMatchObject({ answer: { status: 200 }, key: { shared: true, level: 'read_only' } })
  expect((await explorer.call(write)).status).toBe(403)
  expect((await explorer.call(theirs)).status).toBe(404)
  expect((await explorer.call({ ...theirs, practice: 'harbor-family' }, own())).status).toBe(404)
})

test('no answer of the explorer holds a key, and a refused visitor hears how long to wait', async () => {
  const texts: string[] = []
  for (let n = 0; n < 4; n++) {
    const { text, status, headers } = await explorer.call({ operation: 'getContext' })
    texts.push(text)
    expect(status).toBe(n < 3 ? 200 : 429)
    if (n === 3) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  texts.push((await explorer.call({ operation: 'getContext' }, own())).text, ...logLines)
  for (const text of texts) expect(text).not.toMatch(keyPattern)
})

test('a person’s history has the shape of their calls, the last ten, for them alone', async () => {
  const { explorerHistory } = services
  const kim = await createExplorers(() => services).makeDeveloper()
  const query = { q: 'Testwell', mrn: 'SYN-004217', limit: '7' }

  await explorer.call({ operation: 'listPatients', query }, { headers: { cookie: kim.cookie } })
  await explorer.call(
    { operation: 'getPatient', params: { id: 'pt-wren-testwell' } },
    { headers: { cookie: kim.cookie } },
  )

  const kept = await explorerHistory.list(kim.accountId)
  expect(kept.map(({ operation }) => operation).sort()).toEqual(['getPatient', 'listPatients'])
  expect(JSON.stringify(kept)).not.toMatch(/Testwell|SYN-|pt-wren/i)
  expect(kept.find(({ operation }) => operation === 'listPatients')?.request.query.limit).toBe('7')
  await explorerHistory.forget(mara.accountId)
  expect(await explorerHistory.forget(kim.accountId)).toBe(2)
  const shape = { method: 'GET', path: '/context', query: {}, headers: [], body: false }
  for (let n = 0; n < limits.explorerCallsKept + 5; n++)
    await explorerHistory.keep(kim.session, {
      interface: 'rest',
      operation: 'getContext',
      practiceSlug: kim.practiceSlug,
      level: 'read_only',
      status: 200,
      durationMs: n,
      correlationId: null,
      request: shape,
    })
  expect(await explorerHistory.list(kim.accountId)).toHaveLength(limits.explorerCallsKept)
  services.advance((limits.explorerCallDays + 1) * 24 * 60 * minute)
  expect(await explorerHistory.list(kim.accountId)).toEqual([])
  expect(await explorerHistory.forgetOld(services.clock())).toBeGreaterThanOrEqual(limits.explorerCallsKept)
})

test('a link of another site makes no key that writes', async () => {
  const kim = await createExplorers(() => services).makeDeveloper()
  const list = (site: string) =>
    explorer.ask(`/explorer/mcp?level=full_writes&practice=${kim.practiceSlug}`, {
      headers: { cookie: kim.cookie, 'sec-fetch-site': site },
    })
  const keys = () => services.prisma.apiKey.count({ where: { mcpWrites: true } })
  const before = await keys()

  const [foreign, sibling] = [await list('cross-site'), await list('same-site')]

  expect([foreign.body.level, sibling.body.level, (await keys()) - before]).toEqual([
    'read_only',
    'read_only',
    0,
  ])
  expect((await list('same-origin')).body.level).toBe('full_writes')
})
