/** Every act of contract/portal/ops-actions.ts, through every refusal: role, fresh proof, reason, a stale look, two at once. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operationsSupport, opsReason } from '../../../tests/support/operations.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { type OpsAct, type OpsAction, opsActions } from '../../contract/portal/ops-actions.ts'
import type { Actor } from '../actor.ts'
import { issue } from '../link-tokens/link-tokens.ts'
import { kindOf } from './job-admin.ts'
import { withoutAddresses } from './mail-admin.ts'

const reason = opsReason

const services = await testServices({ template: 'schema' })
const made = await operationsSupport(services)
const ops = made.ops

/** The same outcome however often. */
const repeatable = new Set<OpsAction>([
  'grant_key_limits',
  'check_chain',
  'invite_practice_admin',
  'resend_staff_link',
])

function perform(action: OpsAction, given: OpsAct, actor: Actor): Promise<void> {
  if (action === 'grant_key_limits')
    return services.keys.grantLimits(
      { prefix: given.id, burst: 200, sustained: 4_000, reason: given.reason },
      actor,
    )
  return services.operations.perform(action, given, actor)
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
       UNION ALL SELECT t::text FROM portal.key_limit_grant t UNION ALL SELECT t::text FROM portal.account t
       UNION ALL SELECT t::text FROM portal.staff_role_request t UNION ALL SELECT t::text FROM portal.link_token t
       UNION ALL SELECT t::text FROM portal.practice_invitation t UNION ALL SELECT t::text FROM clinical.dataset t
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
    for (const stale of [{ authenticatedAt: long }, { mfa: long }, { mfa: undefined }])
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
})

it('lists are for operations alone', async () => {
  const { jobs, mails, practices, people, credentials, audit } = services.operations
  const reviewer = await made.staff('reviewer')

  for (const asked of [
    jobs.list(reviewer),
    mails.list({ state: 'failed' }, reviewer),
    practices.list({ q: '', page: 1 }, reviewer),
    practices.get('p', reviewer),
    people.list({ q: '', page: 1 }, reviewer),
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

it('a job that failed is told by the kind of its error, a mail by an address in outline', async () => {
  await made.scenes.resend_mail()
  const { id } = await made.job()

  const {
    troubled: { rows: troubled },
    jobs,
  } = await services.operations.jobs.list(ops)
  const {
    mails: { rows: mails },
    counts,
  } = await services.operations.mails.list({ state: 'failed' }, ops)

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

it('a failed email is sent again with its link, as long as the link is good', async () => {
  const { prisma, core, mail, clock } = services
  const now = clock()
  const { id: accountId } = await made.account({
    realm: 'developer',
    email: `${randomUUID()}@people.example`,
  })
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + 3_600_000)
  const token = await prisma.$transaction(async (tx) => {
    const issued = await issue(core, tx, { kind: 'verify_email', accountId, expiresAt, now })
    await mail.enqueue(tx, {
      id,
      template: 'verify-email',
      to: 'wren@people.example',
      props: { name: 'Wren Testwell', expiresAt: expiresAt.toISOString() },
      links: { verifyUrl: `/verify-email#token=${issued}` },
    })
    return issued
  })
  const fail = () => prisma.outboxMail.update({ where: { id }, data: { state: 'failed', attempts: 1 } })
  await fail()

  const {
    mails: { rows: mails },
  } = await services.operations.mails.list({ state: 'failed' }, ops)
  await perform('resend_mail', { id, version: 1, reason }, ops)

  const row = await prisma.outboxMail.findUniqueOrThrow({ where: { id } })
  expect(row.state).toBe('waiting')
  expect(mails.find((each) => each.id === id)).toMatchObject({ resendable: true })
  expect(JSON.stringify(mails)).not.toContain('sealedLinks')
  expect(mail.openLinks(row).verifyUrl).toContain(token)
  await fail()
  await prisma.linkToken.updateMany({ where: { accountId }, data: { consumedAt: now } })
  await expect(perform('resend_mail', { id, version: 1, reason }, ops)).rejects.toThrow(/expired or was used/)
  await prisma.outboxMail.update({
    where: { id },
    data: { sealedLinks: Buffer.from(`\x01\x04gone${'x'.repeat(40)}`) },
  })
  await expect(perform('resend_mail', { id, version: 1, reason }, ops)).rejects.toThrow(
    /Check ENCRYPTION_KEYS/,
  )
})

it('a mail whose links were erased is not sent again, and says so', async () => {
  const { id, version } = await made.scenes.resend_mail()
  await services.prisma.outboxMail.update({ where: { id }, data: { template: 'password-reset' } })

  await expect(perform('resend_mail', { id, version, reason }, ops)).rejects.toThrow(
    /must request a new email/,
  )
  const {
    mails: { rows: mails },
  } = await services.operations.mails.list({ state: 'failed' }, ops)
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
