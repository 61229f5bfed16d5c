/** Every row of contract/portal/retention.ts: what is just younger stays and what is just older goes, by the jobs that run anyway. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { testServices } from '../../tests/support/services.ts'
import { type Retention, type RetentionId, retention } from '../contract/portal/retention.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { tasks } from './index.ts'

const account = '0190a0a0-0000-7000-8000-000000000001'
const practice = '0190a0a0-0000-7000-8000-000000000002'
const grant = '0190a0a0-0000-7000-8000-000000000003'
const cap = '0190a0a0-0000-7000-8000-000000000005'
const agreement = '0190a0a0-0000-7000-8000-000000000004'

/** $1 is the time it counts from, $2 an id. The column is that time, as the row has it. */
type Fixture = { column: string; columns: string; values: string }
const bytes = 'decode(md5($2::text), $$hex$$)'
const token: Fixture = {
  column: 'expires_at',
  columns: 'id, token_hash, grant_id, scope, created_at, expires_at',
  values: `$2, ${bytes}, '${grant}', 's', $1, $1`,
}

const fixtures: Partial<Record<string, Fixture>> = {
  'log.activity': {
    column: 'at',
    columns: 'at, door, environment, method, route, status, correlation_id, duration_ms',
    values: `$1, 'rest', 'sandbox', 'GET', '/patients', 200, $2, 1`,
  },
  'log.activity_day': {
    column: 'day',
    columns: 'key_id, day, served, refused',
    values: '$2, ($1::timestamptz AT TIME ZONE $$UTC$$)::date, 1, 0',
  },
  'log.export_patients': {
    column: 'at',
    columns: 'at, export_id, first_id, last_id, patient_ids, types, type_names',
    values: `$1, $2, 'a', 'a', '{a}', '{1}', '{Patient}'`,
  },
  'log.phi_audit': {
    column: 'at',
    columns: 'at, practice_id, principal_kind, principal_id, action, count, purpose, outcome, correlation_id',
    values: `$1, '${practice}', 'api_key', 'k', 'read', 1, 'care', 'served', $2`,
  },
  'graphile_worker._private_jobs': {
    column: 'updated_at',
    columns: 'task_id, payload, attempts, max_attempts, updated_at',
    values: `(SELECT min(id) FROM graphile_worker._private_tasks), '{}', 3, 3, $1`,
  },
  'portal.audit_event': {
    column: 'at',
    columns: 'at, actor_kind, action, subject_kind, subject_id, detail',
    values: `$1, 'system', 'test.made', 'test', $2::text, '{}'`,
  },
  'portal.access_day': {
    column: 'day',
    columns: 'practice_id, subject_kind, subject_id, day, figures',
    values: `'${practice}', 'key', $2::text, ($1::timestamptz AT TIME ZONE $$UTC$$)::date, '{}'`,
  },
  'portal.key_cap_day': {
    column: 'day',
    columns: 'cap_id, day',
    values: `'${cap}', ($1::timestamptz AT TIME ZONE $$UTC$$)::date`,
  },
  'portal.key_cap_patient': {
    column: 'day',
    columns: 'cap_id, day, patient_id',
    values: `'${cap}', ($1::timestamptz AT TIME ZONE $$UTC$$)::date, $2::text`,
  },
  'portal.session': {
    column: 'expires_at',
    columns:
      'id_hash, id, realm, account_id, created_at, authenticated_at, last_seen_at, expires_at, ip, user_agent',
    values: `md5($2::text), $2, 'developer', '${account}', $1, $1, $1, $1, '192.0.2.1', 'x'`,
  },
  'portal.access_token': token,
  'portal.refresh_token': token,
  'portal.authorization_code': {
    column: 'expires_at',
    columns: 'code_hash, grant_id, redirect_uri, code_challenge, created_at, expires_at',
    values: `${bytes}, '${grant}', 'x', 'x', $1, $1`,
  },
  'portal.used_assertion': {
    column: 'expires_at',
    columns: 'client_id, jti, expires_at',
    values: `'app', $2::text, $1`,
  },
  'portal.assertion_attempt': {
    column: 'at',
    columns: 'id, client_id, at, correlation_id, report',
    values: `$2, 'app', $1, 'x', '{}'`,
  },
  'portal.authorization_request': {
    column: 'expires_at',
    columns:
      'id, browser_hash, client_id, practice_id, redirect_uri, state, code_challenge, scope, created_at, expires_at',
    values: `$2, ${bytes}, 'app', '${practice}', 'x', 'x', 'x', 'x', $1, $1`,
  },
  'portal.launch_context': {
    column: 'expires_at',
    columns: 'id, token_hash, practice_id, client_id, created_at, expires_at',
    values: `$2, ${bytes}, '${practice}', 'app', $1, $1`,
  },
  'portal.launch_simulation': {
    column: 'expires_at',
    columns: 'id, organization_id, practice_id, client_id, kind, created_by_id, created_at, expires_at',
    values: `$2, '${account}', '${practice}', 'app', 'backend', '${account}', $1, $1`,
  },
  'portal.fault_switch': {
    column: 'ends_at',
    columns: 'id, organization_id, client_id, steps, repeats, created_by_id, created_at, ends_at',
    values: `$2, '${account}', 'app', '["500"]', true, '${account}', $1, $1`,
  },
  'portal.link_token': {
    column: 'expires_at',
    columns: 'id, token_hash, kind, created_at, expires_at',
    values: `$2, ${bytes}, 'verify_email', $1, $1`,
  },
  'portal.outbox_mail': {
    column: 'created_at',
    columns: 'id, template, to_address, props, message_id, state, next_attempt_at, created_at',
    values: `$2, 'welcome', 'a@people.example', '{}', $2::text, 'sent', $1, $1`,
  },
  'portal.mailbox_message': {
    column: 'at',
    columns: 'id, outbox_id, to_address, from_address, subject, template, html, text, headers, at',
    values: `$2, $2, 'a@people.example', 'b@people.example', 's', 't', 'h', 't', '{}', $1`,
  },
  'portal.throttle': {
    column: 'window_start',
    columns: 'key, window_start, count',
    values: '$2::text, $1, 1',
  },
  'clinical.idempotency': {
    column: 'created_at',
    columns: 'dataset_id, key_id, name, request, status, resource_type, resource_id, created_at',
    values: `1, $2, 'n', sha256('x'), 201, 1, 'x', $1`,
  },
  'portal.key_draft': {
    column: 'expires_at',
    columns: 'id, email, message_id, name, description, received_at, expires_at',
    values: `$2, 'a@people.example', $2::text, 'n', 'd', $1, $1`,
  },
  'portal.account': {
    column: 'created_at',
    columns: 'id, realm, email, name, password_hash, created_at',
    values: `$2, 'developer', $2::text || '@people.example', 'Wren', '$x', $1`,
  },
}
const query = (sql: string, values: unknown[] = []) => services.database.ownerPool.query(sql, values)

const services = await testServices({ template: 'schema' })
// The logs go by the database's clock; so does this test.
const now: Date = (await query('SELECT now() AS now')).rows[0].now
// The queue knows a task from its first job on.
await query(`SELECT graphile_worker.add_job('send-mail', '{}'::json)`)
await query(`
  INSERT INTO portal.account (id, realm, email, name, password_hash, email_verified_at, created_at)
    VALUES ('${account}', 'developer', 'wren@people.example', 'Wren', '$x', now(), now());
  INSERT INTO portal.organization (id, slug, name, created_by_id, created_at)
    VALUES ('${account}', 'o', 'O', '${account}', now());
  INSERT INTO portal.practice (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
    VALUES ('${practice}', 'p', 'P', 'sandbox', true, true, 'office', 1, now());
  INSERT INTO portal.key_cap (id, practice_id, calls_per_day, zone) VALUES ('${cap}', '${practice}', 1, 'UTC');
  INSERT INTO portal.client (id, app_id, environment, audience, authentication, name, scope, created_at)
    VALUES ('app', '${account}', 'sandbox', 'patient', 'none', 'App', 'openid', now());
  INSERT INTO portal."grant" (id, client_id, practice_id, audience, scope, created_at)
    VALUES ('${grant}', 'app', '${practice}', 'patient', 'openid', now());
  INSERT INTO portal.agreement (id, kind, organization_id, state, created_at, active_at, executed_at, ended_at, retain_until)
    VALUES ('${agreement}', 'baa', '${account}', 'terminated', '2001-01-01', '2001-01-01', '2001-01-01', '2002-01-01', '2008-01-01');
  INSERT INTO portal.agreement_executed (agreement_id, number, document_sha256, sha256, bytes, executed_at)
    VALUES ('${agreement}', 1, 'a', 'b', 'x', '2001-01-01');`)

/** The last moment from which a row of it counts as over. */
function edge({ for: period }: Retention): Date {
  const date = new Date(now)
  if (period?.years) date.setUTCFullYear(date.getUTCFullYear() - period.years)
  if (period?.months) date.setUTCMonth(date.getUTCMonth() - period.months)
  if (period?.days) date.setTime(date.getTime() - period.days * 86_400_000)
  return date
}

async function insert(table: string, { columns, values }: Fixture, at: Date): Promise<void> {
  const usesId = values.includes('$2')
  await query(
    `INSERT INTO ${table} (${columns}) VALUES (${values.replaceAll('$2', '$2::uuid')})`,
    usesId ? [at, randomUUID()] : [at],
  )
}

async function run(job: string | null): Promise<void> {
  const task = tasks.find(({ name }) => name === job)
  expect(task, String(job)).toBeDefined()
  await task?.run(services, undefined, { workerId: 'test', now })
}

const deleted = Object.entries(retention).filter(([id, row]) => row.for !== null && id !== 'export_files')

it.each(deleted)('%s: what is just over goes, what is not stays', async (_, row) => {
  for (const table of row.tables) {
    const fixture = fixtures[table]
    if (!fixture) throw new Error(`no fixture for ${table}`)
    const margin = fixture.column === 'day' ? 86_400_000 : 60_000
    const older = new Date(edge(row).getTime() - margin)
    const younger = new Date(edge(row).getTime() + margin * 10)
    for (const at of [older, younger]) await insert(table, fixture, at)

    await run(row.job)

    const { rows } = await query(
      `SELECT count(*) FILTER (WHERE ${fixture.column} <= $1)::int AS older,
         count(*) FILTER (WHERE ${fixture.column} > $1 AND ${fixture.column} <= $2)::int AS younger FROM ${table}`,
      [older, younger],
    )
    expect(rows[0], table).toEqual({ older: 0, younger: 1 })
  }
})

it('files of exports go with their links, and the export is still told of', async () => {
  const day = 86_400_000
  const ids = [randomUUID(), randomUUID()]
  for (const [index, id] of ids.entries()) {
    const end = new Date(now.getTime() + (index === 0 ? -60_000 : 600_000))
    await query(
      `INSERT INTO portal.bulk_export (id, practice_id, client_id, state, base, request, plan, created_at, ended_at, links_end_at, manifest)
       VALUES ($1, '${practice}', 'app', 'complete', 'b', 'r', '{}', $2, $2, $3, '{}')`,
      [id, new Date(end.getTime() - day), end],
    )
  }

  await run(retention.export_files.job)

  const { rows } = await query('SELECT removed_at FROM portal.bulk_export ORDER BY links_end_at')
  expect(rows).toEqual([{ removed_at: now }, { removed_at: null }])
})

it('audit rows of long ago stay, and their chain is intact after every job has run', async () => {
  const fixture = fixtures['portal.audit_event'] as Fixture
  for (const year of [2001, 2010, 2026])
    await insert('portal.audit_event', fixture, new Date(Date.UTC(year, 1)))
  await services.sealer.seal()
  const before = await services.prisma.auditEvent.count()

  for (const job of new Set(Object.values(retention).flatMap(({ job }) => (job ? [job] : [])))) await run(job)

  expect(await services.prisma.auditEvent.count()).toBeGreaterThanOrEqual(before)
  await services.sealer.seal()
  await services.sealer.writeHead({ now: true })
  expect(await services.sealer.verify()).toMatchObject({ intact: true, waiting: 0 })
  const deleting = services.database.pool.query('DELETE FROM portal.audit_event')
  await expect(deleting).rejects.toThrow(/permission denied/)
})

it('agreements stay, even beyond their lock, and one in force cannot be deleted by anybody', async () => {
  expect(await services.prisma.agreementExecuted.count()).toBe(1)
  await expect(services.database.pool.query('DELETE FROM portal.agreement_executed')).rejects.toThrow(
    /permission denied/,
  )
  await query(`UPDATE portal.agreement SET ended_at = NULL, retain_until = NULL WHERE id = '${agreement}'`)
  await expect(query('DELETE FROM portal.agreement_executed')).rejects.toThrow(
    /kept until its retention ends/,
  )
})

it('a mail that waits is not deleted, however old', async () => {
  await query(
    `INSERT INTO portal.outbox_mail (id, template, to_address, props, message_id, state, next_attempt_at, created_at)
     VALUES (gen_random_uuid(), 'welcome', 'a@people.example', '{}', 'waits', 'waiting', now(), '2001-01-01')`,
  )

  await run('delete-ended')

  expect(await services.prisma.outboxMail.count({ where: { messageId: 'waits' } })).toBe(1)
})

it('many rows go in batches, all of them', async () => {
  const asked: number[] = []
  let left = 4_500
  const gone = await deleteInBatches(async (limit) => {
    asked.push(limit)
    const count = Math.min(limit, left)
    left -= count
    return { count }
  })

  expect(gone).toBe(4_500)
  expect(asked).toEqual([2_000, 2_000, 2_000])
  await query(
    `INSERT INTO portal.throttle (key, window_start, count) SELECT n::text, '2001-01-01', 1 FROM generate_series(1, 4500) n`,
  )
  await run('delete-ended')
  expect(
    await services.prisma.throttle.count({ where: { windowStart: { lt: new Date('2002-01-01') } } }),
  ).toBe(0)
})

it('the logs cannot be emptied by the server, whatever it asks the database to forget', async () => {
  const at = new Date(now.getTime() - 86_400_000)
  for (const table of ['log.activity', 'log.phi_audit']) await insert(table, fixtures[table] as Fixture, at)
  const before = await query('SELECT count(*)::int AS n FROM log.phi_audit')

  await services.database.pool.query('SELECT log.forget_phi_audit(1000000)')

  expect((await query('SELECT count(*)::int AS n FROM log.phi_audit')).rows).toEqual(before.rows)
  await expect(services.database.pool.query('DELETE FROM log.phi_audit')).rejects.toThrow(/permission denied/)
})

it('every table named is one there is, and every job one that runs by the clock', async () => {
  const jobs = new Set(tasks.filter(({ every }) => every).map(({ name }) => name))
  const ids = Object.keys(retention) as RetentionId[]
  for (const id of ids) {
    const { job, tables } = retention[id]
    if (job !== null) expect(jobs.has(job), job).toBe(true)
    for (const table of tables)
      expect((await query('SELECT to_regclass($1) AS found', [table])).rows[0].found, table).not.toBeNull()
  }
})
