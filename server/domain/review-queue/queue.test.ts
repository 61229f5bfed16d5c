import { expect, test } from 'vitest'
import {
  completeForm,
  registrationServices,
  registrationSupport,
} from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import type { QueueAsk } from './queue.ts'

const support = registrationSupport(() => services)
const everything: QueueAsk = { q: '', page: 1, view: 'all', stage: 'waiting', kind: null }
const day = 86_400_000

const services = await registrationServices({ template: 'schema' })

const add = async (
  of: { organizationId: string; owner: { accountId: string } },
  changes: Readonly<{
    name?: string
    state?: string
    kind?: string
    claimedById?: string
    dueInDays?: number
  }>,
) => {
  const now = services.clock()
  const { dueInDays, ...data } = changes
  const { id } = await services.prisma.registration.create({
    data: {
      kind: 'app',
      organizationId: of.organizationId,
      createdById: of.owner.accountId,
      name: 'Tidepath',
      state: 'submitted',
      form: completeForm(),
      createdAt: now,
      updatedAt: now,
      ...data,
    },
  })
  if (dueInDays !== undefined)
    await services.prisma.registrationClock.create({
      data: {
        ...{ registrationId: id, kind: 'promise', days: 5, startedAt: now },
        ...{
          receivedOn: '2026-11-16',
          dueOn: '2026-11-23',
          dueAt: new Date(now.getTime() + dueInDays * day),
        },
      },
    })
  return id
}

test('is filtered by assignee, stage, kind and words, and counts what each view would show', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const team = await support.makeTeam()
  const mine = await add(team, { name: 'Tern', claimedById: rae.accountId, state: 'in_review', dueInDays: 3 })
  const theirs = await add(team, {
    name: 'Plover',
    claimedById: kit.accountId,
    state: 'in_review',
    dueInDays: 1,
  })
  const unassigned = await add(team, { name: 'Dunlin', kind: 'change', dueInDays: 2 })
  const asked = await add(team, { name: 'Knot', state: 'needs_info' })
  const decided = await add(team, { name: 'Ruff', state: 'enabled' })
  await add(team, { name: 'Draft', state: 'draft' })
  await add(team, { name: 'Gone', state: 'withdrawn' })
  const ids = async (ask: Partial<QueueAsk>) =>
    (await services.reviewQueues.read({ ...everything, ...ask }, rae)).rows.map(({ id }) => id)

  expect(await ids({})).toEqual([theirs, unassigned, mine])
  expect((await services.reviewQueues.read(everything, rae)).counts).toEqual({
    all: 3,
    mine: 1,
    unassigned: 1,
  })
  expect(await ids({ view: 'mine' })).toEqual([mine])
  expect(await ids({ view: 'unassigned' })).toEqual([unassigned])
  expect(await ids({ kind: 'change' })).toEqual([unassigned])
  expect(await ids({ stage: 'asked' })).toEqual([asked])
  expect(await ids({ stage: 'decided' })).toEqual([decided])
  expect(await ids({ q: 'dun' })).toEqual([unassigned])
  expect(await ids({ q: '%' })).toEqual([])
})

test('says of each request when it is due, who has it, and what raises its risk', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const team = await support.makeTeam()
  const id = await add(team, { claimedById: kit.accountId, state: 'in_review', dueInDays: -1 })

  const { rows } = await services.reviewQueues.read({ ...everything, q: 'Tidepath' }, rae)
  const row = rows.find((each) => each.id === id)

  expect(row).toMatchObject({
    noun: 'registration',
    stateName: 'In review',
    assignee: { id: kit.accountId, isReader: false },
    barred: false,
    promise: { state: 'running', days: 5 },
    rule: null,
    risk: { level: 'raised', facts: ['new_organization', 'unverified_domain'] },
  })
  const one = { noun: 'registration', id, organizationId: team.organizationId } as const
  expect(await services.reviewQueues.readRisk(one, rae)).toEqual(row?.risk)
  expect(await kindOfProblem(services.reviewQueues.readRisk(one, team.owner.actor))).toBe('forbidden')
})

test('marks what the reader may not decide', async () => {
  const { kit } = await support.makeReviewTeam()
  const team = await support.makeTeam()
  const colleague = await support.makeStaff('reviewer', team.owner.email)
  const own = await add(team, {})
  const excluded = await add(await support.makeTeam(), {})
  await services.prisma.registration.update({
    where: { id: excluded },
    data: { excludedIds: [kit.accountId] },
  })
  const barred = async (reader: { accountId: string }) =>
    (await services.reviewQueues.read(everything, reader)).rows.flatMap((row) => (row.barred ? [row.id] : []))

  expect(await barred(colleague)).toEqual([own])
  expect(await barred(kit)).toEqual([excluded])
})

test('a request that a practice did not recognize is in the queue of operations, and of no reviewer', async () => {
  const { rae, ops } = await support.makeReviewTeam()
  const { organizationId, owner } = await support.makeTeam()
  const now = services.clock()
  const { id } = await services.prisma.productionKeyRequest.create({
    data: {
      ...{ organizationId, requestedById: owner.accountId, practiceSlug: 'fennmoor', name: 'Held import' },
      ...{ level: 'read_only', termDays: 90, state: 'security_hold', createdAt: now, updatedAt: now },
    },
  })
  const idsFor = async (reader: { accountId: string }) =>
    (await services.reviewQueues.read({ ...everything, q: 'Held import' }, reader)).rows.map((row) => row.id)

  expect(await idsFor(rae)).toEqual([])
  expect(await idsFor(ops)).toEqual([id])
})

test('is for reviewers and operations alone', async () => {
  const { owner } = await support.makeTeam()
  const { ops } = await support.makeReviewTeam()

  expect(await kindOfProblem(services.reviewQueues.read(everything, owner.actor))).toBe('forbidden')
  expect(await kindOfProblem(services.reviewQueues.read(everything, ops))).toBe('none')
})
