import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { firstPage } from '../../contract/portal/paging.ts'

let services: TestServices
const support = registrationSupport(() => services)
const hour = 3_600_000

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

test('one queue has what waits for reviewers of every kind, as the reviewers’ page has it, the first due first', async () => {
  const { prisma } = services
  const { organizationId, owner } = await support.makeTeam()
  const { rae } = await support.makeReviewTeam()
  const now = services.clock()
  const at = (hours: number) => new Date(now.getTime() + hours * hour)
  const shared = { organizationId, createdAt: now, updatedAt: now }
  const registration = async (state: string, dueAt: Date, breachedAt: Date | null) => {
    const { id } = await prisma.registration.create({
      data: { ...shared, kind: 'app', createdById: owner.accountId, name: state, form: {}, state },
    })
    const clock = { kind: 'promise', days: 5, receivedOn: '2026-11-16', dueOn: '2026-11-23', startedAt: now }
    await prisma.registrationClock.create({ data: { ...clock, registrationId: id, dueAt, breachedAt } })
    return id
  }
  const production = async (state: string, clockDueAt: Date) =>
    (
      await prisma.productionKeyRequest.create({
        data: {
          ...shared,
          requestedById: owner.accountId,
          practiceSlug: 'fennmoor',
          name: state,
          level: 'read_only',
          termDays: 90,
          state,
          clockReceivedOn: '2026-11-16',
          clockDueOn: clockDueAt.toISOString().slice(0, 10),
          clockDueAt,
        },
      })
    ).id
  const sandbox = async (state: string) =>
    (
      await prisma.sandboxKeyRequest.create({
        data: {
          ...shared,
          requestedById: owner.accountId,
          name: state,
          projectDescription: 'Results of synthetic people.',
          technicalContact: owner.email,
          level: 'read_only',
          termsVersion: '1',
          termsSha256: 'x',
          idempotencyKey: randomUUID(),
          flags: ['real_data'],
          state,
        },
      })
    ).id
  const second = await registration('submitted', at(48), null)
  const first = await registration('in_review', at(-48), at(-48))
  const third = await production('baa_executed', at(72))
  const last = await sandbox('manual_review')
  await registration('needs_info', at(1), null)
  await production('needs_info', at(1))
  await production('active', at(1))
  await sandbox('ready_to_claim')
  const turn = { subjectKind: 'sandbox_key_request', subjectId: last, actorKind: 'system' }
  await prisma.workflowEvent.createMany({
    data: [
      { ...turn, at: at(-3), event: 'flag', from: 'requested', to: 'manual_review' },
      { ...turn, at: at(-2), event: 'request_info', from: 'manual_review', to: 'needs_info' },
      { ...turn, at: at(-1), event: 'resubmit', from: 'needs_info', to: 'manual_review' },
    ],
  })

  const queue = await services.reviewQueue(rae)

  expect(queue).toMatchObject([
    { kind: 'registration', id: first, overdue: true, dueAt: at(-48), since: now },
    { kind: 'registration', id: second, overdue: false, dueAt: at(48), claimedById: null },
    { kind: 'production_key_request', id: third, overdue: false, dueAt: at(72) },
    { kind: 'sandbox_key_request', id: last, overdue: false, dueAt: null, since: at(-1) },
  ])
  const asked = { ...firstPage, view: 'all', stage: 'waiting', kind: null } as const
  const page = await services.reviewQueues.read(asked, rae)
  expect(page.rows.map(({ id }) => id)).toEqual(queue.map(({ id }) => id))
})
