import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  systemAuthorizationEvents,
  systemAuthorizationWorkflow,
} from '../../contract/workflows/system-authorization-workflow.ts'
import { portalActors } from '../../contract/workflows/workflows.ts'
import * as engine from '../workflow/engine.ts'
import { type Initiator, systemAuthorizations } from './transition.ts'

let services: TestServices
let parties: Parties
const support = agreementSupport(() => services)
const work = anyWork(['name', 'appName', 'organizationName', 'practiceName', 'requestId'])

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  parties = await support.makeParties()
})

test('every step of every party from every state is listed, or refused and leaves everything as it was', async () => {
  const who = await support.everyParty(parties)
  const members = await services.prisma.membership.findMany({
    where: { organizationId: parties.organizationId, role: { in: ['owner', 'admin'] } },
    include: { account: true },
  })

  const { done, refused } = await checkEveryStep<Initiator>({
    services,
    noun: systemAuthorizations,
    states: systemAuthorizationWorkflow.states,
    events: systemAuthorizationEvents,
    who,
    strangers: ['visitor'],
    rowIn,
    step: (id, event, by) => engine.transition(services.core, systemAuthorizations, { id }, event, by, work),
    find: (id) => services.prisma.practiceSystemAuthorization.findUniqueOrThrow({ where: { id } }),
    practiceId: parties.practiceId,
    auditDetail: { clientId: expect.any(String), scope: 'system/Patient.rs', reason: null },
    readers: {
      practice_admins: [parties.admin.email],
      developers: members.map(({ account }) => account.email),
    },
  })

  const listed = systemAuthorizationWorkflow.rows.flatMap(({ from, actors }) => (from ? actors : []))
  expect(done).toBe(listed.length)
  const { states } = systemAuthorizationWorkflow
  const all = states.length * systemAuthorizationEvents.length * portalActors.length
  expect(refused).toBe(all - listed.length)
}, 60_000)

async function rowIn(state: string): Promise<string> {
  const now = services.clock()
  const { organizationId, practiceId } = parties
  const client = await services.prisma.client.create({
    data: {
      id: `app-${randomUUID()}`,
      appId: randomUUID(),
      organizationId,
      environment: 'production',
      audience: 'backend',
      authentication: 'private_key_jwt',
      name: 'Tidepath reports',
      scope: 'system/Patient.rs',
      createdAt: now,
    },
  })
  const row = await services.prisma.practiceSystemAuthorization.create({
    data: {
      practiceId,
      clientId: client.id,
      state,
      scope: 'system/Patient.rs',
      purpose: 'Reports of the practice.',
      requestedAt: now,
    },
  })
  return row.id
}
