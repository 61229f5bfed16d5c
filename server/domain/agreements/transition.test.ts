import { expect, test } from 'vitest'
import { agreementSupport } from '../../../tests/support/agreements.ts'
import { testServices } from '../../../tests/support/services.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  type AgreementTransition,
  agreementEvents,
  agreementWorkflow,
} from '../../contract/workflows/agreement-workflow.ts'
import type { AgreementKind } from '../../contract/workflows/agreements.ts'
import { portalActors } from '../../contract/workflows/workflows.ts'
import { type Core, withCore } from '../core.ts'
import * as engine from '../workflow/engine.ts'
import * as verbs from './agreements.ts'
import { agreements, type Initiator } from './transition.ts'

const heard: { agreementId: string; change: string }[] = []
const support = agreementSupport(() => services)

const services = await testServices({ template: 'schema' })
const parties = await support.makeParties()
const core: Core = {
  ...services.core,
  agreementListeners: [async (_core, _tx, event) => void heard.push(event)],
}

const work = anyWork(['name', 'documentName', 'organizationName', 'practiceName', 'page', 'agreementId'])
const step = (id: string, event: string, who: Initiator) =>
  engine.transition(core, agreements, { id }, event, who, work)

const sideOf = (kind: string) => {
  if (kind === 'system') return null
  if (kind === 'reviewer' || kind === 'ops') return 'service'
  return kind.startsWith('practice_') ? 'practice' : 'developer'
}

const practiceKinds = ['practice_clinician', 'practice_admin', 'practice_signatory']

test.each<AgreementKind>(['baa', 'usage_agreement'])(
  'every step of every actor at a %s is listed, or refused and leaves everything as it was',
  async (kind) => {
    const who = await support.everyParty(parties)
    const { owner, signatory, admin } = parties
    const baa = kind === 'baa'
    const staff = await services.prisma.account.findMany({ where: { staffRole: 'ops' } })
    const ops = staff.map(({ email }) => email)
    const signers = baa ? [owner.email, signatory.email] : [owner.email]
    const sides = baa ? [...signers, admin.email] : signers
    const strangers = baa ? ['visitor'] : ['visitor', ...practiceKinds]

    const { done, refused } = await checkEveryStep<Initiator>({
      services,
      noun: agreements,
      states: agreementWorkflow.states,
      events: agreementEvents.filter((event) => event !== 'offer'),
      who,
      strangers,
      rowIn: (state) => rowIn(state, kind),
      step,
      find: (id) => services.prisma.agreement.findUniqueOrThrow({ where: { id } }),
      practiceId: baa ? parties.practiceId : null,
      sideOf,
      auditDetail: { kind, number: 1 },
      readers: {
        signers,
        sides,
        sides_and_ops: baa ? sides : [...sides, ...ops],
        unsigned: baa ? signers : [...signers, ...ops],
      },
      besides: async (id, row) => {
        const { tells, clock } = row as AgreementTransition
        const changes = heard.filter(({ agreementId }) => agreementId === id).map(({ change }) => change)
        expect(changes, `${row.from} ${row.event}`).toEqual(tells === undefined ? [] : [tells])
        const { activeAt, reminders } = await services.prisma.agreement.findUniqueOrThrow({ where: { id } })
        const since = clock === 'restart' ? services.clock() : before()
        expect({ activeAt, reminders }).toEqual({ activeAt: since, reminders: clock === 'restart' ? 0 : 2 })
      },
    })

    const listed = agreementWorkflow.rows
      .filter(({ from }) => from !== null)
      .flatMap(({ actors }): readonly string[] => actors)
    expect(done).toBe(listed.filter((each) => !strangers.includes(each)).length)
    expect(refused).toBe(11 * 24 * portalActors.length - listed.length)
  },
  180_000,
)

test('a grave step asks for a fresh password and a fresh second factor', async () => {
  const ops = await support.makeStaff('ops')
  const old = new Date(services.clock().getTime() - 601_000)
  for (const person of [parties.owner, parties.signatory, ops])
    for (const stale of [{ authenticatedAt: old }, { mfa: undefined }, { mfa: old }]) {
      const terminate = step(await rowIn('executed'), 'terminate', { ...person.fresh(), ...stale })
      await expect(terminate).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
    }
})

test('what a listener throws undoes the step, its event, audit row and emails', async () => {
  const id = await support.offerBaa(parties)
  const count = () =>
    Promise.all([
      services.prisma.agreementEvent.count({ where: { agreementId: id } }),
      services.prisma.auditEvent.count({ where: { subjectId: id } }),
      services.prisma.outboxMail.count({ where: { threadId: id } }),
      services.prisma.agreementSignature.count({ where: { agreementId: id } }),
    ])
  const before = await count()
  const refuse = () => Promise.reject(new Error('the request could not follow'))
  const desk = withCore({ ...services.core, agreementListeners: [refuse] }, verbs)
  const refused = agreementSupport(
    () => services,
    () => desk,
  )

  await expect(refused.sign(id, parties.owner)).rejects.toThrow('could not follow')
  expect(await count()).toEqual(before)
  expect(await support.stateOf(id)).toBe('offered')
})

const before = () => new Date(services.clock().getTime() - 3_600_000)

async function rowIn(state: string, kind: AgreementKind = 'baa'): Promise<string> {
  const { organizationId, practiceId, owner, signatory } = parties
  const now = before()
  const sides = [
    { side: 'developer', accountId: owner.accountId, legalName: owner.name, title: 'Chief executive' },
    { side: 'practice', accountId: signatory.accountId, legalName: signatory.name, title: 'Partner' },
  ]
  const row = await services.prisma.agreement.create({
    data: {
      kind,
      organizationId,
      practiceId: kind === 'baa' ? practiceId : null,
      state,
      createdAt: now,
      activeAt: now,
      reminders: 2,
      signatories: { create: kind === 'baa' ? sides : sides.slice(0, 1) },
    },
  })
  return row.id
}
