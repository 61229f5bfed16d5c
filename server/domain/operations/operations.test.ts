/** Every act of contract/ops-actions.ts, through every refusal: role, fresh proof, reason, a stale look, two at once. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { operationsSupport, opsReason } from '../../../tests/support/operations.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { type OpsAct, type OpsAction, opsActions } from '../../contract/ops-actions.ts'
import type { Actor } from '../actor.ts'
import { kindOf } from './job-desk.ts'
import { withoutAddresses } from './mail-desk.ts'

const reason = opsReason

let services: TestServices
let made: Awaited<ReturnType<typeof operationsSupport>>
let ops: Actor

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  made = await operationsSupport(services)
  ops = made.ops
})

/** The same outcome however often. */
const repeatable = new Set<OpsAction>(['end_sessions', 'grant_key_limits', 'check_chain'])

function perform(action: OpsAction, given: OpsAct, actor: Actor): Promise<void> {
  if (action === 'grant_key_limits')
    return services.keys.grantLimits(
      { prefix: given.id, burst: 200, sustained: 4_000, reason: given.reason },
      actor,
    )
  if (action !== 'set_practice_fhir') return services.operations.perform(action, given, actor)
  const policy = { enabled: false, audiences: ['patient'] as const, types: null }
  return services.operations.practices.setFhirPolicy({ ...given, ...policy }, actor)
}

async function problemOf(work: Promise<unknown>): Promise<{ kind: string; field: string | undefined }> {
  return work.then(
    () => ({ kind: 'none', field: undefined }),
    (error: { kind?: string; field?: string }) => ({ kind: error.kind ?? String(error), field: error.field }),
  )
}

/** Everything that acts change. */
async function footprint(): Promise<unknown> {
  const { rows } = await services.database.ownerPool.query(
    `SELECT md5(string_agg(line, '|' ORDER BY line)) AS hash FROM (
       SELECT t::text AS line FROM portal.practice t UNION ALL SELECT t::text FROM portal.api_key t
       UNION ALL SELECT t::text FROM portal.client t UNION ALL SELECT t::text FROM portal.session t
       UNION ALL SELECT t::text FROM portal.outbox_mail t UNION ALL SELECT t::text FROM portal.audit_event t
       UNION ALL SELECT t::text FROM portal.key_limit_grant t
       UNION ALL SELECT t::text FROM graphile_worker._private_jobs t) every`,
  )
  return rows[0].hash
}

describe.each(Object.keys(opsActions) as OpsAction[])('%s', (action) => {
  it('is for operations alone, with fresh proof of who it is and a reason; else nothing changes', async () => {
    const scene = await made.scenes[action]()
    const developer = await made.account({ realm: 'developer', email: `${randomUUID()}@people.example` })
    const admin = await made.account({ realm: 'practice', email: `${randomUUID()}@practice.example` })
    const gone = await made.staff('ops')
    await services.prisma.account.update({
      where: { id: gone.accountId },
      data: { disabledAt: services.clock() },
    })
    const reviewer = await made.staff('reviewer')
    const before = await footprint()
    const long = new Date(services.clock().getTime() - 11 * 60_000)
    const attempt = (actor: Actor, words: string = reason) =>
      problemOf(perform(action, { ...scene, reason: words }, actor))

    for (const actor of [
      reviewer,
      made.actorOf(developer.id),
      made.actorOf(admin.id),
      gone,
      made.actorOf(randomUUID()),
    ])
      expect(await attempt(actor)).toEqual({ kind: 'forbidden', field: undefined })
    for (const stale of [{ authenticatedAt: long }, { secondStep: long }, { secondStep: undefined }])
      expect(await attempt({ ...ops, ...stale } as Actor)).toEqual({ kind: 'forbidden', field: 'stepUp' })
    for (const words of [
      '',
      '         ',
      'too short',
      `a${' '.repeat(12)}b`,
      'long enough, \0 and more',
      'x'.repeat(501),
      `the key is svc_t${'A1b2C3d'.repeat(7)}`,
    ])
      expect(await attempt(ops, words), words).toEqual({ kind: 'validation', field: 'reason' })

    expect(await footprint()).toBe(before)
  })

  it('is done once and leaves its reason in the audit, whoever else tries at the same moment', async () => {
    const scene = await made.scenes[action]()
    const given = { ...scene, reason: `${reason}\n ${action}` }

    const both = await Promise.allSettled([perform(action, given, ops), perform(action, given, ops)])
    const again = await kindOfProblem(perform(action, given, ops))

    const done = both.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBe(repeatable.has(action) ? 2 : 1)
    if (repeatable.has(action)) expect(again).toBe('none')
    else expect(['conflict', 'not_found']).toContain(again)
    const rows = await services.prisma.auditEvent.findMany({
      where: { detail: { path: ['reason'], equals: `${reason} ${action}` } },
    })
    expect(rows.length).toBe(repeatable.has(action) ? 3 : 1)
    expect(rows[0]).toMatchObject({
      action: opsActions[action].audit,
      actorKind: 'account',
      actorId: ops.accountId,
      correlationId: ops.correlationId,
    })
  })

  it('finds nothing under ids that are none', async () => {
    if (action === 'check_chain') return expect(await services.operations.audit.lastCheck(ops)).not.toBeNull()
    for (const id of ['', 'nobody', randomUUID(), '99999999', "' OR 1=1", '💧'.repeat(20)])
      expect(['not_found', 'conflict'], id).toContain(
        await kindOfProblem(perform(action, { id, version: 0, reason }, ops)),
      )
  })
})

it('lists are for operations alone', async () => {
  const { jobs, mails, sessions, practices, credentials, audit } = services.operations
  const reviewer = await made.staff('reviewer')

  for (const asked of [
    jobs.list(reviewer),
    mails.list({ state: 'failed' }, reviewer),
    sessions.list({ realm: null, email: '' }, reviewer),
    practices.list({ search: '' }, reviewer),
    practices.get('p', reviewer),
    credentials.find('svc_tAAAAAAA', reviewer),
    audit.search({ limit: 10 }, reviewer),
    audit.file({}, reviewer).next(),
    audit.lastCheck(reviewer),
  ])
    expect(await kindOfProblem(asked)).toBe('forbidden')
})

it('a key of the explorer is given no limits, for it could never be forgotten then', async () => {
  const { prisma, keys, explorerKeys, clock } = services
  const { id } = await made.key({ explorer: true })
  const { prefix } = await prisma.apiKey.findUniqueOrThrow({ where: { id } })

  const granted = keys.grantLimits({ prefix, burst: 200, sustained: 4_000, reason }, ops)
  expect(await kindOfProblem(granted)).toBe('conflict')
  await explorerKeys.tidyKeys(new Date(clock().getTime() + 400 * 86_400_000))
  expect(await prisma.apiKey.count({ where: { id } })).toBe(0)
})

it('an address with a NUL finds nobody, and breaks nothing', async () => {
  const { sessions, practices, credentials } = services.operations

  expect((await sessions.list({ realm: null, email: 'no\0body' }, ops)).sessions).toEqual([])
  expect(await practices.list({ search: 'no such \0' }, ops)).toEqual([])
  expect(await kindOfProblem(practices.get('p\0', ops))).toBe('not_found')
  expect(await credentials.find('svc_t\0', ops)).toBeNull()
})

it('a job that failed is told by the kind of its error, a mail by an address in outline', async () => {
  await made.scenes.resend_mail()
  const { id } = await made.job()

  const { troubled, jobs } = await services.operations.jobs.list(ops)
  const { mails, counts } = await services.operations.mails.list({ state: 'failed' }, ops)

  expect(troubled.find((row) => row.id === id)).toMatchObject({
    task: 'send-mail',
    attempts: 3,
    state: 'failed',
    lastError: 'TypeError',
  })
  expect(jobs.find(({ task }) => task === 'send-mail')?.failed).toBeGreaterThan(0)
  expect(mails[0]).toMatchObject({
    to: 'w…@p….example',
    lastError: '550 no such user <(address)>',
    resendable: true,
  })
  expect(counts.failed).toBe(mails.length)
  expect(JSON.stringify([troubled, mails])).not.toMatch(/Wren|wren@/)
  expect(kindOf('timeout exceeded when asking for Wren')).toBe('Error')
  expect(kindOf(null)).toBeNull()
  expect(withoutAddresses('to a.b+c@x.example; d@y.example')).toBe('to (address); (address)')
})

it('a job that runs is left alone', async () => {
  const { id, version } = await made.job()
  await services.database.ownerPool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'w' WHERE id = $1`,
    [id],
  )

  for (const action of ['retry_job', 'give_up_job'] as const)
    expect(await kindOfProblem(perform(action, { id, version, reason }, ops))).toBe('conflict')
})

it('a mail whose links were erased is not sent again, and says so', async () => {
  const { id, version } = await made.scenes.resend_mail()
  await services.prisma.outboxMail.update({ where: { id }, data: { template: 'password-reset' } })

  await expect(perform('resend_mail', { id, version, reason }, ops)).rejects.toThrow(/asks for a new one/)
  const { mails } = await services.operations.mails.list({ state: 'failed' }, ops)
  expect(mails.find((mail) => mail.id === id)?.resendable).toBe(false)
})

it('a suspended practice lets nobody in from the next request on, cancels what runs, and its admins are told', async () => {
  const id = await made.practice()
  const app = await made.client(false)
  await services.prisma.bulkExport.create({
    data: {
      practiceId: id,
      runningPracticeId: id,
      clientId: app.id,
      state: 'running',
      base: 'b',
      request: 'r',
      plan: {},
      createdAt: services.clock(),
    },
  })

  await perform('suspend_practice', { id, version: 0, reason }, ops)

  expect(await services.prisma.practice.findUnique({ where: { id } })).toMatchObject({
    state: 'suspended',
    version: 1,
  })
  expect(await services.prisma.bulkExport.findFirst({ where: { practiceId: id } })).toMatchObject({
    state: 'cancelled',
  })
  const [mail] = await services.prisma.outboxMail.findMany({ where: { threadId: id } })
  expect(mail).toMatchObject({ template: 'operations-notice', props: { what: 'practice_suspended', reason } })
  await perform('resume_practice', { id, version: 1, reason }, ops)
  expect(await services.prisma.practice.findUnique({ where: { id } })).toMatchObject({
    state: 'active',
    version: 2,
  })
})

it('a credential is found by its public prefix or its client id, and by nothing less', async () => {
  const { id } = await made.key()
  const { prefix } = await services.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  const app = await made.client(true)
  const { find } = services.operations.credentials

  expect(await find(prefix, ops)).toMatchObject({
    kind: 'key',
    id,
    state: 'active',
    organization: 'Teal Heron Labs',
  })
  // Whoever pastes a whole key finds it too; what follows the prefix goes nowhere.
  expect(await find(`${prefix}abcdef`, ops)).toMatchObject({ kind: 'key', id })
  expect(await find(app.id, ops)).toMatchObject({ kind: 'client', state: 'suspended', version: 1 })
  for (const wanted of ['', 'svc_t', prefix.slice(0, 11), 'app-', '%', 'Tidepath'])
    expect(await find(wanted, ops)).toBeNull()
})

it('the owner of a key and of an app hears of what was done to it', async () => {
  const mine = await made.key()
  await perform('suspend_key', { ...mine, reason }, ops)
  await perform('resume_key', { id: mine.id, version: 1, reason }, ops)
  await perform('revoke_key', { id: mine.id, version: 2, reason }, ops)

  const mails = await services.prisma.outboxMail.findMany({
    where: { threadId: mine.id },
    orderBy: { id: 'asc' },
  })
  expect(mails.map(({ toAddress }) => toAddress)).toEqual([made.ownerEmail, made.ownerEmail, made.ownerEmail])
  expect(mails.map(({ template }) => template).sort()).toEqual([
    'key-revoked',
    'operations-notice',
    'operations-notice',
  ])
  expect(JSON.stringify(mails.map(({ props }) => props))).not.toMatch(/svc_/)
})

it('the audit is searched by actor, action, subject and time, page by page, and never twice the same row', async () => {
  const other = await made.staff('ops')
  const { email } = await services.prisma.account.findUniqueOrThrow({ where: { id: other.accountId } })
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    const mine = await made.key()
    ids.push(mine.id)
    await perform('revoke_key', { ...mine, reason }, other)
  }
  const { search, file } = services.operations.audit
  const subjects = async (filter: Parameters<typeof search>[0]) =>
    (await search(filter, ops)).rows.map(({ subjectId }) => subjectId)
  const newestFirst = ids.toReversed()

  expect(await subjects({ who: email.toUpperCase(), limit: 50 })).toEqual(newestFirst)
  expect(await subjects({ who: other.accountId, action: 'api_key', limit: 50 })).toEqual(newestFirst)
  expect(await subjects({ who: other.accountId, action: 'api', limit: 50 })).toEqual([])
  expect(await subjects({ subject: ids[2] ?? '', limit: 50 })).toEqual([ids[2]])
  expect(await subjects({ who: other.accountId, to: services.clock(), limit: 50 })).toEqual([])
  expect(await subjects({ who: 'nobody@people.example', limit: 50 })).toEqual([])
  const first = await search({ who: other.accountId, limit: 3 }, ops)
  const second = await search({ who: other.accountId, limit: 3, before: first.next ?? '' }, ops)
  expect([...first.rows, ...second.rows].map(({ subjectId }) => subjectId)).toEqual(newestFirst)
  expect(second.next).toBeNull()
  expect(first.rows[0]).toMatchObject({ actor: 'Kim Placeholder', action: 'api_key.revoked' })
  const pages = []
  for await (const rows of file({ who: other.accountId }, ops)) pages.push(...rows)
  expect(pages.map(({ subjectId }) => subjectId)).toEqual(newestFirst)
  expect(await kindOfProblem(search({ before: 'x', limit: 1 }, ops))).toBe('validation')
})

it('the chain is checked on demand, and the result is kept for whoever looks next', async () => {
  await services.sealer.seal()

  await perform('check_chain', { id: '', version: 0, reason }, ops)

  expect(await services.operations.audit.lastCheck(ops)).toMatchObject({
    verdict: { intact: true },
    by: 'Kim Placeholder',
  })
  await services.database.ownerPool.query(
    `UPDATE portal.audit_event SET ip = '198.51.100.1' WHERE chain_number = 3`,
  )
  await perform('check_chain', { id: '', version: 0, reason }, ops)
  expect(await services.operations.audit.lastCheck(ops)).toMatchObject({
    verdict: { intact: false, number: '3' },
  })
})
