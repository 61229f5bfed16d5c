import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  type SandboxKeyTransition,
  sandboxKeyEvents,
  sandboxKeyWorkflow,
} from '../../contract/workflows/sandbox-key-workflow.ts'
import * as engine from '../workflow/engine.ts'
import { sandboxKeys } from './transition.ts'

let services: TestServices
let parties: Parties
const support = agreementSupport(() => services)
const work = anyWork(['name', 'keyName', 'requestId'])
const step = (id: string, event: string, who: engine.Initiator) =>
  engine.transition(services.core, sandboxKeys, { id }, event, who, work)

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  parties = await support.makeParties()
})

test('every step of every party from every state is listed, or refused and leaves everything as it was', async () => {
  const {
    practice_clinician: _,
    practice_admin: __,
    practice_signatory: ___,
    ...who
  } = await support.everyParty(parties)

  const { done, refused } = await checkEveryStep<engine.Initiator>({
    services,
    noun: sandboxKeys,
    states: sandboxKeyWorkflow.states,
    events: sandboxKeyEvents,
    who,
    strangers: ['visitor'],
    rowIn,
    step,
    find: (id) => services.prisma.sandboxKeyRequest.findUniqueOrThrow({ where: { id } }),
    practiceId: parties.practiceId,
    auditDetail: {},
    readers: { requester: [parties.owner.email] },
  })

  const listed = sandboxKeyWorkflow.rows.flatMap(({ from, actors }) => (from ? actors : []))
  expect(done).toBe(listed.length)
  const all = sandboxKeyWorkflow.states.length * sandboxKeyEvents.length * Object.keys(who).length
  expect(refused).toBe(all - listed.length)
}, 60_000)

test('a row that asks for the password takes one of the last ten minutes and no second step; staff give theirs', async () => {
  const { owner } = parties
  const { mfa: _, ...passwordOnly } = owner.fresh()
  const old = { ...owner.fresh(), authenticatedAt: new Date(services.clock().getTime() - 601_000) }
  const rows: readonly SandboxKeyTransition[] = sandboxKeyWorkflow.rows
  const stepUps = rows.filter(({ stepUp }) => stepUp).map(({ event }) => event)
  const { mfa: __, ...reviewer } = (await support.makeStaff('reviewer')).fresh()

  expect(stepUps).toEqual(['reveal'])
  const id = await rowIn('ready_to_claim')
  await expect(step(id, 'reveal', old)).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
  expect((await step(id, 'reveal', passwordOnly)).row.state).toBe('active')
  await expect(step(await rowIn('manual_review'), 'approve', reviewer)).rejects.toMatchObject({
    kind: 'forbidden',
  })
})

async function rowIn(state: string): Promise<string> {
  const { organizationId, practiceId, owner } = parties
  const now = services.clock()
  const { id } = await services.prisma.sandboxKeyRequest.create({
    data: {
      organizationId,
      practiceId,
      requestedById: owner.accountId,
      name: 'Nightly import',
      projectDescription: 'We show lab results of synthetic people.',
      technicalContact: owner.email,
      level: 'read_only',
      termsVersion: '1',
      termsSha256: 'x',
      state,
      idempotencyKey: randomUUID(),
      createdAt: now,
      updatedAt: now,
    },
  })
  return id
}
