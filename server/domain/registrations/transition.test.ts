import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addAccount, addPractice } from '../../../tests/support/people.ts'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  type RegistrationClockEffects,
  type RegistrationTransition,
  registrationEvents,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import type { OrganizationActor } from '../../contract/workflows/workflows.ts'
import type { Actor } from '../actor.ts'
import * as engine from '../workflow/engine.ts'
import { noun, transition } from './transition.ts'

const support = registrationSupport(() => services)
const anything = anyWork([
  'name',
  'appName',
  'kindName',
  'organizationName',
  'organizationSlug',
  'practiceName',
  'requestId',
])
/** What staff wrote as evidence is for the event, and nobody else is shown it. */
const evidence = { evidence: 'Seen by a reviewer.' }
const work = { ...anything, effects: () => ({ ...anything.effects(), detail: evidence }) }

const services = await registrationServices({ template: 'schema' })

test('every step of every party from every state is listed, or refused and leaves everything as it was', async () => {
  const { organizationId, owner } = await support.makeTeam()
  const [viewer, developer, admin] = await Promise.all([
    support.addMember(organizationId, 'viewer'),
    support.addMember(organizationId, 'developer'),
    support.addMember(organizationId, 'admin'),
  ])
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  const who: Readonly<Record<OrganizationActor, engine.Initiator>> = {
    visitor: (await support.makePerson()).actor,
    viewer: viewer.actor,
    developer: developer.actor,
    admin: admin.actor,
    owner: owner.actor,
    reviewer: reviewer.fresh(),
    ops: ops.fresh(),
    system: 'system',
  }
  // Whoever made the request is an admin, so that owners and developers are different people.
  const client = await productionClient(organizationId)
  const practiceAdmin = await letIn(client)
  const of = { organizationId, createdById: admin.accountId }
  const developers = [admin.email]
  const owners = [owner.email]

  const { done, refused } = await checkEveryStep<engine.Initiator>({
    services,
    noun,
    states: registrationWorkflow.states,
    events: registrationEvents,
    who,
    strangers: ['visitor'],
    // One row at a time is the app's that practices let in.
    rowIn: async (state) => {
      await services.prisma.registration.updateMany({ data: { productionClientId: null } })
      const id = await rowIn(state, { ...of, productionClientId: client })
      await startClocks(id)
      return id
    },
    step: (id, event, by) => engine.transition(services.core, noun, { id }, event, by, work),
    find: (id) => services.prisma.registration.findUniqueOrThrow({ where: { id } }),
    practiceId: null,
    auditDetail: { codes: [] },
    readers: {
      developers,
      owners,
      owners_first: owners,
      practices: [practiceAdmin],
      ops_after_last_probe: [ops.email],
    },
    besides: async (id, row) => {
      const { clock = {} } = row as RegistrationTransition
      expect(await clocksOf(id), `${row.from} ${row.event}`).toEqual(clocksAfter(clock))
    },
  })

  expect(done).toBe(registrationWorkflow.rows.flatMap(({ from, actors }) => (from ? actors : [])).length)
  expect(refused).toBeGreaterThan(1_500)
}, 120_000)

async function rowIn(
  state: string,
  of: { organizationId: string; createdById: string; productionClientId?: string },
): Promise<string> {
  const now = services.clock()
  const named = { kind: 'app', name: 'Tidepath Health', form: {}, createdAt: now, updatedAt: now }
  const { id } = await services.prisma.registration.create({
    data: { ...named, ...of, state, probeDueAt: null },
  })
  return id
}

/** The promise, and that the organization is verified: both run. */
async function startClocks(registrationId: string): Promise<void> {
  const now = services.clock()
  const [receivedOn, dueOn] = ['2026-11-16', '2030-01-07']
  const shared = { registrationId, receivedOn, dueOn, dueAt: now, startedAt: now, days: 5 }
  for (const kind of ['promise', 'authenticity'])
    await services.prisma.registrationClock.create({ data: { ...shared, kind } })
}

async function clocksOf(registrationId: string): Promise<string[]> {
  const clocks = await services.prisma.registrationClock.findMany({ where: { registrationId } })
  return clocks
    .map(({ kind, stoppedAt, pausedOn }) => `${kind} ${stoppedAt ? 'stopped' : pausedOn ? 'paused' : 'runs'}`)
    .sort()
}

/** What is to be seen of two clocks that ran, by the words of the table. Nothing was asked, so nothing new was. */
function clocksAfter({ promise, rule }: RegistrationClockEffects): string[] {
  const ofPromise = {
    start: ['promise stopped', 'promise runs'],
    stop: ['promise stopped'],
    pause_if_new: ['promise runs'],
    resume: ['promise runs'],
  }
  const ofRule = {
    // It runs already: what is received is received once.
    start: ['authenticity runs'],
    decide: ['authenticity stopped', 'enablement runs'],
    stop: ['authenticity stopped'],
  }
  return [
    ...(promise ? ofPromise[promise] : ['promise runs']),
    ...(rule ? ofRule[rule] : ['authenticity runs']),
  ].sort()
}

async function productionClient(organizationId: string): Promise<string> {
  const { id } = await services.prisma.client.create({
    data: {
      id: `app-${randomUUID()}`,
      appId: randomUUID(),
      organizationId,
      environment: 'production',
      audience: 'patient',
      authentication: 'none',
      name: 'Tidepath Health',
      scope: 'openid',
      createdAt: services.clock(),
    },
  })
  return id
}

/** @returns the address of an admin of a practice at which somebody lets the app in */
async function letIn(clientId: string): Promise<string> {
  const { prisma, clock } = services
  const createdAt = clock()
  const account = await addAccount(services, 'practice')
  const { id: practiceId } = await addPractice(services)
  await prisma.practiceMembership.create({
    data: { practiceId, accountId: account.id, role: 'admin', createdAt },
  })
  await prisma.grant.create({
    data: { clientId, practiceId, audience: 'patient', scope: 'openid', createdAt },
  })
  return account.email
}

test('a step whose guard or emails nobody brings does not compile', () => {
  const { core } = services
  const target = { registrationId: 'none' }
  // @ts-expect-error the guard that the table names is missing
  const withoutGuard = () => transition(core, target, 'claim', 'system', { effects: () => ({}) })
  // @ts-expect-error what the email says is missing
  const withoutEmail = () => transition(core, target, 'lapse', 'system', { effects: () => ({}) })

  expect([withoutGuard, withoutEmail]).toHaveLength(2)
})

async function draft() {
  const { organizationId, owner } = await support.makeTeam()
  const registrationId = await rowIn('draft', { organizationId, createdById: owner.accountId })
  return { registrationId, owner }
}

test('a step whose email cannot be made changes nothing: no state, event, clock, audit row or email', async () => {
  const { registrationId, owner } = await draft()
  const target = await support.target(registrationId)
  const before = await counts(registrationId)
  const failing = transition(services.core, target, 'submit', owner.actor, {
    guards: { form_complete: () => {} },
    effects: () => ({ emails: () => Promise.reject(new Error('the email cannot be made')) }),
  })

  await expect(failing).rejects.toThrow('the email cannot be made')
  expect(await counts(registrationId)).toEqual(before)
  expect((await support.target(registrationId)).version).toBe(target.version)
})

async function counts(registrationId: string) {
  const { workflowEvent, registrationClock, auditEvent, outboxMail } = services.prisma
  return Promise.all([
    workflowEvent.count({ where: { subjectId: registrationId } }),
    registrationClock.count({ where: { registrationId } }),
    auditEvent.count({ where: { subjectId: registrationId } }),
    outboxMail.count({ where: { threadId: registrationId } }),
  ])
}

test('a failed probe is told of to operations only when no further one follows', async () => {
  const { organizationId, owner } = await support.makeTeam()
  const ops = await support.makeStaff('ops')
  const told: number[] = []
  for (const probeDueAt of [services.clock(), null]) {
    const registrationId = await rowIn('enabling', { organizationId, createdById: owner.accountId })
    const effects = () => ({
      data: { probeDueAt },
      emails: () => ({ 'registration-probe-failed': { reason: 'No canary.', attempts: 5 } }),
    })
    await transition(services.core, { registrationId }, 'probe_fail', 'system', { effects })
    const where = { threadId: registrationId, toAddress: ops.email }
    told.push(await services.prisma.outboxMail.count({ where }))
  }

  expect(told).toEqual([0, 1])
})

test('staff without the second step is asked for it first, also where a step-up follows', async () => {
  const { organizationId, owner } = await support.makeTeam()
  const id = await rowIn('in_review', { organizationId, createdById: owner.accountId })
  const { mfa: _, ...stale } = {
    ...(await support.makeStaff('reviewer')).fresh(),
    authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000),
  }
  const step = (actor: Actor) =>
    engine.transition(services.core, noun, { id }, 'verify_authenticity', actor, work)

  await expect(step(stale)).rejects.not.toMatchObject({ field: 'stepUp' })
  await expect(step({ ...stale, mfa: services.clock() })).rejects.toMatchObject({ field: 'stepUp' })
})

test('of six steps at once on one version one is made', async () => {
  const { registrationId, owner } = await draft()
  const { version } = await support.target(registrationId)
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () =>
      kindOfProblem(
        services.registrations.withdraw(
          { registrationId, version, idempotencyKey: randomUUID() },
          owner.actor,
        ),
      ),
    ),
  )

  expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(5)
})
