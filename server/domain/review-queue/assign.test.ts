import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  registrationServices,
  registrationSupport,
  type Staff,
} from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { firstPage } from '../../contract/portal/paging.ts'

let services: TestServices
const support = registrationSupport(() => services)
const everything = { ...firstPage, view: 'all', stage: 'waiting', kind: null } as const

beforeAll(async () => {
  services = await registrationServices()
})

const registration = async (
  of: { organizationId: string; owner: { accountId: string } },
  state = 'submitted',
) => {
  const now = services.clock()
  const { id } = await services.prisma.registration.create({
    data: {
      ...{ kind: 'app', name: 'Tidepath', form: {}, state, createdAt: now, updatedAt: now },
      ...{ organizationId: of.organizationId, createdById: of.owner.accountId },
    },
  })
  return id
}
const give = (ids: readonly string[], to: Staff, by: Staff) =>
  services.assignRequests(
    { requests: ids.map((id) => ({ noun: 'registration', id })), reviewerId: to.accountId },
    by.fresh(),
  )
const rowOf = async (id: string, reader: Staff) =>
  (await services.reviewQueues.read(everything, reader)).rows.find((row) => row.id === id)

test('many requests are given at once, and stay in their states', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const team = await support.makeTeam()
  const ids = [
    await registration(team),
    await registration(team, 'resubmitted'),
    await registration(team, 'in_review'),
  ]

  expect(await give(ids, kit, rae)).toEqual({ done: 3, refused: [] })

  for (const id of ids)
    expect(await rowOf(id, kit)).toMatchObject({
      assignee: { id: kit.accountId, isReader: true },
    })
  expect(await services.reviewQueues.listReviewers(rae)).toContainEqual(
    expect.objectContaining({ id: kit.accountId, open: 3 }),
  )
  const states = await Promise.all(ids.map((id) => support.stateOf(id)))
  expect(states).toEqual(['submitted', 'resubmitted', 'in_review'])
  expect(
    await services.prisma.workflowEvent.count({ where: { event: 'assign', subjectId: { in: ids } } }),
  ).toBe(3)
})

test('what one request refuses does not stop the others, and is said by name', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const team = await support.makeTeam()
  const member = await support.makeStaff('reviewer', team.owner.email)
  const [own, ended, fine] = [
    await registration(team),
    await registration(await support.makeTeam(), 'enabled'),
    await registration(await support.makeTeam()),
  ]

  const { done, refused } = await give([own, ended, fine, randomUUID()], member, rae)

  expect(done).toBe(1)
  expect(refused).toHaveLength(3)
  expect(refused[0]).toEqual({ name: 'Tidepath', reason: 'Rae reviewer may not decide on this.' })
  expect((await give([fine], member, kit)).refused).toEqual([
    { name: 'Tidepath', reason: 'This reviewer already has it.' },
  ])
})

test('requests are assigned by reviewers alone', async () => {
  const { rae, ops } = await support.makeReviewTeam()
  const { owner } = await support.makeTeam()
  const input = { requests: [], reviewerId: rae.accountId }
  expect(await kindOfProblem(services.reviewQueues.listReviewers(owner.actor))).toBe('forbidden')

  expect(await kindOfProblem(services.assignRequests(input, owner.actor))).toBe('forbidden')
  expect(await kindOfProblem(services.assignRequests(input, ops.fresh()))).toBe('forbidden')
})
