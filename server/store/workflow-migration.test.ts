/** What a database of the schema before holds about requests, agreements and registrations is there after it. */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Audited, audited, olderRelease, stepsTo } from '../../tests/support/audited-steps.ts'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { agreementWorkflow } from '../contract/workflows/agreement-workflow.ts'
import { productionKeyWorkflow } from '../contract/workflows/production-key-workflow.ts'
import { registrationWorkflow } from '../contract/workflows/registration-workflow.ts'
import { sandboxKeyWorkflow } from '../contract/workflows/sandbox-key-workflow.ts'
import { systemAuthorizationWorkflow } from '../contract/workflows/system-authorization-workflow.ts'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from './migrations.ts'

const before = '20261126010000_next_action'
const at = '2026-11-20T17:00:00.000Z'

/** Each kind of subject, the table of its events before, and the column that named the subject there. */
const nouns = [
  {
    kind: 'production_key_request',
    events: 'production_key_event',
    column: 'request_id',
    states: productionKeyWorkflow.states,
  },
  {
    kind: 'registration',
    events: 'registration_event',
    column: 'registration_id',
    states: registrationWorkflow.states,
  },
  { kind: 'agreement', events: 'agreement_event', column: 'agreement_id', states: agreementWorkflow.states },
] as const

let database: TestDatabase
let folder: string
const organizationId = randomUUID()
const accountId = randomUUID()
const practiceId = randomUUID()
const adminId = randomUUID()

const { auditRow, eventsAfter, detailOf, makeAudited, makeApps, makeKeys, makeParts } = olderRelease({
  at,
  accountId,
  adminId,
  organizationId,
  practiceId,
  insert,
})

beforeAll(async () => {
  database = await testDatabase('empty')
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-migrations-'))
  for (const { name } of readMigrations(MIGRATIONS_FOLDER))
    if (name < before) cpSync(join(MIGRATIONS_FOLDER, name), join(folder, name), { recursive: true })
  await migrate({ ownerUrl: database.ownerUrl, folder })
  await insert('account', {
    id: accountId,
    realm: 'developer',
    email: 'robin@samplewood.example',
    name: 'Robin Testwell',
    password_hash: 'x',
    created_at: at,
  })
  await insert('organization', {
    id: organizationId,
    slug: 'samplewood',
    name: 'Samplewood',
    created_by_id: accountId,
    created_at: at,
  })
  await insert('practice', {
    id: practiceId,
    slug: 'fennmoor',
    name: 'Fennmoor',
    environment: 'production',
    fhir_enabled: true,
    in_directory: true,
    purpose: 'office',
    dataset_id: 1,
    created_at: at,
  })
  await insert('account', {
    id: adminId,
    realm: 'practice',
    email: 'avery@fennmoor.example',
    name: 'Avery Sample',
    password_hash: 'x',
    created_at: at,
  })
  await insert('practice_membership', {
    practice_id: practiceId,
    account_id: adminId,
    role: 'admin',
    created_at: at,
  })
  await insert('membership', {
    organization_id: organizationId,
    account_id: accountId,
    role: 'owner',
    created_at: at,
  })
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true }))

async function insert(table: string, values: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(values).map((column) => `"${column}"`)
  const places = columns.map((_, index) => `$${index + 1}`)
  await database.ownerPool.query(
    `INSERT INTO portal."${table}" (${columns.join()}) VALUES (${places.join()})`,
    Object.values(values),
  )
}

async function rowsOf(table: string, where = ''): Promise<Record<string, unknown>[]> {
  const { rows } = await database.ownerPool.query<{ row: Record<string, unknown> }>(
    `SELECT to_jsonb(t) - 'next_action_at' AS row FROM portal."${table}" t ${where} ORDER BY to_jsonb(t)::text`,
  )
  return rows.map(({ row }) => row)
}

/** Every table of the portal with its columns. */
async function readTables(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await database.ownerPool.query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text) AS columns
       FROM information_schema.columns WHERE table_schema = 'portal' GROUP BY 1 ORDER BY 1`,
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** All that these columns hold, by table, in the order of its rows' text. */
async function readAll(tables: ReadonlyMap<string, readonly string[]>) {
  const held = new Map<string, readonly unknown[]>()
  for (const [table, columns] of tables) {
    const { rows } = await database.ownerPool.query<{ row: unknown }>(
      `SELECT to_jsonb(t) AS row FROM (SELECT ${columns.map((name) => `"${name}"`).join()}
         FROM portal."${table}") t ORDER BY to_jsonb(t)::text`,
    )
    held.set(
      table,
      rows.map(({ row }) => row),
    )
  }
  return held
}

const subjects = {
  production_key_request: (id: string, state: string) => ({
    id,
    state,
    organization_id: organizationId,
    requested_by_id: accountId,
    practice_id: practiceId,
    practice_slug: 'fennmoor',
    name: 'Nightly import',
    level: 'read_only',
    term_days: 90,
    invited_at: at,
    silent_since: at,
    clock_received_on: '2026-11-20',
    clock_due_on: '2026-11-30',
    clock_due_at: '2026-12-01T04:59:59.000Z',
    clock_remaining: 3,
    created_at: at,
    updated_at: at,
  }),
  registration: (id: string, state: string) => ({
    id,
    state,
    kind: 'app',
    organization_id: organizationId,
    created_by_id: accountId,
    name: 'Tidepath Health',
    form: {},
    silent_since: at,
    created_at: at,
    updated_at: at,
  }),
  agreement: (id: string, state: string) => ({
    id,
    state,
    kind: 'baa',
    organization_id: organizationId,
    practice_id: practiceId,
    ends_at: '2027-11-20T17:00:00.000Z',
    created_at: at,
    active_at: at,
  }),
}

/** What an event says, without the names of the table it is in. */
const said = ({ id: _, codes, side, ...event }: Record<string, unknown>, column: string) => {
  const { [column]: subject, subject_kind: __, subject_id, ...rest } = event
  return { subject: subject_id ?? subject, codes: codes ?? [], side: side ?? null, ...rest }
}

async function timelines(table: string, column: string, where = '') {
  const { rows } = await database.ownerPool.query<{ row: Record<string, unknown> }>(
    `SELECT to_jsonb(t) AS row FROM portal.${table} t ${where} ORDER BY id`,
  )
  return rows.map(({ row }) => said(row, column))
}

test('a BAA of the time when demographics included identifiers still covers its key', async () => {
  const older = await testDatabase('empty')
  const till = mkdtempSync(join(tmpdir(), 'sandpiper-migrations-'))
  for (const { name } of readMigrations(MIGRATIONS_FOLDER))
    if (name < '20261203010000_key_access')
      cpSync(join(MIGRATIONS_FOLDER, name), join(till, name), { recursive: true })
  await migrate({ ownerUrl: older.ownerUrl, folder: till })
  rmSync(till, { recursive: true })
  const own = async (sql: string) => (await older.ownerPool.query(sql)).rows
  await own(`
    INSERT INTO portal.account (id, realm, email, name, password_hash, created_at)
    VALUES ('${accountId}', 'developer', 'robin@samplewood.example', 'Robin Testwell', 'x', '${at}');
    INSERT INTO portal.organization (id, slug, name, created_by_id, created_at)
    VALUES ('${organizationId}', 'samplewood', 'Samplewood', '${accountId}', '${at}');
    INSERT INTO portal.production_key_request
      (id, state, organization_id, requested_by_id, practice_slug, name, level, term_days, data_classes, created_at, updated_at)
    VALUES ('${practiceId}', 'active', '${organizationId}', '${accountId}', 'fennmoor', 'Import', 'read_only', 90,
            '{demographics,visits}', '${at}', '${at}');
    INSERT INTO portal.agreement (id, kind, state, organization_id, request_id, data_classes, created_at, active_at)
    SELECT gen_random_uuid(), 'baa', state, '${organizationId}', '${practiceId}', classes::text[], '${at}', '${at}'
      FROM (VALUES ('executed', '{demographics,visits}'), ('expired', '{visits}')) of (state, classes)`)

  await migrate({ ownerUrl: older.ownerUrl })

  const whole = ['demographics', 'visits', 'identifiers']
  expect(await own('SELECT data_classes FROM portal.production_key_request')).toEqual([
    { data_classes: whole },
  ])
  expect(await own('SELECT state, data_classes FROM portal.agreement ORDER BY state')).toEqual([
    { state: 'executed', data_classes: whole },
    { state: 'expired', data_classes: ['visits'] },
  ])
}, 60_000)

test('the states of sandbox keys and systems are all among those that are migrated', () => {
  const statesOf = (table: Audited) => new Set(stepsTo(table).map((steps) => steps.at(-1)?.[2]))
  expect(statesOf('sandbox_key_request')).toEqual(new Set(sandboxKeyWorkflow.states))
  expect(statesOf('practice_system_authorization')).toEqual(new Set(systemAuthorizationWorkflow.states))
})

test('keys, apps, agreements and grants in every state keep their timelines, clocks and pending emails', async () => {
  for (const { kind, events, column, states } of nouns)
    for (const state of states) {
      const id = randomUUID()
      await insert(kind, subjects[kind](id, state))
      await makeParts(kind, id)
      for (const event of ['begin', state])
        await insert(events, {
          [column]: id,
          at,
          event,
          from: event === 'begin' ? null : 'begun',
          to: state,
          actor_kind: 'owner',
          actor_id: accountId,
          text: `Words about ${state}`,
          detail: { count: 1 },
          idempotency_key: event === 'begin' ? null : randomUUID(),
          ...(kind === 'agreement' ? { side: 'developer' } : { codes: ['one', 'two'] }),
        })
      await insert('outbox_mail', {
        id: randomUUID(),
        template: 'production-received',
        to_address: 'robin@samplewood.example',
        props: { about: state },
        message_id: `<${id}@portal.example>`,
        thread_id: id,
        created_at: at,
        next_attempt_at: at,
      })
    }
  const expected = new Map<string, object[]>()
  for (const table of Object.keys(audited) as Audited[])
    for (const steps of stepsTo(table)) {
      const id = await makeAudited(table, steps.at(-1)?.[2] ?? '')
      for (const step of steps) await insert('audit_event', auditRow(table, id, step, detailOf(step[1])))
      expected.set(id, eventsAfter(id, steps))
    }
  await makeKeys()
  await makeApps()
  const tables = await readTables()
  const held = await readAll(tables)
  const before = await Promise.all(nouns.map(({ events, column }) => timelines(events, column)))

  await migrate({ ownerUrl: database.ownerUrl })

  const after = await readAll(tables)
  for (const table of tables.keys()) expect(after.get(table), table).toEqual(held.get(table))
  for (const [place, { kind, column }] of nouns.entries()) {
    const now = await timelines('workflow_event', column, `WHERE subject_kind = '${kind}'`)
    expect(now.length).toBeGreaterThan(0)
    expect(now).toEqual(before[place])
    const waiting = await database.pool.query(
      `SELECT count(*)::int AS rows FROM portal.${kind} WHERE next_action_at <= now()`,
    )
    // The first ticks look at each of them once.
    expect(waiting.rows[0].rows).toBe(held.get(kind)?.length)
  }
  for (const [id, events] of expected)
    expect(await timelines('workflow_event', 'subject_id', `WHERE subject_id = '${id}'`)).toEqual(events)
  expect(await rowsOf('sandbox_key_request', 'WHERE next_action_at <= now()')).toHaveLength(
    stepsTo('sandbox_key_request').length,
  )
}, 60_000)

test('a step of the release before is in the timeline when it runs beside this one; the engine’s own is there once', async () => {
  for (const table of Object.keys(audited) as Audited[]) {
    const id = await makeAudited(table, 'requested')
    const [first, second] = audited[table]
    await insert('audit_event', auditRow(table, id, first, {}))
    await insert('audit_event', auditRow(table, id, second, detailOf(second[1])))
    await insert('audit_event', auditRow(table, id, second, { from: 'requested', to: second[2] }))

    const events = await timelines('workflow_event', 'subject_id', `WHERE subject_id = '${id}'`)
    expect(events).toEqual(eventsAfter(id, audited[table].slice(0, 2)))
  }
})

test('an event written by the release before is read by this one, and the other way round, each once', async () => {
  for (const { kind, events, column } of nouns) {
    const [id, key] = [randomUUID(), randomUUID()]
    const state = 'withdrawn'
    await insert(kind, subjects[kind](id, state))
    const event = { at, event: 'withdraw', to: state, actor_kind: 'owner', idempotency_key: key }
    const asServer = (table: string, values: Record<string, unknown>) => {
      const columns = Object.keys(values)
      return database.pool.query(
        `INSERT INTO portal.${table} (${columns.map((name) => `"${name}"`).join()})
         VALUES (${columns.map((_, index) => `$${index + 1}`).join()})`,
        Object.values(values),
      )
    }

    await asServer(events, { ...event, [column]: id })
    await asServer('workflow_event', {
      ...event,
      subject_kind: kind,
      subject_id: id,
      idempotency_key: randomUUID(),
    })

    const old = await timelines(events, column, `WHERE ${column} = '${id}'`)
    const now = await timelines('workflow_event', column, `WHERE subject_id = '${id}'`)
    expect(old).toHaveLength(2)
    expect(now).toEqual(old)
    // The same form is done once, whichever release it reached first.
    await expect(
      asServer('workflow_event', { ...event, subject_kind: kind, subject_id: id }),
    ).rejects.toThrow(/idempotency/)
  }
})

test('a row that the release before changes is looked at by the next tick', async () => {
  for (const { kind } of nouns) {
    const id = randomUUID()
    await insert(kind, subjects[kind](id, 'withdrawn'))
    const next = async (sql: string) => {
      await database.pool.query(`UPDATE portal.${kind} SET ${sql} WHERE id = $1`, [id])
      const { rows } = await database.pool.query<{ next_action_at: Date | null }>(
        `SELECT next_action_at FROM portal.${kind} WHERE id = $1`,
        [id],
      )
      return rows[0]?.next_action_at ?? null
    }

    expect(await next('next_action_at = NULL')).toBeNull()
    expect(await next('version = version + 1')).toEqual(new Date(0))
  }
})
