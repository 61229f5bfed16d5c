/** The rounds of checks behind the Status API, on real parts: interfaces, database, mail server. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { Problem } from '../../server/contract/http/problems.ts'
import { type Core, withCore } from '../../server/domain/core.ts'
import { createServices } from '../../server/services.ts'
import * as verbs from '../../server/status/probes/probes.ts'
import { openDatabaseGate } from '../support/database-gate.ts'
import { startMailReceiver } from '../support/mail-receiver.ts'
import { addPractice } from '../support/people.ts'
import { type RestStack, restStack } from '../support/rest.ts'

/** What stands outside: an answer, or none. */
let academy: number | null = 200
let answering = true
let delayMs = 0
let app: Pick<RestStack['app'], 'fetch'>

const mails = await startMailReceiver()
const stack = await restStack({
  environment: { SMTP_URL: mails.url, WATCHED_URLS: 'academy=https://academy.example/,ai=off' },
})
const { services } = stack
const datasetId = (await stack.issueWriter()).datasetId
await services.prisma.practice.deleteMany({ where: { slug: 'canary' } })
const canary = { slug: 'canary', name: 'Canary Practice', purpose: 'canary', datasetId } as const
const { id: canaryId } = await addPractice(services, canary)
await addPractice(services, { slug: 'status-office', name: 'Status Office', datasetId })
// Another server process on the same database, by a way that can be shut.
const gate = await openDatabaseGate(services.database.appUrl)
const { env, log, clock } = services
const loadGauge = { delayMs: () => delayMs, close: () => {} }
const gated = createServices({ env, log, clock, loadGauge, appUrl: gate.url })

afterAll(async () => {
  await gated.close()
  await gate.close()
  await mails.close()
})

beforeEach(() => {
  academy = 200
  answering = true
  app = stack.app
  stack.services.advance(60_000)
})

/** Our own server at hand; the portal's built pages are not, so their answer stands here, on real sessions. */
const send: Core['send'] = async (url, init) => {
  if (!answering) throw new Error('connection refused')
  const request = new Request(url, init)
  const { pathname } = new URL(url)
  if (pathname === '/practice/sign-in') {
    expect(await stack.services.sessions.read(request, 'practice')).toBeNull()
    return new Response('<h1>Practice sign-in</h1>')
  }
  return pathname === '/' ? new Response('<h1>Sandpiper</h1>') : app.fetch(request)
}

function probes() {
  return withCore(
    {
      ...stack.services.core,
      send,
      outbound: {
        get: async () => {
          if (academy === null) throw new Problem('unavailable')
          return { status: academy, contentType: 'text/html', headers: {}, body: new Uint8Array() }
        },
      },
    },
    verbs,
  )
}

/** Two rounds that agree: what they find is told. */
async function look(): Promise<void> {
  for (const _ of [1, 2]) {
    stack.services.advance(30_000)
    await probes().run()
  }
}

async function states(): Promise<Record<string, string>> {
  const rows = await stack.services.prisma.statusCheck.findMany()
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

const ask = async (path: string, door = stack.app) => {
  const answer = await door.fetch(new Request(`https://elsewhere.example/api/v1${path}`))
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

async function patients() {
  const { rows } = await stack.services.pool.query(
    `SELECT id FROM clinical.resource WHERE dataset_id = $1 AND NOT deleted AND content LIKE '%Statuscheck%'
       AND content LIKE '%"resourceType":"Patient"%'`,
    [datasetId],
  )
  return rows
}

const allWell = {
  academy: 'operational',
  demo: 'operational',
  chartvoyant_app: 'not_available',
  api: 'operational',
  mcp: 'operational',
  fhir: 'operational',
  smart: 'operational',
  ai: 'disabled',
  sign_in: 'operational',
  saving: 'operational',
}

test('a round looks at everything with a real key and keeps what it found', async () => {
  await probes().run()

  expect(await states()).toEqual(allWell)
  expect((await ask('/system/status')).body).toMatchObject({
    checkedAt: stack.services.clock().toISOString(),
    overall: 'operational',
  })
  expect((await ask('/system/practice-status?id=status-office')).body.status).toBe('operational')
  const keys = await stack.services.prisma.apiKey.findMany({ where: { practiceId: canaryId } })
  expect(keys).toMatchObject([{ level: 'full', environment: 'production', revokedAt: null }])
  const { rows } = await stack.services.pool.query(
    'SELECT method, route, status FROM log.activity WHERE key_id = $1 ORDER BY route, method',
    [keys[0]?.id],
  )
  expect(rows).toEqual([
    { method: 'POST', route: '/mcp tools/call get_context', status: 200 },
    { method: 'GET', route: '/patients', status: 200 },
    { method: 'POST', route: '/patients', status: 201 },
  ])
})

test('a token is had by signed assertion and a chart is read with it, by a system that is nobody’s app', async () => {
  const { prisma, pool } = stack.services
  await prisma.accessToken.deleteMany()

  await Promise.all([probes().run(), probes().run()])

  expect(await states()).toEqual(allWell)
  const clients = await prisma.client.findMany({
    where: { name: 'Status checks' },
    include: { practices: true },
  })
  expect(clients).toMatchObject([{ organizationId: null, everyPractice: false, scope: 'system/Patient.r' }])
  expect(clients[0]?.practices.map(({ practiceId }) => practiceId)).toEqual([canaryId])
  const grants = await prisma.grant.findMany({
    where: { clientId: clients[0]?.id },
    include: { accessTokens: true },
  })
  expect(grants).toHaveLength(1)
  expect(grants[0]?.accessTokens).toHaveLength(2)
  const { rows } = await pool.query(
    `SELECT DISTINCT door, method, route, status, key_id FROM log.activity WHERE client_id = $1 ORDER BY door`,
    [clients[0]?.id],
  )
  expect(rows).toEqual([
    { door: 'fhir', method: 'GET', route: '/r4/{practice}/Patient/{id}', status: 200, key_id: null },
    { door: 'smart', method: 'POST', route: '/r4/{practice}/token', status: 200, key_id: null },
  ])
  for (const path of ['/directory/endpoints', '/api/v1/openapi.json', '/r4/canary/metadata']) {
    const answer = await stack.app.fetch(new Request(`https://elsewhere.example${path}`))
    expect(await answer.text()).not.toContain('status-checks')
  }
})

test('a leave that was ended, a client that was suspended and a key that gets old are made anew', async () => {
  const { prisma, clock, advance } = stack.services
  const credential = () => prisma.probeCredential.findUniqueOrThrow({ where: { name: 'smart_client' } })
  await probes().run()
  const first = await credential()

  await prisma.grant.updateMany({ where: { clientId: 'status-checks' }, data: { revokedAt: clock() } })
  await probes().run()
  expect(await states()).toEqual(allWell)
  await prisma.client.update({ where: { id: 'status-checks' }, data: { suspendedAt: clock() } })
  await probes().run()
  expect(await states()).toEqual(allWell)
  advance(21 * 86_400_000)
  await probes().run()

  expect(await states()).toEqual(allWell)
  const last = await credential()
  expect(last.keyId).toBe(first.keyId)
  expect(Buffer.from(last.sealed)).not.toEqual(Buffer.from(first.sealed))
  const { jwks } = await prisma.client.findUniqueOrThrow({ where: { id: 'status-checks' } })
  expect((jwks as { keys: object[] }).keys).toHaveLength(2)
  expect(JSON.stringify(jwks)).not.toContain('"d"')
})

test('a practice that lets no backend system read is not looked at by one', async () => {
  const { prisma } = stack.services
  await prisma.practice.update({ where: { id: canaryId }, data: { fhirEnabled: false } })
  await look()
  expect(await states()).toEqual({ ...allWell, fhir: 'not_available', smart: 'not_available' })
  await prisma.practice.update({ where: { id: canaryId }, data: { fhirEnabled: true } })
  await look()
  expect(await states()).toEqual(allWell)
})

test('two workers at once use one key, and leave one patient a day', async () => {
  await stack.services.prisma.probeCredential.deleteMany()

  await Promise.all([probes().run(), probes().run(), probes().run()])

  expect(await states()).toEqual(allWell)
  expect(await patients()).toHaveLength(1)
  expect(
    await stack.services.prisma.apiKey.count({ where: { practiceId: canaryId, revokedAt: null } }),
  ).toBeLessThanOrEqual(2) // the one whose credential this test threw away, and one
  stack.services.advance(86_400_000)
  await probes().run()
  expect(await states()).toEqual(allWell)
  expect(await patients()).toHaveLength(1)
})

test('a key that was revoked or is about to end is made anew', async () => {
  const { prisma } = stack.services
  const before = await prisma.probeCredential.findUniqueOrThrow({ where: { name: 'rest_key' } })
  await prisma.apiKey.update({
    where: { id: before.keyId },
    data: { revokedAt: stack.services.clock() },
  })
  await probes().run()
  const after = await prisma.probeCredential.findUniqueOrThrow({ where: { name: 'rest_key' } })
  stack.services.advance(21 * 86_400_000)
  await probes().run()
  const later = await prisma.probeCredential.findUniqueOrThrow({ where: { name: 'rest_key' } })

  expect(await states()).toEqual(allWell)
  expect(new Set([before.keyId, after.keyId, later.keyId]).size).toBe(3)
  expect(await prisma.apiKey.findUnique({ where: { id: after.keyId } })).toMatchObject({
    revokeReason: 'renewed',
  })
})

describe('what stops turns its rows, and back', () => {
  test('the mail server', async () => {
    await mails.goDown()
    await look()

    expect(await states()).toEqual({ ...allWell, sign_in: 'degraded' })
    expect((await ask('/system/practice-status?id=status-office')).body).toMatchObject({
      status: 'degraded',
      summary: 'Sign-in: Sign-in works. Emails are delayed, so links for passwords and keys arrive late.',
    })
    await mails.comeBack()
    await look()
    expect(await states()).toEqual(allWell)
  })

  test.each([
    [
      'the authorization server alone, without which nobody looks at the charts',
      /\/token$/,
      new Response(null, { status: 503 }),
      { smart: 'down', fhir: 'not_available' },
      'major_outage',
    ],
    [
      'the charts alone, though their description is still there',
      /\/r4\/canary\/Patient\//,
      new Response('{}', { status: 500 }),
      { fhir: 'down' },
      'major_outage',
    ],
    [
      'Redis',
      /\/readyz$/,
      Response.json({ ready: true, limits: 'per_process' }),
      { api: 'degraded' },
      'degraded',
    ],
  ])('%s', async (_name, path, answer, turned, overall) => {
    const isStopped = ({ url }: Request) => path.test(new URL(url).pathname)
    app = { fetch: async (request) => (isStopped(request) ? answer.clone() : stack.app.fetch(request)) }
    await look()
    expect(await states()).toEqual({ ...allWell, ...turned })
    expect((await ask('/system/status')).body.overall).toBe(overall)
  })

  test('refusals under load, though the checks themselves are served', async () => {
    const busy = createApp(gated)
    const other = () => new Request('https://elsewhere.example/api/v1/context')
    app = { fetch: async (request) => (await busy.fetch(other())) && busy.fetch(request) }
    delayMs = 60_000
    await look()

    expect(await states()).toEqual({ ...allWell, api: 'degraded', fhir: 'degraded', smart: 'degraded' })
    delayMs = 0
    await look()
    expect(await states()).toEqual(allWell)
  })

  test('something outside', async () => {
    academy = 503
    await look()
    expect(await states()).toEqual({ ...allWell, academy: 'down' })
    academy = null
    await look()
    expect(await states()).toEqual({ ...allWell, academy: 'down' })
    academy = 204
    await look()

    expect(await states()).toEqual(allWell)
  })

  test('our own server', async () => {
    answering = false
    await look()

    const ours = ['api', 'mcp', 'fhir', 'smart', 'saving', 'sign_in', 'demo']
    expect(await states()).toEqual({ ...allWell, ...Object.fromEntries(ours.map((row) => [row, 'down'])) })
    expect((await ask('/system/status')).body.overall).toBe('major_outage')
    expect((await ask('/system/practice-status?id=status-office')).body.status).toBe('down')
    answering = true
    await look()
    expect(await states()).toEqual(allWell)
  })

  test('the practice, when its records take no more', async () => {
    await stack.services.database.ownerPool.query(
      `UPDATE clinical.dataset SET kind = 'snapshot' WHERE id = $1`,
      [datasetId],
    )
    // Of a new day, so that it is no repetition.
    stack.services.advance(86_400_000)
    await look()

    expect(await states()).toEqual({ ...allWell, api: 'degraded', saving: 'down' })
    expect((await ask('/system/practice-status?id=status-office')).body.status).toBe('down')
    await stack.services.database.ownerPool.query(
      `UPDATE clinical.dataset SET kind = 'practice' WHERE id = $1`,
      [datasetId],
    )
    await look()
    expect(await states()).toEqual(allWell)
  })

  test('the database, without which the status is still told', async () => {
    const other = createApp(gated)
    await look()
    expect((await ask('/system/status', other)).body.overall).toBe('operational')
    await ask('/system/practice-status?id=status-office', other)

    await gate.shut()
    const { status, body } = await ask('/system/status', other)
    const known = await ask('/system/practice-status?id=status-office', other)
    const unknown = await ask('/system/practice-status?id=never-asked', other)

    expect([status, body.overall]).toEqual([200, 'major_outage'])
    const rows = body.services.map((row: { id: string; status: string }) => [row.id, row.status])
    expect(Object.fromEntries(rows)).toEqual({
      academy: 'operational',
      demo: 'down',
      chartvoyant_app: 'not_available',
      api: 'down',
      mcp: 'down',
      fhir: 'down',
      smart: 'down',
      ai: 'disabled',
    })
    expect(known.body).toMatchObject({ found: true, name: 'Status Office', status: 'down' })
    expect(unknown).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    const told = JSON.stringify([body, known, unknown])
    expect(told).not.toMatch(/127\.0\.0\.1|localhost|\.sock|svc_|canary|SYN-|ECONN|postgres|redis/i)
    await gate.open()
    // On a busy machine the first new connection takes longer than a status request waits.
    stack.services.advance(1_000)
    await expect.poll(async () => (await ask('/system/status', other)).body.overall).toBe('operational')
  })

  test('without a canary practice nothing of ours is looked at, and nothing is called well', async () => {
    await stack.services.prisma.practice.update({ where: { id: canaryId }, data: { state: 'suspended' } })
    await look()

    const { api, mcp, saving } = await states()
    expect([api, mcp, saving]).toEqual(Array(3).fill('not_available'))
    expect((await ask('/system/practice-status?id=status-office')).body).toMatchObject({
      status: 'operational',
      summary: expect.stringContaining('ot checked'),
    })
  })
})
