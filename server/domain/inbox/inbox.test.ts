import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { OrganizationRole, PracticeRole, StaffRole } from '../../../prisma/generated/client/enums.ts'
import { agreementSupport } from '../../../tests/support/agreements.ts'
import { inboxSubjects, incident } from '../../../tests/support/inbox-subjects.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { anyWork } from '../../../tests/support/workflow-table.ts'
import { firstPage } from '../../contract/portal/paging.ts'
import {
  awaitedSteps,
  type InboxKind,
  isWorkflowKind,
  workflowKinds,
} from '../../contract/workflows/inbox.ts'
import type { InboxRole } from '../../contract/workflows/inbox-steps.ts'
import { workflowRows } from '../../contract/workflows/waiting-on.ts'
import type { Actor } from '../actor.ts'
import { agreements } from '../agreements/transition.ts'
import { sandboxKeys } from '../keys/transition.ts'
import { productionKeys } from '../production-keys/transition.ts'
import { noun as registrations } from '../registrations/transition.ts'
import { systemAuthorizations } from '../system-authorizations/transition.ts'
import * as engine from '../workflow/engine.ts'

const support = agreementSupport(() => services)
const { make, setSigners, at, noteTokenRequest } = inboxSubjects(
  () => services,
  support,
  () => parties,
)

const services = await registrationServices({ template: 'schema' })
const parties = await support.makeParties()
const { organizationId, practiceId, owner, admin, signatory } = parties
const member = async (role: 'viewer' | 'developer' | 'admin') => {
  const person = await support.addMember(organizationId, role)
  return () => person.actor
}
const clinician = await support.addPracticePerson(practiceId, 'clinician', 'Kim Clinician')
const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
const people: Readonly<Record<string, () => Actor>> = {
  viewer: await member('viewer'),
  developer: await member('developer'),
  admin: await member('admin'),
  owner: owner.fresh,
  practice_clinician: clinician.fresh,
  practice_admin: admin.fresh,
  practice_signatory: signatory.fresh,
  reviewer: reviewer.fresh,
  ops: ops.fresh,
}
const elsewhere = await support.makeParties()
const disabled = await support.addMember(organizationId, 'owner')
await services.prisma.account.update({
  where: { id: disabled.accountId },
  data: { disabledAt: services.clock() },
})
/** People who have none of the roles, or must not use theirs. */
const others: Readonly<Record<string, () => Actor>> = {
  'an owner elsewhere': elsewhere.owner.fresh,
  'an admin of another practice': elsewhere.admin.fresh,
  'a disabled owner': () => disabled.actor,
  'a reviewer who is a member': (await support.makeStaff('reviewer', owner.email)).fresh,
}

test('the sweep has somebody of every role that people can have', () => {
  const roles = [
    ...Object.keys(OrganizationRole),
    ...Object.keys(PracticeRole).map((role) => `practice_${role}`),
    ...Object.keys(StaffRole),
  ]
  expect(Object.keys(people).sort()).toEqual(roles.sort())
})

/** What the table of a workflow calls these people. */
const calledBy: Readonly<Partial<Record<InboxKind, Readonly<Record<string, string>>>>> = {
  production_key_request: { practice_admin: 'sponsor', practice_signatory: 'signatory' },
}

function expectedFor({ kind, state, step }: (typeof awaitedSteps)[number]): string[] {
  if (!isWorkflowKind(kind))
    return Object.keys(people).filter((who) => step.by?.some((role) => nameOf(role) === who))
  const actors =
    workflowRows[kind].find((row) => row.from === state && row.event === step.event)?.actors ?? []
  return Object.keys(people).filter((who) => {
    const isSide = { developer: !who.startsWith('practice_'), practice: who.startsWith('practice_') }
    return (
      actors.includes(calledBy[kind]?.[who] ?? who) &&
      (step.side === undefined || isSide[step.side]) &&
      (step.named === undefined || namedIn[kind]?.includes(who))
    )
  })
}
const nameOf = ({ realm, role }: InboxRole) => (realm === 'practice' ? `practice_${role}` : role)
const namedIn: Readonly<Partial<Record<InboxKind, readonly string[]>>> = {
  production_key_request: ['owner'],
  agreement: ['owner', 'practice_signatory'],
}

async function entriesOf(kind: InboxKind, id: string, who: () => Actor) {
  return (await services.inbox.list({ ask: firstPage, subject: { kind, id } }, who())).rows
}

/** Who sees the step of this subject. */
async function seenBy(id: string, { kind, state, step: { event } }: (typeof awaitedSteps)[number]) {
  const everybody = Object.entries({ ...people, ...others })
  const found = await Promise.all(everybody.map(([, who]) => entriesOf(kind, id, who)))
  for (const entries of found) expect(entries.length, 'once each').toBeLessThanOrEqual(1)
  return everybody
    .filter((_, place) => found[place]?.some((entry) => entry.state === state && entry.event === event))
    .map(([name]) => name)
}

const nouns = () => ({
  registration: registrations,
  production_key_request: productionKeys,
  agreement: agreements,
  sandbox_key_request: sandboxKeys,
  system_authorization: systemAuthorizations,
})

const work = anyWork([
  ...['name', 'appName', 'keyName', 'documentName', 'organizationName', 'organizationSlug', 'practiceName'],
  ...['page', 'side', 'requestId', 'agreementId'],
])

/** What the verb of a step writes besides, where the state stays the same. */
const effects: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  retry: (id) =>
    services.prisma.registration.update({
      where: { id },
      data: { probeAttempts: 0, probeDueAt: services.clock() },
    }),
  attest_return: (agreementId) =>
    services.prisma.agreementReturnTask.update({
      where: { agreementId },
      data: { attestedAt: services.clock() },
    }),
  edit: (id) => services.prisma.agreement.update({ where: { id }, data: { number: 2 } }),
  name_signatory: (agreementId) => setSigners(agreementId),
}

describe.each(workflowKinds)('%s', (kind) => {
  const steps = awaitedSteps.filter((each) => each.kind === kind)

  test.each(steps)(
    '$state: the people who may $step.event see it, nobody else, and it is gone when done',
    async (awaited) => {
      const { state, step } = awaited
      const id = await make(kind, state, step.fact)
      const row = workflowRows[kind].find((each) => each.from === state && each.event === step.event)
      const expected = expectedFor(awaited)

      expect(expected).not.toEqual([])
      expect(await seenBy(id, awaited)).toEqual(expected)

      const by = people[expected[0] ?? '']?.()
      await engine.transition(
        services.core,
        nouns()[kind] as never,
        { id },
        step.event,
        by as never,
        work as never,
      )
      if (row?.to === state) await effects[step.event]?.(id)
      expect(await seenBy(id, awaited)).toEqual([])
    },
    30_000,
  )

  test('a state that awaits nobody is in no inbox', async () => {
    const awaited = new Set(steps.map(({ state }) => state))
    const states = new Set(workflowRows[kind].flatMap(({ to }) => to ?? []).filter((to) => !awaited.has(to)))
    const ids: string[] = []
    for (const state of states) ids.push(await make(kind, state))

    for (const [name, who] of Object.entries({ ...people, ...others })) {
      const { rows } = await services.inbox.list({ ask: firstPage }, who())
      expect(
        // A duty may be about the same row.
        rows.filter((entry) => entry.kind === kind && ids.includes(entry.id)),
        name,
      ).toEqual([])
    }
    expect(ids).not.toEqual([])
  }, 30_000)
})

/** What ends each of the duties, by the verb that people use. */
const endings: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  extend: (keyId) => services.keys.extend({ keyId }, people.developer?.() as Actor),
  renew: (requestId) => services.productionKeys.renew({ requestId }, people.owner?.() as Actor),
  end_suspension: (requestId) =>
    services.productionKeys.revoke(
      { requestId, version: 0, idempotencyKey: randomUUID(), reason: 'Replaced by another key.' },
      people.owner?.() as Actor,
    ),
  recertify: (requestId) =>
    services.productionKeys.recertify({ requestId }, people.practice_admin?.() as Actor),
  withhold: async (requestId) => {
    const { practiceId } = await services.prisma.withholdRequest.findUniqueOrThrow({
      where: { id: requestId },
    })
    return services.withheldPatients.decline(
      { practiceId, requestId, reason: 'Please call us about it first.' },
      people.practice_admin?.() as Actor,
    )
  },
  check_alert: async (alertId) => {
    const { practiceId } = await services.prisma.accessAlert.findUniqueOrThrow({ where: { id: alertId } })
    await services.accessAlerts.acknowledge({ practiceId, alertId }, people.practice_admin?.() as Actor)
  },
  approve_staff_role: (id) =>
    services.operations.people.approveRole({ ...opsAct, id }, people.ops?.() as Actor),
  update: (id) =>
    services.status.updateIncident(
      { ...incident(), id, version: 1, stage: 'resolved', text: 'It is over.' },
      people.ops?.() as Actor,
    ),
  open_incident: () => services.status.openIncident(incident(), people.ops?.() as Actor),
  resend_mail: () => decideOnMail('resend_mail'),
  retry_job: async () => {
    const { rows } = await services.database.ownerPool.query(
      'SELECT id::text, attempts::int AS version FROM graphile_worker._private_jobs WHERE attempts >= max_attempts',
    )
    for (const job of rows)
      await services.operations.perform('retry_job', { ...opsAct, ...job }, people.ops?.() as Actor)
  },
  correct_token_request: (appId) => noteTokenRequest(`production-${appId}`, services.clock(), null),
}

async function decideOnMail(act: 'resend_mail' | 'leave_mail_unsent') {
  for (const { id, attempts } of await services.prisma.outboxMail.findMany({ where: { state: 'failed' } }))
    await services.operations.perform(act, { ...opsAct, id, version: attempts }, people.ops?.() as Actor)
}
const opsAct = { version: 0, reason: 'Asked for by telephone.', fields: {} }

test.each(awaitedSteps.filter(({ kind }) => !isWorkflowKind(kind)))(
  '$kind $state: the people who may see to it see it, nobody else, and it is gone when done',
  async (awaited) => {
    const id = await make(awaited.kind, awaited.state)
    const expected = expectedFor(awaited)

    expect(expected).not.toEqual([])
    expect(await seenBy(id, awaited)).toEqual(expected)
    await endings[awaited.step.event]?.(id)
    expect(await seenBy(id, awaited)).toEqual([])
  },
  30_000,
)

test('failed emails of a template are one entry, which ends when each was sent again or left unsent', async () => {
  const ops = people.ops as () => Actor
  await make('failed_email', 'unsent')
  const id = await make('failed_email', 'unsent')
  const [entry] = await entriesOf('failed_email', id, ops)
  expect(entry?.title).toBe('Resend the failed emails “welcome”, or leave them unsent.')

  await decideOnMail('leave_mail_unsent')
  expect(await entriesOf('failed_email', id, ops)).toEqual([])
  await make('failed_email', 'unsent')
  expect(await entriesOf('failed_email', id, ops)).toHaveLength(1)
})

test.each([
  ['what only a person or a practice decides', 'grant_revoked', '/r4/{practice}/token', -0.5, 0],
  ['another endpoint', 'wrong_client_secret', '/r4/{practice}/introspect', -0.5, 1],
  ['a second error', 'assertion_refused', '/r4/{practice}/token', -0.5, 1],
])(
  'a token error is listed as long as it is the last word: %s',
  async (_what, refusal, route, days, listed) => {
    const appId = await make('app_token_errors', 'refused')
    await noteTokenRequest(`production-${appId}`, at(days), refusal, route)
    const found = await entriesOf('app_token_errors', appId, people.owner as () => Actor)
    expect(found).toHaveLength(listed)
    for (const { clientId } of found) expect(clientId).toBe(`production-${appId}`)
  },
)

test('an app that asks for no token any more has no token error', async () => {
  const appId = await make('app_token_errors', 'refused')
  services.advance(6.1 * 86_400_000)
  expect(await entriesOf('app_token_errors', appId, people.owner as () => Actor)).toEqual([])
  services.advance(-6.1 * 86_400_000)
})

test('a role is decided by another operator than the one who requested it, and by nobody about themselves', async () => {
  const { prisma } = services
  const ops = people.ops as () => Actor
  const { accountId } = ops()
  const id = await make('role_request', 'open')
  for (const data of [{ requestedById: accountId }, { accountId }]) {
    const before = await prisma.staffRoleRequest.findUniqueOrThrow({ where: { id } })
    await prisma.staffRoleRequest.update({ where: { id }, data })
    expect(await entriesOf('role_request', id, ops)).toEqual([])
    await prisma.staffRoleRequest.update({ where: { id }, data: before })
    expect(await entriesOf('role_request', id, ops)).toHaveLength(1)
  }
})

test('an admin who signs for the practice as well can name another signatory', async () => {
  const team = await support.makeParties()
  const { practiceId, admin, signatory, owner } = team
  const id = await support.offerBaa(team)
  const roles = [
    { practiceId, accountId: admin.accountId, role: 'signatory' as const, createdAt: services.clock() },
  ]
  await services.prisma.practiceMembership.createMany({ data: roles })
  await services.prisma.practiceMembership.deleteMany({ where: { accountId: signatory.accountId } })

  const [entry] = await entriesOf('agreement', id, admin.fresh)
  expect(entry?.event).toBe('name_signatory')
  const named = { accountId: admin.accountId, legalName: admin.name, title: 'Practice manager' }
  await services.agreements.nameSignatory({ ...(await support.target(id)), ...named }, admin.fresh())
  expect((await entriesOf('agreement', id, admin.fresh)).map(({ event }) => event)).toEqual(['sign'])
  expect((await entriesOf('agreement', id, owner.fresh)).map(({ event }) => event)).toEqual(['sign'])
})

test.each([
  ['registration', 'draft', 'a draft that was never submitted'],
  ['registration', 'enabling', 'an app that is being enabled'],
  ['production_key_request', 'claim_expired', 'a link that was renewed often enough'],
  ['agreement', 'offered', 'an agreement that all sides have signed'],
  ['agreement', 'terminated', 'an agreement that owes no return'],
] as const)('%s %s: %s waits for nobody', async (kind, state, _what) => {
  const id = await make(kind, state)

  for (const who of Object.values(people)) expect(await entriesOf(kind, id, who)).toEqual([])
})

test('who decided before the appeal, proposed the rejection or approved first waits for a colleague', async () => {
  const { prisma } = services
  const reviewer = people.reviewer as () => Actor
  const { accountId: byId } = reviewer()
  const colleague = (await support.makeStaff('reviewer')).fresh
  const registration = () => make('registration', 'in_review')
  const key = () => make('production_key_request', 'in_review')
  const shut = [
    await prisma.registration.update({ where: { id: await registration() }, data: { proposal: { byId } } }),
    await prisma.registration.update({ where: { id: await registration() }, data: { excludedIds: [byId] } }),
    await prisma.productionKeyRequest.update({
      where: { id: await key() },
      data: { firstApproval: { byId } },
    }),
    await prisma.productionKeyRequest.update({ where: { id: await key() }, data: { proposal: { byId } } }),
  ]

  for (const row of shut) {
    const kind = 'form' in row ? 'registration' : 'production_key_request'
    expect(await entriesOf(kind, row.id, reviewer)).toEqual([])
    expect(await entriesOf(kind, row.id, colleague)).toHaveLength(1)
  }
})

test('the count is that of the list, for everybody', async () => {
  for (const who of Object.values({ ...people, ...others })) {
    const { total, rows, pages } = await services.inbox.list({ ask: firstPage }, who())
    expect(await services.inbox.count({}, who())).toBe(total)
    expect(rows).toHaveLength(pages === 1 ? total : 50)
  }
  expect(await services.inbox.count({}, people.owner?.() as Actor)).toBeGreaterThan(5)
})
