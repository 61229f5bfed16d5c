import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  type AgreementTransition,
  agreementActors,
  agreementEvents,
  agreementWorkflow,
} from '../../contract/workflows/agreement-workflow.ts'
import type { AgreementKind } from '../../contract/workflows/agreements.ts'
import { type Core, withCore } from '../core.ts'
import * as engine from '../workflow/engine.ts'
import * as verbs from './agreements.ts'
import { type Initiator, nounOf, transition } from './transition.ts'

let services: TestServices
let parties: Parties
let core: Core
const heard: { agreementId: string; change: string }[] = []
const support = agreementSupport(() => services)

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  parties = await support.makeParties()
  core = {
    ...services.core,
    counterSignature: 'staff',
    agreementListeners: [async (_core, _tx, event) => void heard.push(event)],
  }
})

const work = anyWork(['name', 'documentName', 'organizationName', 'practiceName', 'page', 'agreementId'])
const step = (id: string, event: string, who: Initiator) =>
  engine.transition(core, nounOf(core), { id }, event, who, work)

async function everybody(): Promise<Record<(typeof agreementActors)[number], Initiator>> {
  const { organizationId, practiceId, owner, admin, signatory } = parties
  const member = async (role: 'viewer' | 'developer' | 'admin') =>
    (await support.addMember(organizationId, role)).actor
  const [reviewer, ops] = [await support.makeStaff('reviewer'), await support.makeStaff('ops')]
  return {
    visitor: (await support.makePerson()).actor,
    viewer: await member('viewer'),
    developer: await member('developer'),
    admin: await member('admin'),
    owner: owner.fresh(),
    practice_clinician: (await support.addPracticePerson(practiceId, 'clinician', 'Kim Clinician')).fresh(),
    practice_admin: admin.fresh(),
    practice_signatory: signatory.fresh(),
    reviewer: reviewer.fresh(),
    ops: ops.fresh(),
    system: 'system',
  }
}

const sideOf = (kind: string) => {
  if (kind === 'system') return null
  if (kind === 'reviewer' || kind === 'ops') return 'service'
  return kind.startsWith('practice_') ? 'practice' : 'developer'
}

const practiceKinds = ['practice_clinician', 'practice_admin', 'practice_signatory']

test.each<AgreementKind>(['baa', 'usage_agreement'])(
  'every step of every actor at a %s is listed, or refused and leaves everything as it was',
  async (kind) => {
    const who = await everybody()
    const { owner, signatory, admin } = parties
    const baa = kind === 'baa'
    const staff = await services.prisma.account.findMany({ where: { staffRole: 'ops' } })
    const ops = staff.map(({ email }) => email)
    const signers = baa ? [owner.email, signatory.email] : [owner.email]
    const sides = baa ? [...signers, admin.email] : signers
    const strangers = baa ? ['visitor'] : ['visitor', ...practiceKinds]

    const { done, refused } = await checkEveryStep<Initiator>({
      services,
      noun: nounOf(core),
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
        counter_signers: baa ? [] : ops,
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
    expect(refused).toBe(11 * 24 * agreementActors.length - listed.length)
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

test('a member of the staff gives the second factor before any step', async () => {
  const ops = await support.makeStaff('ops')
  const id = await rowIn('offered')

  expect(await kindOfProblem(step(id, 'withdraw', { ...ops.fresh(), mfa: undefined }))).toBe('forbidden')
  expect(await support.stateOf(id)).toBe('offered')
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

test('whole lives send what the table lists for what happened, each to whom it names', async () => {
  const { agreements } = services
  const made = await support.makeParties()
  const { owner, signatory, admin } = made
  const target = support.target
  const comment = 'A breach within a day, please.'
  const negotiated = await support.offerBaa(made)
  const fields = support.completeBaa({ breachNoticeHours: 24 })
  await agreements.edit({ ...(await target(negotiated)), comment, fields }, admin.fresh())
  await agreements.reject({ ...(await target(negotiated)), comment }, owner.fresh())
  await agreements.withdraw({ ...(await target(negotiated)), comment }, owner.fresh())
  const usage = await support.offerUsage(made)
  await support.sign(usage, owner)
  const baa = await support.executedBaa(made, { expiresOn: support.dayOf(50) })
  const renewal = await agreements.amend(await target(baa), 'renew', { actor: owner.fresh() })
  await support.sign(renewal.agreementId, owner)
  await support.sign(renewal.agreementId, signatory)
  const ended = { comment, effectiveOn: null }
  await agreements.terminate({ ...(await target(renewal.agreementId)), ...ended }, owner.fresh())

  const sides = [owner, signatory, admin]
  const to = (template: string, people: readonly { email: string }[]) =>
    people.map(({ email }) => `${template} ${email}`)
  const signers = [owner, signatory]
  const lives: Record<string, [events: string[], emails: string[]]> = {
    [negotiated]: [
      ['offer', 'edit', 'reject', 'withdraw'],
      [
        ...to('agreement-offered', signers),
        ...to('agreement-changed', [...signers, ...signers]),
        ...to('agreement-closed', sides),
      ],
    ],
    // Counter-signed by the policy: nobody of ours is asked.
    [usage]: [
      ['offer', 'sign', 'counter_sign'],
      ['agreement-offered', 'agreement-signed', 'agreement-executed'].flatMap((each) => to(each, [owner])),
    ],
    [baa]: [
      ['offer', 'sign', 'sign_last', 'renew', 'supersede'],
      [
        ...to('agreement-offered', signers),
        ...to('agreement-signed', signers),
        ...to('agreement-executed', sides),
      ],
    ],
    [renewal.agreementId]: [
      ['offer', 'sign', 'sign_last', 'terminate'],
      [
        ...to('agreement-offered', signers),
        ...to('agreement-signed', signers),
        ...to('agreement-executed', sides),
        ...to('agreement-ended', sides),
      ],
    ],
  }
  for (const [id, [events, emails]] of Object.entries(lives)) {
    const happened = await services.prisma.workflowEvent.findMany({
      where: { subjectId: id },
      orderBy: { id: 'asc' },
    })
    expect(happened.map(({ event }) => event)).toEqual(events)
    const sent = await services.prisma.outboxMail.findMany({ where: { threadId: id } })
    expect(sent.map(({ template, toAddress }) => `${template} ${toAddress}`).sort()).toEqual(emails.sort())
  }
}, 60_000)

test('a step whose guard or emails nobody brings does not compile', () => {
  const target = { agreementId: 'none' }
  // @ts-expect-error the guard that the table names is missing
  const withoutGuard = () => transition(core, target, 'renew', 'system', { effects: () => ({}) })
  // @ts-expect-error what the email says is missing
  const withoutEmail = () => transition(core, target, 'stall', 'system', { effects: () => ({}) })
  const misspelled = () =>
    transition(core, target, 'stall', 'system', {
      // @ts-expect-error the table lists no such email
      effects: () => ({ emails: () => ({ 'agreement-closed': { reason: '' } }) }),
    })

  expect([withoutGuard, withoutEmail, misspelled]).toHaveLength(3)
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
