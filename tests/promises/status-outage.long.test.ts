/**
 * The database, the mail server and Redis are killed in turn while the checks look: the right rows turn, the whole
 * follows, and all comes back. The status is told throughout, and nothing of what lies behind it.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../../server/app.ts'
import { Problem } from '../../server/contract/http/problems.ts'
import { withCore } from '../../server/domain/core.ts'
import { canaryFamily } from '../../server/domain/status/canary.ts'
import { createServices } from '../../server/services.ts'
import * as verbs from '../../server/status/probes/probes.ts'
import { type DatabaseGate, openDatabaseGate } from '../support/database-gate.ts'
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts'
import { createTestRedis, type TestRedis } from '../support/redis.ts'
import { type RestStack, restStack } from '../support/rest.ts'
import { statusPortal, statusTexts } from '../support/status-portal.ts'

let stack: RestStack
let mails: MailReceiver
let redis: TestRedis
let gate: DatabaseGate
/** The server that is looked at: its database lies behind a gate. */
let server: ReturnType<typeof createServices>
let app: ReturnType<typeof createApp>
/** Done once, in the middle of the next round. */
let strike: (() => Promise<void>) | null = null
/** Everything that anybody could read. */
const responses: string[] = []

beforeAll(async () => {
  mails = await startMailReceiver()
  redis = createTestRedis()
  stack = await restStack({ environment: { SMTP_URL: mails.url, WATCHED_URLS: 'ai=off' } })
  const { services } = stack
  const { datasetId } = await stack.issueWriter()
  await services.prisma.practice.deleteMany({ where: { slug: 'canary' } })
  const common = { environment: 'production', fhirEnabled: true, inDirectory: false, datasetId } as const
  const created = { createdAt: services.clock() }
  await services.prisma.practice.createMany({
    data: [
      { slug: 'canary', name: 'Canary Practice', purpose: 'canary', ...common, ...created },
      { slug: 'status-office', name: 'Status Office', purpose: 'office', ...common, ...created },
    ],
  })
  gate = await openDatabaseGate(services.database.appUrl)
  const env = { ...services.env, REDIS_URL: redis.url }
  server = createServices({ env, log: services.log, appUrl: gate.url, clock: services.clock })
  app = createApp(server, statusPortal)
  await vi.waitFor(() => expect(server.limiter.state()).toBe('shared'), { timeout: 15_000 })
})

afterAll(async () => {
  await server.close()
  await gate.close()
  await redis.remove()
  await mails.close()
})

/** The worker looks at that server as clients would, and writes what it found by a way of its own. */
const probes = () =>
  withCore(
    {
      ...stack.services.core,
      mail: server.mail,
      send: async (url: string, init: RequestInit) => {
        const blow = strike
        strike = null
        await blow?.()
        return app.fetch(new Request(url, init))
      },
      outbound: {
        get: async () => {
          throw new Problem('unavailable')
        },
      },
    },
    verbs,
  )

/** @param strikes in the middle of the first of two rounds, so that both find the same in the end */
async function look(strikes?: () => Promise<void>): Promise<void> {
  strike = strikes ?? null
  for (let round = 0; round < (strikes ? 3 : 2); round++) {
    stack.services.advance(30_000)
    await probes().run()
  }
}

let readers = 0

/** Each time by somebody else, so that no limit of an address has a part in it. */
async function read(path: string) {
  readers += 1
  const remoteAddress = `198.18.${readers >> 8}.${readers & 255}`
  const request = new Request(`https://elsewhere.example${path}`)
  const answer = await app.fetch(request, { incoming: { socket: { remoteAddress } } })
  const text = await answer.text()
  responses.push(text, [...answer.headers].join('\n'))
  return { status: answer.status, text }
}

/** What the API and every form of the page tell, at this moment. */
async function tellAll() {
  stack.services.advance(30_000)
  const api = await read('/api/v1/system/status')
  const practice = await read('/api/v1/system/practice-status?id=status-office')
  for (const path of statusTexts) expect((await read(path)).status, path).toBe(200)
  const { overall, services } = JSON.parse(api.text)
  const page = JSON.parse((await read('/status')).text)
  expect(page.platform.overall).toBe(overall)
  const rows = services.map(({ id, status }: { id: string; status: string }) => [id, status])
  return { overall, rows: Object.fromEntries(rows), practice: JSON.parse(practice.text).status, page }
}

const well = {
  academy: 'not_available',
  demo: 'operational',
  chartvoyant_app: 'not_available',
  api: 'operational',
  mcp: 'operational',
  fhir: 'operational',
  smart: 'operational',
  ai: 'disabled',
}
const allWell = { overall: 'operational', rows: well, practice: 'operational' }

test('at first all is well', async () => {
  await look()

  expect(await tellAll()).toMatchObject({ ...allWell, page: { reachable: true } })
})

test('without the mail server sign-in of practices is degraded, no row turns, and back', async () => {
  await look(() => mails.goDown())
  expect(await tellAll()).toMatchObject({ ...allWell, practice: 'degraded' })

  await mails.comeBack()
  await look()

  expect(await tellAll()).toMatchObject(allWell)
})

test('without Redis the REST API is degraded and so is the whole, and back', async () => {
  await look(async () => {
    await redis.stop()
    await vi.waitFor(() => expect(server.limiter.state()).toBe('per_process'), { timeout: 15_000 })
  })
  expect(await tellAll()).toMatchObject({ overall: 'degraded', rows: { ...well, api: 'degraded' } })

  redis.start()
  await vi.waitFor(() => expect(server.limiter.state()).toBe('shared'), { timeout: 15_000 })
  await look()

  expect(await tellAll()).toMatchObject(allWell)
})

test('without the database everything of ours is down, the page says so and how old it is, and back', async () => {
  const before = stack.services.clock()
  await look(() => gate.shut())
  const down = await tellAll()

  expect(down).toMatchObject({
    overall: 'major_outage',
    practice: 'down',
    // Of what is not ours nothing is known that is newer than two minutes.
    rows: {
      ...well,
      ai: 'not_available',
      demo: 'down',
      api: 'down',
      mcp: 'down',
      fhir: 'down',
      smart: 'down',
    },
    page: { reachable: false, recordsAt: before.toISOString() },
  })
  expect((await read('/status.md')).text).toContain(
    `**Our database is not responding.** History and incidents are as of ${before.toISOString()}.`,
  )
  // Of a practice that nobody asked for before, nothing is known.
  expect(JSON.parse((await read('/status?practice=never-asked')).text).answer).toEqual({
    kind: 'unavailable',
  })
  await gate.open()
  // The server takes a moment to open its connections again.
  await vi.waitFor(
    async () => {
      await look()
      expect(await tellAll()).toMatchObject({ ...allWell, page: { reachable: true } })
    },
    { timeout: 20_000 },
  )

  const rows = await stack.services.prisma.statusChange.findMany({
    where: { component: 'api' },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  const turns = rows.map(({ toState }) => toState)
  expect(turns.slice(0, 4)).toEqual(['operational', 'degraded', 'operational', 'down'])
  expect(turns.at(-1)).toBe('operational')
}, 45_000)

test('nothing that was told names a place behind it, or a person', () => {
  const inside = [
    new URL(mails.url).port,
    redis.url,
    new URL(gate.url).searchParams.get('host') ?? '',
    stack.services.database.appUrl,
    '127.0.0.1',
    'localhost',
    '.sock',
    canaryFamily,
    'SYN-',
    'svc_',
    'canary',
    'ECONN',
    'postgres',
    'redis',
  ].filter((each) => each !== '')

  expect(responses.length).toBeGreaterThan(50)
  for (const word of inside) {
    const found = responses.filter((text) => text.toLowerCase().includes(word.toLowerCase()))
    // Ids and times may hold any number of four or five digits.
    expect(/^\d+$/.test(word) ? found.filter((text) => text.includes(`:${word}`)) : found, word).toEqual([])
  }
})
