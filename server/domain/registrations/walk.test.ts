import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import {
  type RegistrationTransition,
  registrationEvents,
  registrationWorkflow,
} from '../../contract/registration-workflow.ts'
import type { Actor } from '../actor.ts'

let services: TestServices
const support = registrationSupport(() => services)
const rows: readonly RegistrationTransition[] = registrationWorkflow.rows
const listed = (from: string, event: string, actor: string) =>
  rows.find((row) => row.from === from && row.event === event && row.actors.includes(actor))

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

test('every step of every actor from every state is listed, or refused and leaves everything as it was', async () => {
  const { organizationId, owner } = await support.makeTeam()
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  const [viewer, developer, admin] = await Promise.all(
    (['viewer', 'developer', 'admin'] as const).map((role) => support.addMember(organizationId, role)),
  )
  const actors: Readonly<Record<string, Actor | null>> = {
    visitor: (await support.makePerson()).actor,
    viewer: viewer?.actor ?? null,
    developer: developer?.actor ?? null,
    admin: admin?.actor ?? null,
    owner: owner.actor,
    reviewer: reviewer.fresh(),
    ops: ops.fresh(),
    system: null,
  }
  const of = { organizationId, createdById: owner.accountId }
  const ids = new Map<string, string>()
  for (const state of registrationWorkflow.states) ids.set(state, await rowIn(state, of))

  const tried = { refused: 0, done: 0 }
  for (const state of registrationWorkflow.states) {
    for (const event of registrationEvents) {
      for (const [kind, actor] of Object.entries(actors)) {
        const row = listed(state, event, kind)
        const registrationId = row ? await rowIn(state, of) : (ids.get(state) ?? '')
        const outcome = await kindOfProblem(
          services.registrations.walk.step({ registrationId }, event, actor),
        )
        const what = `${state} ${event} ${kind}`
        if (row) {
          expect(outcome, what).toBe('none')
          expect(await support.stateOf(registrationId), what).toBe(row.to)
          tried.done += 1
        } else {
          expect(outcome, what).toBe(kind === 'visitor' ? 'not_found' : 'conflict')
          tried.refused += 1
        }
      }
    }
  }

  expect(tried.done).toBe(
    rows.filter(({ from }) => from !== null).reduce((sum, { actors: of }) => sum + of.length, 0),
  )
  expect(tried.refused).toBeGreaterThan(1_500)
  const untouched = { registrationId: { in: [...ids.values()] } }
  expect(await services.prisma.registrationEvent.count({ where: untouched })).toBe(0)
  expect(
    await services.prisma.registration.count({ where: { id: { in: [...ids.values()] }, version: 0 } }),
  ).toBe(ids.size)
  // Of what was done each left one event and one audit row.
  expect(await services.prisma.registrationEvent.count()).toBe(tried.done)
  expect(await services.prisma.auditEvent.count({ where: { subjectKind: 'registration' } })).toBe(tried.done)
}, 120_000)

async function rowIn(state: string, of: { organizationId: string; createdById: string }): Promise<string> {
  const now = services.clock()
  const named = { kind: 'app', name: 'Tidepath Health', form: {}, createdAt: now, updatedAt: now }
  return (await services.prisma.registration.create({ data: { ...named, ...of, state } })).id
}

async function draft() {
  const { organizationId, owner } = await support.makeTeam()
  const registrationId = await rowIn('draft', { organizationId, createdById: owner.accountId })
  return { registrationId, owner }
}

test('a step whose work fails changes nothing: no state, event, clock, audit row or mail', async () => {
  const { registrationId, owner } = await draft()
  const target = await support.target(registrationId)
  const before = await counts(registrationId)
  const failing = services.registrations.walk.step(target, 'submit', owner.actor, () => ({
    mails: () => Promise.reject(new Error('the mail cannot be made')),
  }))

  await expect(failing).rejects.toThrow('the mail cannot be made')
  expect(await counts(registrationId)).toEqual(before)
  expect((await support.target(registrationId)).version).toBe(target.version)
})

async function counts(registrationId: string) {
  const { registrationEvent, registrationClock, auditEvent, outboxMail } = services.prisma
  return Promise.all([
    registrationEvent.count({ where: { registrationId } }),
    registrationClock.count({ where: { registrationId } }),
    auditEvent.count({ where: { subjectId: registrationId } }),
    outboxMail.count({ where: { threadId: registrationId } }),
  ])
}

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
