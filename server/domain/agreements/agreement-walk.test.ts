import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import {
  type AgreementTransition,
  agreementEvents,
  agreementWorkflow,
} from '../../contract/agreement-workflow.ts'
import type { Actor } from '../actor.ts'

let services: TestServices
let parties: Parties
const support = agreementSupport(() => services)
const rows: readonly AgreementTransition[] = agreementWorkflow.rows
const listed = (from: string, event: string, actor: string) =>
  rows.find((row) => row.from === from && row.event === event && row.actors.includes(actor))

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  parties = await support.makeParties()
})

test('every step of every actor from every state is listed, or refused and leaves everything as it was', async () => {
  const { prisma, agreements } = services
  const [viewer, developer, admin] = await Promise.all(
    (['viewer', 'developer', 'admin'] as const).map((role) =>
      support.addMember(parties.organizationId, role),
    ),
  )
  const clinician = await support.addPracticePerson(parties.practiceId, 'clinician', 'Kim Clinician')
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  const actors: Readonly<Record<string, Actor | null>> = {
    visitor: (await support.makePerson()).actor,
    viewer: viewer?.actor ?? null,
    developer: developer?.actor ?? null,
    admin: admin?.actor ?? null,
    owner: parties.owner.fresh(),
    practice_clinician: clinician.fresh(),
    practice_admin: parties.admin.fresh(),
    practice_signatory: parties.signatory.fresh(),
    reviewer: reviewer.fresh(),
    ops: ops.fresh(),
    system: null,
  }
  const still = new Map<string, string>()
  for (const state of agreementWorkflow.states) still.set(state, await rowIn(state))

  const tried = { refused: 0, stored: 0, done: 0 }
  const events = agreementEvents.filter((each) => each !== 'offer')
  for (const state of agreementWorkflow.states) {
    for (const [kind, actor] of Object.entries(actors)) {
      const unlisted = events.filter((event) => !listed(state, event, kind))
      for (const event of unlisted)
        expect(
          () => agreementWorkflow.next(state, event, kind as never),
          `${state} ${event} ${kind}`,
        ).toThrow()
      tried.refused += unlisted.length
      // Of what the table does not list, one step of each actor is tried at a stored agreement.
      const event = unlisted[tried.refused % unlisted.length]
      if (event !== undefined) {
        const step = agreements.walk.step({ agreementId: still.get(state) ?? '' }, event, actor)
        const what = `${state} ${event} ${kind}`
        expect(await kindOfProblem(step), what).toBe(kind === 'visitor' ? 'not_found' : 'conflict')
        tried.stored += 1
      }
      for (const { event, to } of rows.filter(
        ({ from, actors: of }) => from === state && of.includes(kind),
      )) {
        const agreementId = await rowIn(state)
        const what = `${state} ${event} ${kind}`
        expect(await kindOfProblem(agreements.walk.step({ agreementId }, event as never, actor)), what).toBe(
          'none',
        )
        expect(await support.stateOf(agreementId), what).toBe(to)
        tried.done += 1
      }
    }
  }

  const expected = rows
    .filter(({ from }) => from !== null)
    .reduce((sum, { actors: of }) => sum + of.length, 0)
  expect(tried.done).toBe(expected)
  expect(tried.refused).toBe(11 * 24 * 11 - expected)
  expect(tried.stored).toBe(11 * 11)
  const ids = [...still.values()]
  expect(await prisma.agreementEvent.count({ where: { agreementId: { in: ids } } })).toBe(0)
  expect(await prisma.agreement.count({ where: { id: { in: ids }, version: 0 } })).toBe(ids.length)
  // Of what was done each left one event and one audit row.
  expect(await prisma.agreementEvent.count()).toBe(tried.done)
  expect(await prisma.auditEvent.count({ where: { subjectKind: 'agreement' } })).toBe(tried.done)
}, 180_000)

test('a grave step asks for a fresh password and a fresh second step', async () => {
  const ops = await support.makeStaff('ops')
  const old = new Date(services.clock().getTime() - 601_000)
  const stale = [parties.owner.fresh(), parties.signatory.fresh(), ops.fresh()].map((actor) => ({
    ...actor,
    authenticatedAt: old,
  }))
  for (const actor of stale) {
    const step = services.agreements.walk.step({ agreementId: await rowIn('executed') }, 'terminate', actor)
    await expect(step).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
  }
  for (const person of [parties.owner, parties.signatory, ops])
    for (const mfa of [undefined, old]) {
      const oneStep = { ...person.fresh(), mfa }
      const step = services.agreements.walk.step(
        { agreementId: await rowIn('executed') },
        'terminate',
        oneStep,
      )
      await expect(step).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
    }
})

test('what a listener throws undoes the step, its event, audit row and mails', async () => {
  const id = await support.offerBaa(parties)
  const count = () =>
    Promise.all([
      services.prisma.agreementEvent.count({ where: { agreementId: id } }),
      services.prisma.auditEvent.count({ where: { subjectId: id } }),
      services.prisma.outboxMail.count({ where: { threadId: id } }),
      services.prisma.agreementSignature.count({ where: { agreementId: id } }),
    ])
  const before = await count()
  services.agreementListeners.push(async () => {
    throw new Error('the request could not follow')
  })

  await expect(support.sign(id, parties.owner)).rejects.toThrow('could not follow')
  services.agreementListeners.pop()
  expect(await count()).toEqual(before)
  expect(await support.stateOf(id)).toBe('offered')
})

async function rowIn(state: string): Promise<string> {
  const { organizationId, practiceId } = parties
  const now = services.clock()
  const row = await services.prisma.agreement.create({
    data: { kind: 'baa', organizationId, practiceId, state, createdAt: now, activeAt: now },
  })
  return row.id
}
