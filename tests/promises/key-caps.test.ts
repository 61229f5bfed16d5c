/**
 * What a practice allows a key a day, and at which hours: every operation and tool that is counted, exactly, with several
 * processes, over midnight and over the days on which clocks change.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { isWithinHours, type KeyCaps, uncapped } from '../../server/contract/keys/key-caps.ts'
import { mcpToolNames } from '../../server/contract/mcp/tools.ts'
import { operations } from '../../server/contract/rest/operations.ts'
import { callTool, send, toolExamples } from '../support/mcp.ts'
import { type RestAnswer, restStack } from '../support/rest.ts'

const wren = '/patients/pt-wren-testwell'
const otis = '/patients/pt-otis-samplewood'
/** 07:00 in New York, on a day like any other; later tests go on from here. */
const morning = new Date('2026-11-30T12:00:00.000Z')

const stack = await restStack()
const second = await restStack({ services: stack.services })
goTo(morning)

/** No test is to meet a limit of the one before. */
beforeEach(() => stack.services.advance(60_000))

const keyWith = (caps: Partial<KeyCaps>) =>
  stack.issueKey({ caps, expiresAt: new Date('2030-01-01T00:00:00Z') })

function goTo(instant: Date) {
  const ahead = instant.getTime() - stack.services.clock().getTime()
  if (ahead < 0) throw new Error(`the clock is past ${instant.toISOString()}`)
  stack.services.advance(ahead)
}

const statuses = (answers: readonly RestAnswer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The patients of the practice that are not known elsewhere in this file. */
async function somePatients(count: number): Promise<string[]> {
  const { key } = await stack.issueKey()
  const { body } = await stack.call(`/patients?limit=${count}`, { key })
  return body.data.map(({ id }: { id: string }) => id)
}

const reasonsOf = async (keyId: string) => {
  await stack.services.recorder.flush()
  const { rows } = await stack.services.pool.query<{ refusal: string; n: number }>(
    `SELECT refusal, sum(count)::int AS n FROM log.activity WHERE key_id = $1 AND refusal IS NOT NULL
     GROUP BY refusal ORDER BY refusal`,
    [keyId],
  )
  return Object.fromEntries(rows.map(({ refusal, n }) => [refusal, n]))
}

describe('calls a day', () => {
  test('every operation counts and is refused over the cap, with a reason; /context alone is answered', async () => {
    const reads = Object.entries(operations).filter(
      ([, { method, level }]) => method === 'GET' && level !== 'none',
    )
    expect(reads.length).toBeGreaterThan(5)
    for (const [operationId, { path }] of reads) {
      const at = path
        .replace('/patients/{id}', wren)
        .replace('/practitioners/{id}', '/practitioners/none')
        .replace('/locations/{id}', '/locations/none')
      const { key, id } = await keyWith({ callsPerDay: 1 })
      const first = await stack.call(at, { key })
      expect([200, 404]).toContain(first.status)
      const over = await stack.call(at, { key })
      if (uncapped.has(operationId as never)) {
        expect(over.status).toBe(200)
        continue
      }
      expect([operationId, over.status]).toEqual([operationId, 429])
      expect(over.body.error).toMatchObject({
        code: 'rate_limited',
        message: 'The practice caps this key. 1 call a day (America/New_York).',
      })
      expect(await reasonsOf(id)).toMatchObject({ calls_a_day: 1 })
    }
  })

  test('every tool counts; the list of tools and get_context do not', async () => {
    const { key } = await stack.issueKey({
      caps: { callsPerDay: 1 },
      level: 'full',
      mcpWrites: true,
      expiresAt: new Date('2030-01-01T00:00:00Z'),
    })
    const examples = toolExamples(stack, 0)
    expect((await send(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key })).status).toBe(200)
    expect((await callTool(stack, 'get_patient', await examples.get_patient(), { key })).result.isError).toBe(
      undefined,
    )
    for (const name of mcpToolNames) {
      stack.services.advance(1_000)
      const { result } = await callTool(
        stack,
        name,
        name === 'get_document_text' ? { documentId: 'any' } : await examples[name](),
        { key },
      )
      if (uncapped.has(name)) expect(result.structuredContent.data.limits.caps.today.calls).toBe(1)
      else expect([name, result.content[0].text]).toEqual([name, expect.stringContaining('1 call a day')])
    }
  })

  test('of thirty at once in two processes, exactly ten are served', async () => {
    const { key, id } = await keyWith({ callsPerDay: 10 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 ? stack : second).call(wren, { key })),
    )
    expect(statuses(answers)).toEqual({ 200: 10, 429: 20 })
    expect(await reasonsOf(id)).toEqual({ calls_a_day: 20 })
    const { body } = await second.call('/context', { key })
    expect(body.limits.caps).toMatchObject({ callsPerDay: 10, patientsPerDay: null, today: { calls: 10 } })
  })

  test('a batch of tools counts each of them', async () => {
    const { key } = await keyWith({ callsPerDay: 2 })
    const message = (id: number) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'get_patient', arguments: { patientId: 'pt-wren-testwell' } },
    })
    const { body } = await send(stack, [message(1), message(2), message(3)], {
      key,
      headers: { 'mcp-protocol-version': '2025-03-26' },
    })
    const refused = body.filter(({ result }: { result: { isError?: true } }) => result.isError)
    expect([body.length, refused.length]).toEqual([3, 1])
  })
})

describe('patients a day', () => {
  test('a list that would be too many is refused whole, and counts nobody; known patients stay available', async () => {
    const { key, id } = await keyWith({ patientsPerDay: 3 })
    const whole = await stack.call('/patients?limit=4', { key })
    expect(whole.status).toBe(429)
    expect(whole.body.error.message).toBe('The practice caps this key. 3 patients a day (America/New_York).')
    const some = await stack.call('/patients?limit=2', { key })
    expect(some.status).toBe(200)
    const known = some.body.data.map((each: { id: string }) => each.id)
    expect((await stack.call('/patients/pt-nobody-known', { key })).status).toBe(404)
    const fresh = (await somePatients(8)).filter((each) => !known.includes(each))
    expect((await stack.call(`/patients/${fresh[0]}`, { key })).status).toBe(200)
    for (const path of [`/patients/${fresh[1]}`, `/patients/${fresh[1]}/ccda`])
      expect((await second.call(path, { key })).status).toBe(429)
    const summary = await callTool(stack, 'get_patient_summary', { patientId: fresh[2] }, { key })
    expect(summary.result.isError).toBe(true)
    expect(summary.result.content[0].text).toContain('3 patients a day')
    for (const each of [...known, fresh[0]])
      expect((await second.call(`/patients/${each}`, { key })).status).toBe(200)
    expect((await stack.call('/practitioners', { key })).status).toBe(200)
    expect((await stack.call('/context', { key })).body.limits.caps.today).toMatchObject({
      patients: 3,
      calls: 0,
    })
    expect(await reasonsOf(id)).toEqual({ not_found: 1, patients_a_day: 4 })
  })

  test('a document that is refused gives its place back', async () => {
    const { key } = await keyWith({ patientsPerDay: 1 })
    expect((await stack.call(`${wren}/ccda`, { key })).status).toBe(200)
    for (let i = 0; i < 8; i++) {
      stack.services.advance(1_000)
      expect((await stack.call(`${otis}/ccda`, { key })).status).toBe(429)
    }
    expect((await stack.call(`${wren}/ccda`, { key })).status).toBe(200)
  })

  test('of twelve patients at once in two processes, exactly five are served, each several times', async () => {
    const ids = await somePatients(12)
    const { key } = await keyWith({ patientsPerDay: 5 })
    const asked = [...ids, ...ids, ...ids]
    const answers = await Promise.all(
      asked.map((id, i) => (i % 2 ? stack : second).call(`/patients/${id}`, { key })),
    )
    const served = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.id] : [])))
    expect(served.size).toBe(5)
    expect((await stack.call('/context', { key })).body.limits.caps.today.patients).toBe(5)
  })

  test('a write that would be one too many writes nothing', async () => {
    const writer = await stack.issueWriter({ caps: { patientsPerDay: 1 } })
    const person = operations.createPatient.bodyExample
    const made = await stack.post('/patients', { ...person, mrn: 'SYN-CAP-1' }, { key: writer.key })
    const over = await stack.post('/patients', { ...person, mrn: 'SYN-CAP-2' }, { key: writer.key })
    expect([made.status, over.status]).toEqual([201, 429])
    const { rows } = await stack.services.pool.query<{ value: string }>(
      `SELECT value FROM clinical.identifier WHERE dataset_id = $1 AND value LIKE 'SYN-CAP-%'`,
      [writer.datasetId],
    )
    expect(rows.map(({ value }) => value)).toEqual(['SYN-CAP-1'])
    expect((await stack.call(`/patients/${made.body.id}`, { key: writer.key })).status).toBe(200)
  })
})

test('a key without caps asks nothing about them', async () => {
  const { key } = await stack.issueKey()
  const names: unknown[] = []
  const { pool } = stack.services
  const original = pool.query
  pool.query = ((...given: [{ name?: string; text?: string }]) => {
    names.push(given[0]?.name ?? given[0]?.text ?? given[0])
    return (original as unknown as (...all: unknown[]) => unknown).apply(pool, given)
  }) as unknown as typeof pool.query
  try {
    await stack.call(wren, { key })
    names.length = 0
    for (const path of [wren, '/patients?limit=5', '/practitioners', '/context'])
      expect((await stack.call(path, { key })).status).toBe(200)
  } finally {
    pool.query = original
  }
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => String(name).includes('cap'))).toEqual([])
})

test('a change holds at the next request in a process that knows the key from before, up and down', async () => {
  const { key, id } = await keyWith({ callsPerDay: 1 })
  expect((await stack.call(wren, { key })).status).toBe(200)
  expect((await second.call(wren, { key })).status).toBe(429)
  const { capId } = await stack.services.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  const change = async (data: { callsPerDay?: number | null; patientsPerDay?: number | null }) => {
    await stack.services.prisma.keyCap.update({ where: { id: capId ?? '' }, data })
    await stack.services.prisma.apiKey.update({ where: { id }, data: { version: { increment: 1 } } })
  }
  await change({ callsPerDay: 2 })
  expect((await second.call(wren, { key })).status).toBe(200)
  expect((await stack.call(wren, { key })).status).toBe(429)
  await change({ callsPerDay: null })
  expect((await stack.call(wren, { key })).status).toBe(200)
  expect((await second.call(wren, { key })).status).toBe(200)
  await change({ callsPerDay: 2 })
  expect((await second.call(wren, { key })).status).toBe(429)
  await change({ callsPerDay: null, patientsPerDay: 1 })
  expect((await stack.call(wren, { key })).status).toBe(200)
  expect((await stack.call(otis, { key })).status).toBe(429)
})

test('over a cap a revoked key still gets its 401', async () => {
  const { key, id } = await keyWith({ callsPerDay: 1 })
  await stack.call(wren, { key })
  await stack.services.prisma.apiKey.update({ where: { id }, data: { revokedAt: stack.services.clock() } })
  expect((await stack.call(wren, { key })).status).toBe(401)
})

test.each([
  [{ from: 420, until: 1140 }, [420, 1139], [419, 1140, 0]],
  [{ from: 1320, until: 360 }, [1320, 1439, 0, 359], [360, 1319]],
  [{ from: 420, until: 0 }, [420, 1439], [0, 419]],
])('hours %o', (hours, inside, outside) => {
  expect(inside.map((minutes) => isWithinHours(hours, minutes))).toEqual(inside.map(() => true))
  expect(outside.map((minutes) => isWithinHours(hours, minutes))).toEqual(outside.map(() => false))
})

describe('hours and days by the clocks of the practice', () => {
  const office = { from: 8 * 60, until: 18 * 60 }
  const get = async (key: string) => {
    const { status, headers } = await stack.call(wren, { key })
    return status === 429 ? [429, Number(headers.get('retry-after'))] : status
  }

  test('outside its hours a key gets 403 with the hours, for any patient, and /context', async () => {
    goTo(new Date('2026-12-01T12:59:59.000Z'))
    const { key, id } = await keyWith({ hours: office })
    const [early, unknown] = await Promise.all([
      stack.call(wren, { key }),
      stack.call('/patients/pt-nobody-known', { key }),
    ])
    expect([early?.status, unknown?.status]).toEqual([403, 403])
    expect(early?.body.error).toMatchObject({
      code: 'forbidden',
      message: 'The practice caps this key. From 08:00 to 18:00 (America/New_York).',
    })
    expect(early?.headers.get('retry-after')).toBeNull()
    const { result } = await callTool(stack, 'get_patient', { patientId: 'pt-wren-testwell' }, { key })
    expect(result.content[0].text).toContain('From 08:00 to 18:00')
    expect((await stack.call('/context', { key })).body.limits.caps.hours).toEqual({
      from: '08:00',
      until: '18:00',
    })
    goTo(new Date('2026-12-01T13:00:00.000Z'))
    expect(await get(key)).toBe(200)
    goTo(new Date('2026-12-01T22:59:59.999Z'))
    expect(await get(key)).toBe(200)
    goTo(new Date('2026-12-01T23:00:00.000Z'))
    expect(await get(key)).toBe(403)
    expect(await reasonsOf(id)).toEqual({ outside_hours: 4 })
  })

  test('the day ends at midnight of its zone, not of ours', async () => {
    const day = { callsPerDay: 1, patientsPerDay: 1 }
    const eastern = (await keyWith(day)).key
    const utc = (await keyWith({ ...day, zone: 'UTC' })).key
    goTo(new Date('2026-12-02T23:59:59.000Z'))
    expect([await get(eastern), await get(utc)]).toEqual([200, 200])
    expect([await get(eastern), await get(utc)]).toEqual([
      [429, 18_001],
      [429, 1],
    ])
    goTo(new Date('2026-12-03T00:00:00.000Z'))
    expect([await get(eastern), await get(utc)]).toEqual([[429, 18_000], 200])
    goTo(new Date('2026-12-03T04:59:59.500Z'))
    expect(await get(eastern)).toEqual([429, 1])
    goTo(new Date('2026-12-03T05:00:00.000Z'))
    expect((await stack.call(otis, { key: eastern })).status).toBe(200)
  })

  test('a day on which clocks change has 23 or 25 hours, and its hours are those on the wall', async () => {
    const { key } = await keyWith({ callsPerDay: 2 })
    const wall = (await keyWith({ hours: { from: 2 * 60, until: 3 * 60 } })).key
    const late = (await keyWith({ hours: { from: 60, until: 2 * 60 } })).key
    // From 02:00 to 03:00 on 14 March 2027 there is nothing on the clock.
    goTo(new Date('2027-03-14T05:00:00.000Z'))
    expect([await get(key), await get(key), await get(key)]).toEqual([200, 200, [429, 23 * 3_600]])
    goTo(new Date('2027-03-14T06:59:59.000Z'))
    expect([await get(wall), await get(late)]).toEqual([403, 200])
    goTo(new Date('2027-03-14T07:00:00.000Z'))
    expect([await get(wall), await get(late)]).toEqual([403, 403])
    goTo(new Date('2027-03-15T03:59:59.000Z'))
    expect(await get(key)).toEqual([429, 1])
    goTo(new Date('2027-03-15T04:00:00.000Z'))
    expect(await get(key)).toBe(200)
    // From 01:00 to 02:00 on 7 November 2027 it is twice.
    goTo(new Date('2027-11-07T04:00:00.000Z'))
    expect([await get(key), await get(key), await get(key)]).toEqual([200, 200, [429, 25 * 3_600]])
    for (const instant of ['2027-11-07T05:30:00.000Z', '2027-11-07T06:30:00.000Z']) {
      goTo(new Date(instant))
      expect([await get(late), await get(wall)]).toEqual([200, 403])
    }
    goTo(new Date('2027-11-08T04:59:59.000Z'))
    expect(await get(key)).toEqual([429, 1])
    goTo(new Date('2027-11-08T05:00:00.000Z'))
    expect(await get(key)).toBe(200)
  })
})
