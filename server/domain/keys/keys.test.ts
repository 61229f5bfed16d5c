import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyRequestForm } from '../../../tests/support/key-request.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { limits } from '../../contract/http/limits.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { parseKey } from '../../contract/keys/key-format.ts'
import { tokenInLink } from '../../contract/portal/paths.ts'
import { provisionSandboxKey } from '../../jobs/workflow-jobs.ts'
import type { SandboxKeyRequestInput } from './key-requests.ts'

const hour = 3_600_000
const { makePerson, makeTeam } = createTeams(() => services)

const services = await testServices()

const form = (organizationId: string, changes: Partial<SandboxKeyRequestInput> = {}) =>
  keyRequestForm(services, organizationId, { name: 'Intake prototype', ...changes })

/** A request that has been provided and waits to be claimed, with the token of its mail. */
async function makeClaimable(changes: Partial<SandboxKeyRequestInput> = {}) {
  const { owner, organizationId } = await makeTeam()
  const { requestId } = await services.keys.requestSandboxKey(form(organizationId, changes), owner.actor)
  await services.keys.provision(requestId)
  return { owner, organizationId, requestId, token: await tokenOf(requestId) }
}

/** Opens the newest claim mail's sealed link, as delivery does. */
async function tokenOf(requestId: string): Promise<string> {
  const mail = await services.prisma.outboxMail.findFirstOrThrow({
    where: { template: 'key-claim', props: { path: ['requestId'], equals: requestId } },
    orderBy: { createdAt: 'desc' },
  })
  const links = services.mail.openLinks(mail)
  return tokenInLink(links.claimUrl ?? '') ?? ''
}

test('the email with the claim link names the request that caused it, although a job sends it', async () => {
  const { owner, organizationId } = await makeTeam()
  const { actor } = owner
  const wanted = form(organizationId)
  const { requestId } = await services.keys.requestSandboxKey(wanted, actor)
  const { rows } = await services.database.ownerPool.query(
    `SELECT payload FROM graphile_worker._private_jobs WHERE key = $1`,
    [`provision:${requestId}`],
  )
  await provisionSandboxKey.run(services, provisionSandboxKey.payload.parse(rows[0].payload), {
    workerId: 'test',
    now: services.clock(),
  })

  const mails = await services.prisma.outboxMail.findMany({ where: { threadId: requestId } })
  expect(mails.map(({ template, correlationId }) => [template, correlationId]).sort()).toEqual([
    ['key-claim', actor.correlationId],
    ['key-request-received', actor.correlationId],
  ])
})

test('a request leads to a claimable key in the organization’s own sandbox practice', async () => {
  const { owner, token, organizationId } = await makeClaimable()

  const claim = await services.keys.findClaim({ token, accountId: owner.accountId })

  const { slug } = await services.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  expect(claim).toMatchObject({ kind: 'live', level: 'read_only', organizationSlug: slug })
  const practice = await services.prisma.practice.findFirstOrThrow({ where: { organizationId } })
  expect(practice).toMatchObject({ environment: 'sandbox', state: 'active' })
})

test('revealing answers a well-formed key once and keeps only its hash', async () => {
  const { owner, token, organizationId } = await makeClaimable()

  const first = await services.keys.reveal({ token }, owner.actor)
  const second = await services.keys.reveal({ token }, owner.actor)

  if (first.kind !== 'revealed') throw new Error(first.kind)
  const { slug } = await services.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  expect(first.organizationSlug).toBe(slug)
  expect(parseKey(first.key)).toEqual({ prefix: first.prefix, environment: 'sandbox' })
  expect(second.kind).toBe('used')
  const row = await services.prisma.apiKey.findUniqueOrThrow({ where: { prefix: first.prefix } })
  expect(Buffer.from(row.secretHash)).toEqual(createHash('sha256').update(first.key).digest())
  expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(limits.keyDays * 24 * hour)
})

test('of two who reveal at once one gets the key', async () => {
  const { owner, token } = await makeClaimable()

  const answers = await Promise.all(
    Array.from({ length: 4 }, () => services.keys.reveal({ token }, owner.actor)),
  )

  expect(answers.filter((answer) => answer.kind === 'revealed')).toHaveLength(1)
  expect(answers.filter((answer) => answer.kind === 'used')).toHaveLength(3)
})

test('a reveal needs the password of the last ten minutes', async () => {
  const { owner, token } = await makeClaimable()
  const stale = { ...owner.actor, authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000) }

  const answer = await services.keys.reveal({ token }, stale)

  expect(answer.kind).toBe('step_up_needed')
  expect(await services.keys.findClaim({ token, accountId: owner.accountId })).toMatchObject({ kind: 'live' })
})

test('a claim link opened by somebody of another organization shows a masked address and nothing else', async () => {
  const { owner, token } = await makeClaimable()
  const stranger = await makePerson('Otto Samplewood')

  const answer = await services.keys.reveal({ token }, stranger.actor)

  expect(answer.kind).toBe('other_account')
  expect(JSON.stringify(answer)).not.toContain(owner.email)
})

test('the same form sent twice, even at once, makes one request', async () => {
  const { owner, organizationId } = await makeTeam()
  const sent = form(organizationId)

  const answers = await Promise.all([1, 2, 3].map(() => services.keys.requestSandboxKey(sent, owner.actor)))

  expect(new Set(answers.map((answer) => answer.requestId)).size).toBe(1)
  expect(await services.prisma.sandboxKeyRequest.count({ where: { organizationId } })).toBe(1)
})

test('the form for the last free key makes one request and no refusal, sent twice at once', async () => {
  const { owner, organizationId } = await makeTeam()
  for (let key = 1; key < limits.sandboxKeysPerOrganization; key++)
    await services.keys.requestSandboxKey(form(organizationId), owner.actor)
  const sent = form(organizationId)

  const answers = await Promise.all([1, 2, 3].map(() => services.keys.requestSandboxKey(sent, owner.actor)))

  expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(1)
})

test('an organization has three sandbox keys at most, however many forms arrive at once', async () => {
  const { owner, organizationId } = await makeTeam()

  const kinds = await Promise.all(
    Array.from({ length: 5 }, () =>
      services.keys.requestSandboxKey(form(organizationId), owner.actor).then(
        () => 'taken',
        (error: unknown) => (isProblem(error) ? error.kind : 'fault'),
      ),
    ),
  )

  expect(kinds.sort()).toEqual(['conflict', 'conflict', 'taken', 'taken', 'taken'])
})

test('a form with a secret in it is refused and stored nowhere', async () => {
  const { owner, organizationId } = await makeTeam()
  const planted =
    'our old one was svc_tAAAAAAAbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb000000, please extend it for us'

  const kind = await kindOfProblem(
    services.keys.requestSandboxKey(form(organizationId, { projectDescription: planted }), owner.actor),
  )

  expect(kind).toBe('validation')
  expect(await services.prisma.sandboxKeyRequest.count({ where: { organizationId } })).toBe(0)
  const { rows } = await services.database.ownerPool.query(
    `SELECT 1 FROM portal.audit_event WHERE detail::text LIKE '%svc_tAAAAAAA%'
     UNION ALL SELECT 1 FROM portal.outbox_mail WHERE props::text LIKE '%svc_tAAAAAAA%'`,
  )
  expect(rows).toHaveLength(0)
})

test('terms that are no longer in force are not accepted', async () => {
  const { owner, organizationId } = await makeTeam()

  const kind = await kindOfProblem(
    services.keys.requestSandboxKey(form(organizationId, { termsSha256: '0'.repeat(64) }), owner.actor),
  )

  expect(kind).toBe('validation')
})

test('an expired claim is sent again three times and no more, and old links stay dead', async () => {
  const { owner, requestId, token } = await makeClaimable()
  const answers: unknown[] = []
  for (let round = 0; round < 4; round++) {
    services.advance(limits.claimLinkHours * hour)
    await services.keys.tick(services.clock())
    answers.push(await services.keys.reissueClaim({ requestId }, owner.actor))
  }

  expect(answers).toEqual([
    { kind: 'sent', reissuesLeft: 2 },
    { kind: 'sent', reissuesLeft: 1 },
    { kind: 'sent', reissuesLeft: 0 },
    { kind: 'none_left' },
  ])
  expect((await services.keys.reveal({ token }, owner.actor)).kind).toBe('replaced')
})

test('a claim link stops at its 72nd hour even before the tick has seen it', async () => {
  const { owner, token } = await makeClaimable()
  services.advance(limits.claimLinkHours * hour)

  const answer = await services.keys.reveal({ token }, owner.actor)

  expect(answer).toMatchObject({ kind: 'expired', reissuesLeft: 3 })
})

test('a claim that expired while two ticks run sends one mail', async () => {
  const { requestId } = await makeClaimable()
  services.advance(limits.claimLinkHours * hour)

  await Promise.all([services.keys.tick(services.clock()), services.keys.tick(services.clock())])

  const mails = await services.prisma.outboxMail.count({
    where: { template: 'key-claim-expired', props: { path: ['requestId'], equals: requestId } },
  })
  expect(mails).toBe(1)
})

test('revoking twice is one revocation with one mail', async () => {
  const { owner, organizationId, requestId, token } = await makeClaimable()
  await services.keys.reveal({ token }, owner.actor)
  const [key] = await services.keys.list({ organizationId, accountId: owner.accountId })

  const answers = await Promise.all(
    [1, 2].map(() => services.keys.revoke({ keyId: key?.id ?? '', reason: 'rotated' }, owner.actor)),
  )

  expect(answers.map((answer) => answer.kind).sort()).toEqual(['already_ended', 'revoked'])
  const mails = await services.prisma.outboxMail.count({
    where: { template: 'key-revoked', props: { path: ['requestId'], equals: requestId } },
  })
  expect(mails).toBe(1)
})
