import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { anyWork } from '../../../tests/support/workflow-table.ts'
import { firstPage } from '../../contract/portal/paging.ts'
import {
  type AwaitedStep,
  awaitedSteps,
  type InboxFact,
  type InboxKind,
  workflowRows,
} from '../../contract/workflows/inbox.ts'
import type { Actor } from '../actor.ts'
import { nounOf as agreementsOf } from '../agreements/transition.ts'
import { sandboxKeys } from '../keys/transition.ts'
import { productionKeys } from '../production-keys/transition.ts'
import { nounOf as registrationsOf } from '../registrations/transition.ts'
import { systemAuthorizations } from '../system-authorizations/transition.ts'
import * as engine from '../workflow/engine.ts'

let services: TestServices
let parties: Parties
let people: Readonly<Record<string, () => Actor>>
/** People who have none of the roles, or must not use theirs. */
let others: Readonly<Record<string, () => Actor>>
const support = agreementSupport(() => services)

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
  parties = await support.makeParties()
  const { organizationId, practiceId, owner, admin, signatory } = parties
  const member = async (role: 'viewer' | 'developer' | 'admin') => {
    const person = await support.addMember(organizationId, role)
    return () => person.actor
  }
  const clinician = await support.addPracticePerson(practiceId, 'clinician', 'Kim Clinician')
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  people = {
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
  others = {
    'an owner elsewhere': elsewhere.owner.fresh,
    'an admin of another practice': elsewhere.admin.fresh,
    'a disabled owner': () => disabled.actor,
    'a reviewer who is a member': (await support.makeStaff('reviewer', owner.email)).fresh,
  }
})

/** What the table of a workflow calls these people. */
const calledBy: Readonly<Partial<Record<InboxKind, Readonly<Record<string, string>>>>> = {
  production_key_request: { practice_admin: 'sponsor', practice_signatory: 'signatory' },
}

function expectedFor({ kind, state, step }: (typeof awaitedSteps)[number]): string[] {
  const actors =
    workflowRows[kind].find((row) => row.from === state && row.event === step.event)?.actors ?? []
  return Object.keys(people).filter((who) => {
    const isSide = { developer: !who.startsWith('practice_'), practice: who.startsWith('practice_') }
    return (
      actors.includes(calledBy[kind]?.[who] ?? who) &&
      (step.side === undefined || isSide[step.side]) &&
      (step.named === undefined || namedIn[kind]?.includes(who)) &&
      (step.fact !== 'service_unsigned' || who === 'ops')
    )
  })
}
const namedIn: Readonly<Partial<Record<InboxKind, readonly string[]>>> = {
  production_key_request: ['owner'],
  agreement: ['owner', 'practice_signatory'],
}

async function entriesOf(id: string, who: () => Actor) {
  const { rows } = await services.inbox.list({ ask: firstPage }, who())
  return rows.filter((entry) => entry.id === id)
}

/** Who sees the step of this subject. */
async function seenBy(id: string, { state, step: { event } }: { state: string; step: AwaitedStep }) {
  const everybody = Object.entries({ ...people, ...others })
  const found = await Promise.all(everybody.map(([, who]) => entriesOf(id, who)))
  for (const entries of found) expect(entries.length, 'once each').toBeLessThanOrEqual(1)
  return everybody
    .filter((_, place) => found[place]?.some((entry) => entry.state === state && entry.event === event))
    .map(([name]) => name)
}

const nouns = () => ({
  registration: registrationsOf(services.core),
  production_key_request: productionKeys,
  agreement: agreementsOf(services.core),
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

describe.each(Object.keys(workflowRows) as InboxKind[])('%s', (kind) => {
  const steps = awaitedSteps.filter((each) => each.kind === kind)

  test.each(steps)(
    '$state: the people who may $step.event see it, nobody else, and it is gone when done',
    async (awaited) => {
      const { state, step } = awaited
      const id = await make(kind, state, step.fact ?? null)
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
    for (const state of states) ids.push(await make(kind, state, null))

    for (const [name, who] of Object.entries({ ...people, ...others })) {
      const { rows } = await services.inbox.list({ ask: firstPage }, who())
      expect(
        rows.filter(({ id }) => ids.includes(id)),
        name,
      ).toEqual([])
    }
    expect(ids).not.toEqual([])
  }, 30_000)
})

test.each([
  ['registration', 'draft', 'a draft that was never submitted'],
  ['registration', 'enabling', 'an app that is being enabled'],
  ['production_key_request', 'claim_expired', 'a link that was renewed often enough'],
  ['agreement', 'offered', 'an agreement that all sides have signed'],
  ['agreement', 'terminated', 'an agreement that owes no return'],
] as const)('%s %s: %s waits for nobody', async (kind, state, _what) => {
  const id = await make(kind, state, null)

  for (const who of Object.values(people)) expect(await entriesOf(id, who)).toEqual([])
})

test('who decided before the appeal, proposed the rejection or approved first waits for a colleague', async () => {
  const { prisma } = services
  const reviewer = people.reviewer as () => Actor
  const { accountId: byId } = reviewer()
  const colleague = (await support.makeStaff('reviewer')).fresh
  const registration = () => make('registration', 'in_review', null)
  const key = () => make('production_key_request', 'in_review', null)
  const ids = [
    await prisma.registration.update({ where: { id: await registration() }, data: { proposal: { byId } } }),
    await prisma.registration.update({ where: { id: await registration() }, data: { excludedIds: [byId] } }),
    await prisma.productionKeyRequest.update({
      where: { id: await key() },
      data: { firstApproval: { byId } },
    }),
    await prisma.productionKeyRequest.update({ where: { id: await key() }, data: { proposal: { byId } } }),
  ].map(({ id }) => id)

  for (const id of ids) {
    expect(await entriesOf(id, reviewer)).toEqual([])
    expect(await entriesOf(id, colleague)).toHaveLength(1)
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

test('an entry says what, since when, until when and whose; the first due comes first', async () => {
  const team = await support.makeParties()
  const now = services.clock()
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000)
  const first = await make('sandbox_key_request', 'ready_to_claim', null, team)
  await services.prisma.sandboxKeyRequest.update({ where: { id: first }, data: { claimExpiresAt: at(1) } })
  const last = await make('production_key_request', 'needs_info', null, team)
  await services.prisma.productionKeyRequest.update({ where: { id: last }, data: { silentSince: at(-3) } })
  await services.prisma.workflowEvent.createMany({
    data: [
      { at: at(-3), event: 'request_info', from: 'in_review', to: 'needs_info' },
      { at: at(-1), event: 'remind', from: 'needs_info', to: 'needs_info' },
    ].map((event) => ({
      ...event,
      subjectKind: 'production_key_request',
      subjectId: last,
      actorKind: 'reviewer',
    })),
  })

  const { rows } = await services.inbox.list({ ask: firstPage }, team.owner.fresh())
  const organization = { name: 'Samplewood Health Apps' }
  expect(rows).toMatchObject([
    { id: first, title: 'Claim the key “Nightly import”.', dueAt: at(1), organization },
    {
      id: last,
      title: 'Answer the reviewer’s questions about the production key “Nightly import”.',
      since: at(-3),
      dueAt: at(27),
      practice: { name: 'Old Quay Family Practice' },
    },
  ])
  expect(rows).toHaveLength(2)
  const { organizationId } = parties
  expect(await services.inbox.count({ organizationId }, team.owner.fresh())).toBe(0)
  expect(await services.inbox.count({ organizationId: team.organizationId }, team.owner.fresh())).toBe(2)
})

/** A stored row in that state, of which that is true. */
async function make(
  kind: InboxKind,
  state: string,
  fact: InboxFact | null,
  of: Parties = parties,
): Promise<string> {
  const { prisma } = services
  const { organizationId, practiceId, owner } = of
  const now = services.clock()
  const shared = { organizationId, state, name: 'Nightly import', createdAt: now, updatedAt: now }
  if (kind === 'registration') {
    const data = {
      kind: 'app',
      form: {},
      createdById: owner.accountId,
      silentSince: fact === 'submitted_incomplete' ? now : null,
      probeAttempts: fact === 'probes_failed' ? 5 : 4,
    }
    return (await prisma.registration.create({ data: { ...shared, ...data } })).id
  }
  if (kind === 'production_key_request') {
    const data = {
      practiceId,
      practiceSlug: 'old-quay',
      requestedById: owner.accountId,
      level: 'full' as const,
      termDays: 90,
      submittedAt: now,
      invitedAt: now,
      reissues: fact === 'reissues_left' ? 2 : 3,
    }
    return (await prisma.productionKeyRequest.create({ data: { ...shared, ...data } })).id
  }
  if (kind === 'sandbox_key_request') {
    const data = {
      practiceId,
      requestedById: owner.accountId,
      projectDescription: 'Results of synthetic people.',
      technicalContact: owner.email,
      level: 'read_only' as const,
      termsVersion: '1',
      termsSha256: 'x',
      idempotencyKey: randomUUID(),
    }
    return (await prisma.sandboxKeyRequest.create({ data: { ...shared, ...data } })).id
  }
  return kind === 'agreement' ? makeAgreement(state, fact) : makeSystem(state)
}

async function makeAgreement(state: string, fact: InboxFact | null): Promise<string> {
  const { organizationId, practiceId } = parties
  const now = services.clock()
  const kind = fact === 'service_unsigned' ? 'usage_agreement' : 'baa'
  const { id } = await services.prisma.agreement.create({
    data: {
      ...{ kind, state, organizationId, createdAt: now, activeAt: now },
      practiceId: kind === 'baa' ? practiceId : null,
      rejectedNumber: fact === 'rejected' ? 1 : null,
    },
  })
  await setSigners(id, fact)
  if (fact === 'return_owed')
    await services.prisma.agreementReturnTask.create({ data: { agreementId: id, openedAt: now, dueAt: now } })
  const signed = {
    unsigned: [],
    rejected: [],
    none_signed: [],
    half_signed: ['developer'],
    service_unsigned: ['developer'],
    developer_left: ['practice'],
    practice_left: ['developer'],
  }
  const sides = (fact && (signed as Partial<Record<InboxFact, string[]>>)[fact]) ?? ['developer', 'practice']
  const words = { legalName: 'x', title: 'x', authority: 'x', consent: 'x', sha256: 'x' }
  await services.prisma.agreementSignature.createMany({
    data: sides.map((side) => ({ ...words, agreementId: id, number: 1, side, at: now })),
  })
  return id
}

/** The signatories of both sides; one of them is a person who has left. */
async function setSigners(agreementId: string, fact: InboxFact | null = null): Promise<void> {
  const { owner, signatory } = parties
  const left = await support.makePerson('Kim Left')
  const named = {
    developer: fact === 'developer_left' ? left : owner,
    practice: fact === 'practice_left' ? left : signatory,
  }
  await services.prisma.agreementSignatory.deleteMany({ where: { agreementId } })
  await services.prisma.agreementSignatory.createMany({
    data: Object.entries(named).map(([side, { accountId }]) => ({
      ...{ agreementId, side, accountId },
      ...{ legalName: 'Kim Sample', title: 'Partner' },
    })),
  })
}

async function makeSystem(state: string): Promise<string> {
  const { organizationId, practiceId } = parties
  const now = services.clock()
  const app = { environment: 'production', audience: 'backend', authentication: 'private_key_jwt' } as const
  const { id: clientId } = await services.prisma.client.create({
    data: {
      ...app,
      ...{ id: `app-${randomUUID()}`, appId: randomUUID(), organizationId, name: 'Tidepath reports' },
      ...{ scope: 'system/Patient.rs', createdAt: now },
    },
  })
  const asked = { scope: 'system/Patient.rs', purpose: 'Reports of the practice.', requestedAt: now }
  const data = { ...asked, practiceId, clientId, state }
  return (await services.prisma.practiceSystemAuthorization.create({ data })).id
}
