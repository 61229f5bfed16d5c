import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../tests/support/database.ts'
import * as log from './activity-log.ts'
import type { AccessRow, ActivityRow, LogRecord } from './log-rows.ts'
import { createRecorder, type Recorder } from './recorder.ts'

const at = new Date('2026-11-20T12:00:00.250Z')

function activity(fields: Partial<ActivityRow> = {}): ActivityRow {
  return {
    at,
    door: 'rest',
    environment: 'sandbox',
    keyId: randomUUID(),
    claimedPrefix: null,
    practiceId: randomUUID(),
    method: 'GET',
    route: '/patients/{id}',
    status: 200,
    ip: '192.0.2.1',
    correlationId: randomUUID(),
    clientCorrelationId: null,
    durationMs: 3.5,
    refusal: null,
    fromBrowser: false,
    ...fields,
  }
}

function served(fields: Partial<ActivityRow> = {}): LogRecord {
  const row = activity(fields)
  const access: AccessRow = {
    at,
    practiceId: row.practiceId as string,
    principalKind: 'api_key',
    principalId: row.keyId as string,
    action: 'read',
    resourceType: 'Patient',
    patientId: 'wren-testwell',
    count: 1,
    purpose: 'operations',
    outcome: 'served',
    correlationId: row.correlationId,
  }
  return { activity: row, access }
}

const refusal = (fields: Partial<ActivityRow> = {}): LogRecord => ({
  activity: activity({ status: 429, refusal: 'rate limited', ...fields }),
})
let recorder: Recorder
const errors: string[] = []

const database = await testDatabase('schema')

beforeEach(() => {
  errors.length = 0
  recorder = createRecorder({
    connectionString: database.appUrl,
    log: { error: (_, message) => errors.push(message) },
  })
})

afterEach(async () => {
  await recorder.close()
})

async function rowsOf(correlationId: string) {
  const { rows } = await database.pool.query('SELECT * FROM log.activity WHERE correlation_id = $1', [
    correlationId,
  ])
  return rows
}

describe('the recorder', () => {
  test('writes a thousand requests at once in a few commits', async () => {
    const keyId = randomUUID()
    const commits = () =>
      database.ownerPool
        .query<{ n: number }>(
          'SELECT count(DISTINCT xmin::text)::int AS n FROM log.activity WHERE key_id = $1',
          [keyId],
        )
        .then(({ rows }) => rows[0]?.n)

    await Promise.all(Array.from({ length: 1_000 }, () => recorder.commit(served({ keyId }))))

    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS n FROM log.activity WHERE key_id = $1',
      [keyId],
    )
    expect(rows[0].n).toBe(1_000)
    expect(await commits()).toBeLessThanOrEqual(4)
  })

  test('writes the same row whether a request comes alone or with others', async () => {
    const awkward = {
      claimedPrefix: 'svc_"{\\},',
      clientCorrelationId: 'NULL',
      route: `/patients/{id} \\ "quoted", it's\nünïcode 🩺`,
      durationMs: 0.1,
      fromBrowser: true,
      fault: 'slow;2s',
      clientId: 'client-1',
    } as const
    const alone = served(awkward)
    const together = served({ ...awkward, practiceId: alone.activity.practiceId })

    await recorder.commit(alone)
    await Promise.all([recorder.commit(served()), recorder.commit(served()), recorder.commit(together)])

    const [one] = await rowsOf(alone.activity.correlationId)
    const [other] = await rowsOf(together.activity.correlationId)
    expect(one).toMatchObject({
      route: awkward.route,
      client_correlation_id: 'NULL',
      fault: 'slow;2s',
      status: 200,
    })
    const own = ['id', 'key_id', 'correlation_id']
    const shared = (row: object) => Object.entries(row).filter(([name]) => !own.includes(name))
    expect(shared(one)).toEqual(shared(other))
    const { rows: days } = await database.pool.query(
      'SELECT served::int, refused::int, last_used_at FROM log.activity_day WHERE key_id = ANY ($1) ORDER BY key_id',
      [[alone.activity.keyId, together.activity.keyId]],
    )
    expect(days).toEqual([
      { served: 1, refused: 0, last_used_at: at },
      { served: 1, refused: 0, last_used_at: at },
    ])
    const { rows: access } = await database.pool.query(
      `SELECT at, practice_id, principal_kind, client_id, action, resource_type, patient_id, count, purpose, outcome
         FROM log.phi_audit WHERE correlation_id = ANY ($1)`,
      [[alone.activity.correlationId, together.activity.correlationId]],
    )
    expect(access).toHaveLength(2)
    expect(access[0]).toEqual(access[1])
  })

  test('counts what a key was refused when it comes alone, too', async () => {
    const keyId = randomUUID()

    await recorder.commit(served({ keyId, status: 404, refusal: 'notFound' }))
    await recorder.commit(served({ keyId, status: 401, refusal: 'expired' }))
    await recorder.commit(served({ keyId }))

    const { rows } = await database.pool.query(
      'SELECT served::int, refused::int FROM log.activity_day WHERE key_id = $1',
      [keyId],
    )
    expect(rows).toEqual([{ served: 1, refused: 2 }])
  })

  test('counts a flood of refusals, each of them, in few rows', async () => {
    const keyId = randomUUID()

    for (let i = 0; i < 20_000; i++)
      recorder.note(refusal({ keyId, at: new Date(at.getTime() + (i % 3) * 1_000) }))
    await recorder.flush()

    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS rows, sum(count)::int AS requests FROM log.activity WHERE key_id = $1',
      [keyId],
    )
    expect(rows[0].requests).toBe(20_000)
    expect(rows[0].rows).toBeLessThan(1_010)
  })

  test('a flood of made-up prefixes stays short, too', async () => {
    for (let i = 0; i < 30_000; i++) {
      recorder.note(
        refusal({
          keyId: null,
          claimedPrefix: `svc_t${String(i).padStart(7, '0')}`,
          status: 401,
          refusal: 'unknown key',
        }),
      )
    }
    expect(recorder.state().waiting).toBeLessThan(6_000)
    await recorder.flush()

    const { rows } = await database.pool.query(
      "SELECT sum(count)::int AS requests FROM log.activity WHERE refusal = 'unknown key'",
    )
    expect(rows[0].requests).toBe(30_000)
  })

  test('refuses with 503 when more wait than it can hold, and loses none that it took', async () => {
    const small = createRecorder({
      connectionString: database.appUrl,
      log: { error: () => {} },
      waitingMax: 10,
    })
    const keyId = randomUUID()

    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => small.commit(served({ keyId }))),
    )

    const taken = outcomes.filter(({ status }) => status === 'fulfilled').length
    expect(taken).toBe(10)
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of failed) expect(reason).toMatchObject({ kind: 'unavailable', status: 503 })
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS n FROM log.activity WHERE key_id = $1',
      [keyId],
    )
    expect(rows[0].n).toBe(taken)
    await small.close()
  })

  test('when its connection is cut, what is served fails closed until there is a new one, and refusals are kept', async () => {
    await recorder.commit(served())
    const kept = refusal()
    expect(await database.cut("application_name = 'sandpiper-recorder'")).toBeGreaterThan(0)
    recorder.note(kept)

    const record = served()
    await vi.waitUntil(
      () =>
        recorder.commit(record).then(
          () => true,
          () => false,
        ),
      { timeout: 5_000, interval: 10 },
    )
    await recorder.flush()

    expect(await rowsOf(kept.activity.correlationId)).toHaveLength(1)
    expect((await rowsOf(record.activity.correlationId)).length).toBeGreaterThanOrEqual(1)
  })

  test('without a database nothing is served, at once', async () => {
    const cut = createRecorder({
      connectionString: 'postgresql://nobody@127.0.0.1:1/nowhere',
      log: { error: () => {} },
    })
    cut.note(refusal())

    await expect(cut.commit(served())).rejects.toMatchObject({ kind: 'unavailable' })
    expect(cut.state()).toEqual({ connected: false, waiting: 1 })
    await cut.close(100)
  })

  test('a row that the database refuses takes no later ones with it', async () => {
    await expect(recorder.commit(served({ claimedPrefix: 'longer than twelve' }))).rejects.toMatchObject({
      kind: 'unavailable',
    })

    const record = served()
    await recorder.commit(record)

    expect(await rowsOf(record.activity.correlationId)).toHaveLength(1)
  })

  test('a row that the database refuses takes none of its own batch with it, served or refused', async () => {
    const good = Array.from({ length: 40 }, () => served())
    const bad = served({ claimedPrefix: 'longer than twelve' })
    const turnedAway = Array.from({ length: 9 }, () => refusal())
    const badRefusal = refusal({ claimedPrefix: 'longer than twelve' })
    const mixed = [...good.slice(0, 17), bad, ...good.slice(17)]
    for (const record of [...turnedAway.slice(0, 4), badRefusal, ...turnedAway.slice(4)])
      recorder.note(record)

    const outcomes = await Promise.allSettled(mixed.map((record) => recorder.commit(record)))
    await recorder.flush()

    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([17])
    for (const { activity } of [...good, ...turnedAway])
      expect(await rowsOf(activity.correlationId)).toHaveLength(1)
    for (const { activity } of [bad, badRefusal]) expect(await rowsOf(activity.correlationId)).toEqual([])
    expect(errors).toEqual(['activity could not be written', 'activity could not be written'])
    expect(recorder.state()).toEqual({ connected: true, waiting: 0 })
  })

  test('at the end it writes what waits, and takes no more', async () => {
    const record = refusal()
    recorder.note(record)

    await recorder.close()

    expect(await rowsOf(record.activity.correlationId)).toHaveLength(1)
    await expect(recorder.commit(served())).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('the activity log', () => {
  test('counts per UTC day and knows when a key last authenticated', async () => {
    const [busy, idle] = [randomUUID(), randomUUID()]
    const midnight = new Date('2026-11-20T00:00:00.000Z')
    await recorder.commit(served({ keyId: busy, at: new Date(midnight.getTime() - 1) }))
    await recorder.commit(served({ keyId: busy, at: midnight }))
    recorder.note(
      refusal({ keyId: busy, at: new Date(midnight.getTime() + 1), status: 401, refusal: 'revoked' }),
    )
    await recorder.flush()

    const use = await log.readUse(database, { keyIds: [busy, idle], days: 30, now: at })

    expect(use.get(busy)).toMatchObject({ lastUsedAt: midnight, browserUseAt: null, days: { length: 30 } })
    expect(use.get(busy)?.days.slice(-2)).toEqual([
      { day: '2026-11-19', served: 1, refused: 0 },
      { day: '2026-11-20', served: 1, refused: 1 },
    ])
    expect(use.get(idle)?.days.every(({ served, refused }) => served + refused === 0)).toBe(true)
    expect(await log.findLastUsed(database, [busy, idle])).toEqual(new Map([[busy, midnight]]))
  })
})
