/** Three nouns of the engine, through every step of every party from every state. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { addPractice } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  productionKeyEvents,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import {
  type SandboxKeyTransition,
  sandboxKeyEvents,
  sandboxKeyWorkflow,
} from '../../contract/workflows/sandbox-key-workflow.ts'
import {
  systemAuthorizationEvents,
  systemAuthorizationWorkflow,
} from '../../contract/workflows/system-authorization-workflow.ts'
import { sandboxKeys } from '../keys/transition.ts'
import { productionKeys } from '../production-keys/transition.ts'
import { systemAuthorizations } from '../system-authorizations/transition.ts'
import * as engine from './engine.ts'

let parties: Parties
const support = agreementSupport(() => services)
type Everybody = Awaited<ReturnType<typeof support.everyParty>>

const services = await testServices({ template: 'schema' })
parties = await support.makeParties()

const created = () => ({ createdAt: services.clock(), updatedAt: services.clock() })

/** Every row of this test has reached its practice, and was asked for by the owner. */
const rowIn = {
  sandbox: async (state: string) => {
    const { organizationId, practiceId, owner } = parties
    const { id } = await services.prisma.sandboxKeyRequest.create({
      data: {
        ...{ organizationId, practiceId, state, requestedById: owner.accountId, level: 'read_only' },
        ...{ name: 'Nightly import', projectDescription: 'We show lab results of synthetic people.' },
        ...{ technicalContact: owner.email, termsVersion: '1', termsSha256: 'x' },
        ...{ idempotencyKey: randomUUID(), ...created() },
      },
    })
    return id
  },
  production: async (state: string) => {
    const { organizationId, practiceId, owner } = parties
    const { id } = await services.prisma.productionKeyRequest.create({
      data: {
        ...{ organizationId, practiceId, state, requestedById: owner.accountId, level: 'read_only' },
        ...{ name: 'Nightly import', practiceSlug: 'fennmoor', termDays: 90 },
        ...{ submittedAt: services.clock(), ...created() },
      },
    })
    return id
  },
  system: async (state: string) => {
    const { organizationId, practiceId } = parties
    const scope = 'system/Patient.rs'
    const { id: clientId } = await services.prisma.client.create({
      data: {
        ...{ id: `app-${randomUUID()}`, appId: randomUUID(), organizationId, environment: 'production' },
        ...{ audience: 'backend', authentication: 'private_key_jwt', name: 'Tidepath reports', scope },
        createdAt: services.clock(),
      },
    })
    const asked = { purpose: 'Reports of the practice.', requestedAt: services.clock() }
    const row = await services.prisma.practiceSystemAuthorization.create({
      data: { practiceId, clientId, state, scope, ...asked },
    })
    return row.id
  },
}

const emailsOf = async (staffRole: 'ops') =>
  (await services.prisma.account.findMany({ where: { staffRole } })).map(({ email }) => email)

const step = {
  sandbox: (id: string, event: string, who: engine.Initiator) =>
    engine.transition(
      services.core,
      sandboxKeys,
      { id },
      event,
      who,
      anyWork(['name', 'keyName', 'requestId']),
    ),
  production: (id: string, event: string, who: engine.Initiator) =>
    engine.transition(services.core, productionKeys, { id }, event, who, productionWork),
  system: (id: string, event: string, who: engine.Initiator) =>
    engine.transition(services.core, systemAuthorizations, { id }, event, who, systemWork),
}
const productionWork = anyWork([
  ...['name', 'side', 'keyName', 'organizationName', 'organizationSlug', 'practiceName', 'requestId'],
])
const systemWork = anyWork(['name', 'appName', 'organizationName', 'practiceName', 'requestId'])

const nouns = {
  sandbox: {
    noun: sandboxKeys,
    workflow: sandboxKeyWorkflow,
    events: sandboxKeyEvents,
    who: ({ practice_clinician: _, practice_admin: __, practice_signatory: ___, ...who }: Everybody) => who,
    find: (id: string) => services.prisma.sandboxKeyRequest.findUniqueOrThrow({ where: { id } }),
    auditDetail: {},
    readers: async () => ({ requester: [parties.owner.email] }),
  },
  production: {
    noun: productionKeys,
    workflow: productionKeyWorkflow,
    events: productionKeyEvents,
    who: async ({
      practice_clinician: clinician,
      practice_admin: sponsor,
      practice_signatory: signatory,
      ...who
    }: Everybody) => {
      const { id } = await addPractice(services)
      const visitor = (await support.addPracticePerson(id, 'admin', 'Otto Elsewhere')).fresh()
      return {
        ...who,
        clinician,
        sponsor,
        signatory,
        visitor,
        documents: { documents: true, actor: null } as const,
      }
    },
    find: (id: string) => services.prisma.productionKeyRequest.findUniqueOrThrow({ where: { id } }),
    auditDetail: { codes: [] },
    readers: async () => {
      const [developers, practice] = [[parties.owner.email], [parties.admin.email]]
      const both = [...developers, ...practice]
      return { developers, practice, both, involved: both, requester: developers, ops: await emailsOf('ops') }
    },
  },
  system: {
    noun: systemAuthorizations,
    workflow: systemAuthorizationWorkflow,
    events: systemAuthorizationEvents,
    who: (everybody: Everybody) => everybody,
    find: (id: string) => services.prisma.practiceSystemAuthorization.findUniqueOrThrow({ where: { id } }),
    auditDetail: { clientId: expect.any(String), scope: 'system/Patient.rs', reason: null },
    readers: async () => {
      const { organizationId } = parties
      const members = await services.prisma.membership.findMany({
        where: { organizationId, role: { in: ['owner', 'admin'] } },
        include: { account: true },
      })
      return {
        practice_admins: [parties.admin.email],
        developers: members.map(({ account }) => account.email),
      }
    },
  },
}

test.each(Object.keys(nouns) as (keyof typeof nouns)[])(
  '%s: every step of every party from every state is listed, or refused and leaves everything as it was',
  async (name) => {
    parties = await support.makeParties()
    const { noun, workflow, events, find, auditDetail, readers, ...of } = nouns[name]
    const who = await of.who(await support.everyParty(parties))

    const { done, refused } = await checkEveryStep<engine.Initiator>({
      ...{ services, events, find, auditDetail, who },
      noun: noun as Parameters<typeof checkEveryStep>[0]['noun'],
      states: workflow.states,
      strangers: ['visitor'],
      rowIn: rowIn[name],
      step: step[name],
      practiceId: parties.practiceId,
      readers: await readers(),
    })

    const rows: readonly { from: string | null; actors: readonly string[] }[] = workflow.rows
    const listed = rows.flatMap(({ from, actors }) => (from ? actors : []))
    expect(done).toBe(listed.length)
    expect(refused).toBe(workflow.states.length * events.length * Object.keys(who).length - listed.length)
  },
  180_000,
)

test('a row that asks for the password takes one of the last ten minutes and no second step; staff give theirs', async () => {
  const { owner } = parties
  const { mfa: _, ...passwordOnly } = owner.fresh()
  const old = { ...owner.fresh(), authenticatedAt: new Date(services.clock().getTime() - 601_000) }
  const rows: readonly SandboxKeyTransition[] = sandboxKeyWorkflow.rows
  const stepUps = rows.filter(({ stepUp }) => stepUp).map(({ event }) => event)
  const { mfa: __, ...reviewer } = (await support.makeStaff('reviewer')).fresh()

  expect(stepUps).toEqual(['reveal'])
  const id = await rowIn.sandbox('ready_to_claim')
  await expect(step.sandbox(id, 'reveal', old)).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
  expect((await step.sandbox(id, 'reveal', passwordOnly)).row.state).toBe('active')
  await expect(step.sandbox(await rowIn.sandbox('manual_review'), 'approve', reviewer)).rejects.toMatchObject(
    { kind: 'forbidden' },
  )
})

test('a draft is seen by nobody at the practice, and a step that binds wants the password again', async () => {
  const { admin } = parties
  const [draft, invited] = [await rowIn.production('draft'), await rowIn.production('sponsor_invited')]
  await services.prisma.productionKeyRequest.update({ where: { id: draft }, data: { submittedAt: null } })
  const stale = { ...admin.fresh(), authenticatedAt: new Date(services.clock().getTime() - 11 * 60_000) }

  expect(await kindOfProblem(step.production(draft, 'save', admin.fresh()))).toBe('not_found')
  await expect(step.production(invited, 'confirm', stale)).rejects.toMatchObject({ field: 'stepUp' })
  expect((await nouns.production.find(invited)).state).toBe('sponsor_invited')
})
