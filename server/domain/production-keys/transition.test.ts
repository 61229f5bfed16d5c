import { beforeAll, expect, test } from 'vitest'
import { productionKeySupport } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { anyWork, checkEveryStep } from '../../../tests/support/workflow-table.ts'
import {
  type ProductionKeyParty,
  productionKeyEvents,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import * as engine from '../workflow/engine.ts'
import { type Initiator, productionKeys } from './transition.ts'

let services: TestServices
const support = productionKeySupport(() => services)
beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
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
  const [developers, practice] = [[owner.email], [office.admin.email]]
  // Every row of this test has reached its practice, and was asked for by the owner.
  const both = [...developers, ...practice]

  const { refused } = await checkEveryStep<Initiator>({
    services,
    noun: productionKeys,
    states: productionKeyWorkflow.states,
    events: productionKeyEvents,
    who,
    strangers: ['visitor'],
    rowIn: (state) => rowIn(state, of),
    step,
    find: (id) => services.prisma.productionKeyRequest.findUniqueOrThrow({ where: { id } }),
    practiceId: office.practiceId,
    auditDetail: { codes: [] },
    readers: { developers, practice, ops: [ops.email], both, involved: both, requester: developers },
  })

  expect(refused).toBeGreaterThan(8_000)
}, 180_000)

const work = anyWork([
  'name',
  'side',
  'keyName',
  'organizationName',
  'organizationSlug',
  'practiceName',
  'requestId',
])
const step = (id: string, event: string, who: Initiator) =>
  engine.transition(services.core, productionKeys, { id }, event, who, work)

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
