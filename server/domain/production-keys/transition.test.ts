import { beforeAll, expect, test } from 'vitest'
import { type MailName, registry } from '../../../emails/registry.ts'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import {
  type ProductionKeyParty,
  type ProductionKeyTransition,
  productionKeyActors,
  productionKeyEvents,
  productionKeyStates,
  productionKeyWorkflow,
} from '../../contract/production-key-workflow.ts'
import * as engine from '../workflow/engine.ts'
import { type Initiator, productionKeys, transition } from './transition.ts'

let services: TestServices
const support = productionKeySupport(() => services)
const rows: readonly ProductionKeyTransition[] = productionKeyWorkflow.rows
const listed = (from: string, event: string, actor: string) =>
  rows.find((row) => row.from === from && row.event === event && row.actors.includes(actor))

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

test('every state has a name and a holder, and every row of the table can be reached', () => {
  expect(Object.keys(productionKeyStates).sort()).toEqual([...productionKeyWorkflow.states].sort())
  const reached = new Set(rows.map(({ to }) => to))
  for (const { from } of rows) if (from !== null) expect(reached, from).toContain(from)
  const pairs = rows.map(({ from, event }) => `${from} ${event}`)
  expect(new Set(pairs).size).toBe(pairs.length)
})

test('every step of every party from every state is listed, or refused and leaves everything as it was', async () => {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const clinician = await support.practicePerson(office.practiceId, 'clinician', 'Cleo Placeholder')
  const [viewer, developer, admin] = await Promise.all(
    (['viewer', 'developer', 'admin'] as const).map((role) =>
      support.addMember(organizationId, role, `Kim ${role}`),
    ),
  )
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  const outsider = await support.person('practice', 'Otto Elsewhere')
  const who: Readonly<Record<ProductionKeyParty, Initiator>> = {
    visitor: outsider.fresh(),
    viewer: viewer?.fresh() ?? 'system',
    developer: developer?.fresh() ?? 'system',
    admin: admin?.fresh() ?? 'system',
    owner: owner.fresh(),
    clinician: clinician.fresh(),
    signatory: office.signatory.fresh(),
    sponsor: office.admin.fresh(),
    reviewer: reviewer.fresh(),
    ops: ops.fresh(),
    system: 'system',
    documents: { documents: true, actor: null },
  }
  const of = { organizationId, requestedById: owner.accountId, practiceId: office.practiceId }
  const ids = new Map<string, string>()
  for (const state of productionKeyWorkflow.states) ids.set(state, await rowIn(state, of))

  let [done, refused] = [0, 0]
  for (const state of productionKeyWorkflow.states)
    for (const kind of productionKeyActors) {
      const unlisted = productionKeyEvents.filter((event) => !listed(state, event, kind))
      for (const event of unlisted)
        expect(
          () => productionKeyWorkflow.next(state, event, kind as never),
          `${state} ${event} ${kind}`,
        ).toThrow()
      refused += unlisted.length
      // Of what the table does not list, one step of each party is tried at a stored request.
      const event = unlisted[(done + refused) % unlisted.length] ?? 'save'
      const outcome = await kindOfProblem(
        engine.transition(services.core, productionKeys, { id: ids.get(state) ?? '' }, event, who[kind]),
      )
      expect(outcome, `${state} ${event} ${kind}`).toBe(kind === 'visitor' ? 'not_found' : 'conflict')
    }
  for (const row of rows)
    for (const kind of row.from === null ? [] : row.actors) {
      const id = await rowIn(row.from ?? '', of)
      const what = `${row.from} ${row.event} ${kind}`
      const initiator = who[kind as ProductionKeyParty]
      const step = engine.transition(services.core, productionKeys, { id }, row.event, initiator, anyWork)
      expect(await kindOfProblem(step), what).toBe('none')
      expect(await support.stateOf(id), what).toBe(row.to)
      expect(await tracesOf(id), what).toEqual({
        events: [{ from: row.from, event: row.event, to: row.to, actorKind: kind }],
        audit: [{ action: `production_key.${row.event}`, practiceId: office.practiceId }],
        emails: emailsOf(row, { developers: [owner], practice: [office.admin], ops: [ops] }),
      })
      done += 1
    }

  expect(refused).toBeGreaterThan(8_000)
  const untouched = { id: { in: [...ids.values()] }, version: 0 }
  expect(await services.prisma.productionKeyRequest.count({ where: untouched })).toBe(ids.size)
  // Of what was done each left one event and one audit row.
  expect(
    await services.prisma.workflowEvent.count({ where: { subjectKind: 'production_key_request' } }),
  ).toBe(done)
  const audited = { subjectKind: 'production_key_request' }
  expect(await services.prisma.auditEvent.count({ where: audited })).toBe(done)
}, 120_000)

/** Holds every guard, and has something to say in every email there is: what is sent is what the table lists. */
const anyWork = {
  guards: new Proxy({}, { get: () => () => {} }),
  effects: () => ({ emails: () => contents }),
}
const contents = Object.fromEntries(
  (Object.keys(registry) as MailName[]).map((name) => {
    const {
      name: _,
      side,
      keyName,
      organizationName,
      organizationSlug,
      practiceName,
      requestId,
      ...content
    } = registry[name].example as Record<string, unknown>
    return [name, name === 'production-claim' ? { ...content, links: { claimUrl: '/claim/x' } } : content]
  }),
)

type People = Record<'developers' | 'practice' | 'ops', readonly { email: string }[]>

function emailsOf({ emails = {} }: ProductionKeyTransition, people: People): string[] {
  const { developers, practice, ops } = people
  const both = [...developers, ...practice]
  // Every row of this test has reached its practice, and was asked for by the owner.
  const readers = { developers, practice, ops, both, involved: both, requester: developers }
  return Object.entries(emails)
    .flatMap(([template, recipients]) => readers[recipients].map(({ email }) => `${template} ${email}`))
    .sort()
}

/** What a step left behind. */
async function tracesOf(id: string) {
  const { prisma } = services
  const events = await prisma.workflowEvent.findMany({
    where: { subjectId: id },
    select: { from: true, event: true, to: true, actorKind: true },
  })
  const audit = await prisma.auditEvent.findMany({
    where: { subjectId: id },
    select: { action: true, practiceId: true },
  })
  const emails = await prisma.outboxMail.findMany({ where: { threadId: id } })
  return { events, audit, emails: emails.map(({ template, toAddress }) => `${template} ${toAddress}`).sort() }
}

test('a step whose guard or emails nobody brings does not compile', () => {
  const target = { requestId: 'none' }
  // @ts-expect-error the guard that the table names is missing
  const withoutGuard = () => transition(services.core, target, 'claim', 'system', { effects: () => ({}) })
  // @ts-expect-error what the email says is missing
  const withoutEmail = () => transition(services.core, target, 'expire', 'system', { effects: () => ({}) })
  const misspelled = () =>
    transition(services.core, target, 'expire', 'system', {
      // @ts-expect-error the table lists no such email
      effects: () => ({ emails: () => ({ 'production-revoked': { by: '', reason: '', at: '' } }) }),
    })

  expect([withoutGuard, withoutEmail, misspelled]).toHaveLength(3)
})

type Of = { organizationId: string; requestedById: string; practiceId: string }

async function rowIn(state: string, of: Of): Promise<string> {
  const now = services.clock()
  const row = await services.prisma.productionKeyRequest.create({
    data: {
      ...of,
      state,
      name: 'Nightly import',
      practiceSlug: 'fennmoor',
      level: 'read_only',
      termDays: 90,
      submittedAt: now,
      createdAt: now,
      updatedAt: now,
    },
  })
  return row.id
}

test('a draft is seen by nobody at the practice, and a step that binds wants the password again', async () => {
  const { organizationId, owner } = await support.team()
  const office = await support.office()
  const step = (id: string, event: string, who: Initiator) =>
    engine.transition(services.core, productionKeys, { id }, event, who, anyWork)
  const of = { organizationId, requestedById: owner.accountId, practiceId: office.practiceId }
  const draft = await rowIn('draft', of)
  await services.prisma.productionKeyRequest.update({ where: { id: draft }, data: { submittedAt: null } })
  const invited = await rowIn('sponsor_invited', of)
  const stale = {
    ...office.admin.fresh(),
    authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000),
  }

  expect(await kindOfProblem(step(draft, 'save', office.admin.fresh()))).toBe('not_found')
  await expect(step(invited, 'confirm', stale)).rejects.toMatchObject({ field: 'stepUp' })
  expect(await support.stateOf(invited)).toBe('sponsor_invited')
})

test('of six steps at once on one version one is made', async () => {
  const { requestId, owner } = await support.submitted()
  const { version } = await support.target(requestId)
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () =>
      kindOfProblem(services.productionKeys.withdraw({ requestId, version }, owner.fresh())),
    ),
  )

  expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(5)
})
