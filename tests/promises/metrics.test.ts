/** `/metrics`: who may read it, what it tells, and that no caller can make it grow or find anybody in it. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { metrics, processMetrics } from '../../server/contract/http/metrics.ts'
import { readJobCounts } from '../../server/domain/operations/metric-queries.ts'
import { createMetrics } from '../../server/http/metrics.ts'
import { rootDir } from '../../server/root-dir.ts'
import { restStack } from '../support/rest.ts'
import { testServices } from '../support/services.ts'

const token = 'heron-teal-marsh-plover'

const stack = await restStack({ environment: { METRICS_TOKEN: token } })
const app = createApp(stack.services)

const ask = (path: string, init: RequestInit = {}) =>
  app.fetch(new Request(`https://portal.example${path}`, init), {
    incoming: { socket: { remoteAddress: '192.0.2.7' } },
  })

async function scrape(authorization = `Bearer ${token}`): Promise<string> {
  const answer = await ask('/metrics', { headers: { authorization } })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Name and labels of every series, without its value. */
const seriesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))

function numberOf(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(' ') + 1))
}

describe('who may read it', () => {
  test('nobody without the token, and whoever has it gets the text format', async () => {
    for (const authorization of ['', 'Bearer ', `Bearer ${token}x`, `Basic ${btoa(`a:${token}`)}`, token]) {
      const answer = await ask('/metrics', { headers: authorization === '' ? {} : { authorization } })
      expect(answer.status, authorization).toBe(401)
      expect(await answer.text()).toBe('A token is required.\n')
    }
    expect((await ask(`/metrics?token=${token}`)).status).toBe(401)
    const answer = await ask('/metrics', { headers: { authorization: `Bearer ${token}` } })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('nobody at all where no token is set: it is an unknown path', async () => {
    const without = createApp(await testServices())
    const get = (path: string) =>
      without.fetch(
        new Request(`https://portal.example${path}`, { headers: { authorization: 'Bearer undefined' } }),
      )

    const [answer, unknown] = await Promise.all([get('/metrics'), get('/nowhere')])

    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe(await unknown.text())
  })
})

describe('what it tells', () => {
  test('every metric of the contract, with its type, and those of the process', async () => {
    await stack.call('/patients', { key: null })

    const text = await scrape()

    for (const [name, { type, help }] of Object.entries(metrics)) {
      expect(text).toContain(`# HELP ${name} ${help}\n`)
      expect(text).toContain(`# TYPE ${name} ${type}\n`)
    }
    for (const name of processMetrics) expect(text).toContain(`# TYPE ${name} `)
    expect(numberOf(text, 'sandpiper_database_up')).toBe(1)
  })

  test('requests by door and pattern, and nothing of whose they were', async () => {
    const { key, prefix, practiceId, id } = await stack.issueKey()
    const send = (path: string) => ask(path, { headers: { authorization: `Bearer ${key}` } })

    expect((await send('/sandbox/api/v1/patients/pt-wren-testwell')).status).toBe(200)
    expect((await send('/sandbox/api/v1/patients?mrn=SYN-004217')).status).toBe(200)
    const injected = { authorization: `Bearer ${key}`, 'x-sandbox-fault': '503' }
    const patient = '/sandbox/api/v1/patients/pt-wren-testwell'
    expect((await ask(patient, { headers: injected })).status).toBe(503)
    expect((await ask('/r4/sandpiper-demonstration/metadata')).status).toBe(200)
    expect((await ask('/r4/sandpiper-demonstration/Patient/pt-wren-testwell')).status).toBe(401)
    expect((await ask('/r4/sandpiper-demonstration/.well-known/smart-configuration')).status).toBe(200)
    await ask('/api/v1/system/status')

    const text = await scrape()
    const count = (labels: string) => numberOf(text, `sandpiper_http_requests_total{${labels}}`)
    expect(count('door="rest",route="/patients/{id}",method="GET",status="2xx"')).toBe(1)
    expect(count('door="rest",route="/patients/{id}",method="GET",status="injected"')).toBe(1)
    expect(text).not.toContain('door="rest",route="/patients/{id}",method="GET",status="5xx"')
    expect(count('door="rest",route="/patients",method="GET",status="2xx"')).toBe(1)
    expect(count('door="fhir",route="/r4/{practice}/metadata",method="GET",status="2xx"')).toBe(1)
    expect(count('door="fhir",route="/r4/{practice}/Patient/{id}",method="GET",status="4xx"')).toBe(1)
    expect(text).toMatch(/door="smart",route="\/r4\/\{practice\}\/\.well-known\/smart-configuration"/)
    expect(text).toMatch(/door="status",route="[^"]*status"/)
    expect(
      numberOf(text, 'sandpiper_http_request_duration_seconds_count{door="rest",route="/patients/{id}"}'),
    ).toBe(1)
    for (const secret of [key, prefix, practiceId, id, 'wren', 'SYN-', 'sandpiper-demonstration', '192.0.2'])
      expect(text.toLowerCase().includes(secret.toLowerCase()), secret).toBe(false)
  })

  test('refusals of limits by their window, and a scrape that spends nobody’s budget', async () => {
    stack.services.advance(60_000)
    let refused = 0
    for (let calls = 0; calls < 8; calls++)
      if ((await ask('/api/v1/system/status')).status === 429) refused += 1

    const text = await scrape()

    expect(refused).toBe(3)
    expect(numberOf(text, 'sandpiper_limit_refusals_total{door="status",window="statusIp"}')).toBe(3)
  })

  test('jobs, mails and exports as they lie in the database', async () => {
    const { prisma, jobs, clock } = stack.services
    await prisma.$transaction(async (tx) => {
      await jobs.add(tx, 'send-mail', { id: randomUUID() })
      await jobs.add(tx, 'send-mail', { id: randomUUID() }, { delaySeconds: 3_600 })
    })
    const mail = { template: 'welcome', toAddress: 'a@people.example', props: {}, createdAt: clock() }
    for (const state of ['waiting', 'failed', 'failed'])
      await prisma.outboxMail.create({
        data: { ...mail, state, messageId: randomUUID(), nextAttemptAt: clock() },
      })
    stack.services.advance(90_000)

    const text = await scrape()

    expect(numberOf(text, 'sandpiper_jobs{task="send-mail",state="waiting"}')).toBe(2)
    expect(numberOf(text, 'sandpiper_jobs{task="send-mail",state="failed"}')).toBe(0)
    expect(numberOf(text, 'sandpiper_outbox_mails{state="failed"}')).toBe(2)
    expect(numberOf(text, 'sandpiper_outbox_oldest_waiting_seconds')).toBe(90)
    expect(numberOf(text, 'sandpiper_exports{state="running"}')).toBe(0)
    expect(numberOf(text, 'sandpiper_database_connections{state="idle"}')).toBeGreaterThan(0)
  })

  test('the release and its schema, how limits are counted, the clock, the months of the logs, and the disk of exports', async () => {
    const { version } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')) as { version: string }
    const newest = readdirSync(join(rootDir, 'prisma/migrations'))
      .filter((name) => /^\d/.test(name))
      .sort()
      .at(-1)

    const text = await scrape()

    expect(numberOf(text, `sandpiper_build_info{version="${version}",schema="${newest}"}`)).toBe(1)
    expect(numberOf(text, 'sandpiper_limits_state{state="memory"}')).toBe(1)
    expect(text).not.toContain('sandpiper_limits_state{state="shared"}')
    expect(Math.abs(numberOf(text, 'sandpiper_clock_offset_seconds'))).toBeLessThan(1)
    for (const log of ['activity', 'phi_audit'])
      expect(
        numberOf(text, `sandpiper_log_months_ahead_seconds{log="${log}"}`) / 86_400,
      ).toBeGreaterThanOrEqual(89)
    const { bavail, bsize } = await statfs(rootDir)
    expect(numberOf(text, 'sandpiper_export_free_bytes') / (bavail * bsize)).toBeGreaterThan(0)
    expect(await (await ask('/readyz')).json()).toMatchObject({ ready: true, clock: 'in_step' })
  })
})

test('a job that was given up is counted for a day, and listed for operations after that', async () => {
  const { services } = stack
  const givenUp = 'sandpiper_jobs{task="clean-up",state="failed"}'
  const ages = ['1 minute', '23 hours 55 minutes', '24 hours 5 minutes', '29 days']
  for (const age of ages) {
    const jobKey = randomUUID()
    await services.prisma.$transaction((tx) =>
      services.jobs.add(tx, 'clean-up', {}, { jobKey, maxAttempts: 1 }),
    )
    await services.database.ownerPool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, updated_at = now() - $2::interval WHERE key = $1`,
      [jobKey, age],
    )
  }

  const listed = (await readJobCounts(services.prisma)).jobs.find(({ task }) => task === 'clean-up')

  expect(numberOf(await scrape(), givenUp)).toBe(2)
  expect(listed?.failed).toBe(ages.length)
})

test('the audit chain: rows that nobody sealed, a head that is gone from its folder, and a failed check', async () => {
  const { services } = stack
  const read = async (name: string) => numberOf(await scrape(), `sandpiper_audit_${name}`)
  await services.prisma.$transaction((tx) =>
    services.portalAudit.append(tx, {
      ...services.portalAudit.system(),
      action: 'test.done',
      subject: { kind: 'test', id: null },
    }),
  )
  services.advance(90_000)
  expect(await read('oldest_unsealed_seconds')).toBeGreaterThanOrEqual(90)
  await services.sealer.seal()
  expect(await read('oldest_unsealed_seconds')).toBe(0)
  expect(await read('oldest_uncovered_seconds')).toBeGreaterThanOrEqual(90)
  await services.sealer.writeHead()
  expect(await read('oldest_uncovered_seconds')).toBe(0)
  expect(await read('head_folder_faults{folder="first"}')).toBe(0)
  expect((await services.operations.audit.checkChainDaily()).intact).toBe(true)
  expect(await read('chain_broken')).toBe(0)

  await rm(services.env.AUDIT_HEADS_DIR, { recursive: true })

  expect(await read('head_folder_faults{folder="first"}')).toBe(1)
  expect((await services.operations.audit.checkChainDaily()).intact).toBe(false)
  expect(await read('chain_broken')).toBe(1)
})

test('paths and methods that callers think up make no new series', async () => {
  const bases = ['/', '/r4/', '/r4/nobody/', '/r4/sandpiper-demonstration/', '/api/v1/', '/sandbox/api/v1/']
  const odd = (base: string) => `${base}${randomUUID()}/${randomUUID()}?a=${randomUUID()}`
  for (const base of bases) for (const method of ['GET', 'POST', 'BREW']) await ask(odd(base), { method })
  const before = seriesOf(await scrape())

  for (let round = 0; round < 3; round++) {
    for (const base of bases) {
      await ask(odd(base), { method: ['GET', 'POST', `M${round}`][round % 3] as string })
      await ask(`${base}Patient%2f${round}/%24everything${round}`)
    }
  }

  // What Node itself is busy with comes and goes, by kinds that it names.
  const added = seriesOf(await scrape()).filter(
    (series) => !before.includes(series) && !/^nodejs_(active|gc)_/.test(series),
  )
  expect(added.filter((series) => !/method="(GET|POST|other)"/.test(series))).toEqual([])
  expect(added.length).toBeLessThan(10)
  expect(before.some((series) => /[0-9a-f]{8}-[0-9a-f]{4}/.test(series))).toBe(false)
})

describe('in itself', () => {
  const quiet = { own: async () => ({}), shared: () => Promise.reject(new Error('the database is away')) }

  test('it answers without the database, and says that the database is away', async () => {
    const text = await createMetrics(quiet).text()

    expect(numberOf(text, 'sandpiper_database_up')).toBe(0)
    expect(text).not.toMatch(/^sandpiper_jobs\{/m)
  })
})
