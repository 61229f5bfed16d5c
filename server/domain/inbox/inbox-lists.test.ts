import { beforeAll, expect, test } from 'vitest'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { inboxSubjects } from '../../../tests/support/inbox-subjects.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { type InboxAsk, wholeInbox } from '../../contract/portal/inbox-filter.ts'
import type { Actor } from '../actor.ts'

let services: TestServices
const support = agreementSupport(() => services)
const { make, at } = inboxSubjects(
  () => services,
  support,
  () => {
    throw new Error('say whose')
  },
)
/** A Friday noon in New York, as the tests' clock begins. */
const zone = 'America/New_York'

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

const idsOf = async (who: () => Actor, ask: Partial<InboxAsk> = {}) => {
  const { rows, total } = await services.inbox.list({ ask: { ...wholeInbox, ...ask } }, who())
  expect(rows).toHaveLength(total)
  return rows.map(({ id }) => id)
}

async function expectCounts(who: () => Actor) {
  const { open, mine, snoozed } = await services.inbox.summary({}, who())
  expect(await idsOf(who)).toHaveLength(open)
  expect(await idsOf(who, { view: 'mine' })).toHaveLength(mine)
  expect(await idsOf(who, { view: 'snoozed' })).toHaveLength(snoozed)
  expect(await services.inbox.count({}, who())).toBe(open)
}

const question = (of: Parties) => make('production_key_request', 'needs_info', null, of)
const entry = (id: string) => ({ kind: 'production_key_request' as const, id })

test('a snoozed entry is hidden until the morning of its day, in the zone of who snoozed it, and can be taken back', async () => {
  const team = await support.makeParties()
  const { owner } = team
  const id = await question(team)

  await services.inbox.snooze({ ...entry(id), until: 'tomorrow', zone }, owner.fresh())
  expect(await idsOf(owner.fresh)).toEqual([])
  expect(await idsOf(owner.fresh, { view: 'snoozed' })).toEqual([id])
  await expectCounts(owner.fresh)
  const [row] = await services.prisma.inboxSnooze.findMany({ where: { subjectId: id } })
  expect(row?.until.toISOString()).toBe('2026-11-21T13:00:00.000Z')

  await services.inbox.snooze({ ...entry(id), until: 'monday', zone: 'Europe/Berlin' }, owner.fresh())
  expect(await services.prisma.inboxSnooze.findMany({ where: { subjectId: id } })).toMatchObject([
    { until: new Date('2026-11-23T07:00:00.000Z') },
  ])
  await services.inbox.wake(entry(id), owner.fresh())
  expect(await idsOf(owner.fresh)).toEqual([id])

  await services.inbox.snooze({ ...entry(id), until: '2026-11-22', zone }, owner.fresh())
  const before = services.clock().getTime()
  services.advance(Date.parse('2026-11-22T12:59:59Z') - before)
  expect(await idsOf(owner.fresh)).toEqual([])
  services.advance(1_000)
  expect(await idsOf(owner.fresh)).toEqual([id])
  await services.inbox.forgetSnoozes(services.clock())
  expect(await services.prisma.inboxSnooze.count({ where: { subjectId: id } })).toBe(0)
  services.advance(before - services.clock().getTime())
})

test('it comes back when somebody acts, when the state or the deadline changes, and a day before it is due; not for a reminder', async () => {
  const { prisma } = services
  const team = await support.makeParties()
  const { owner } = team
  const id = await question(team)
  await prisma.productionKeyRequest.update({ where: { id }, data: { silentSince: services.clock() } })
  const hidden = async () => (await idsOf(owner.fresh)).length === 0
  const snooze = async () => {
    await services.inbox.wake(entry(id), owner.fresh())
    await services.inbox.snooze({ ...entry(id), until: '2027-01-20', zone }, owner.fresh())
    expect(await hidden()).toBe(true)
  }
  const step = (event: string, actorKind: string) => {
    services.advance(1)
    const same = { from: 'needs_info', to: 'needs_info', at: services.clock() }
    return prisma.workflowEvent.create({
      data: { subjectKind: 'production_key_request', subjectId: id, event, actorKind, ...same },
    })
  }

  await snooze()
  await step('remind', 'system')
  await prisma.productionKeyRequest.update({ where: { id }, data: { updatedAt: services.clock() } })
  expect(await hidden()).toBe(true)
  await step('save', 'admin')
  expect(await hidden()).toBe(false)

  await snooze()
  await prisma.productionKeyRequest.update({ where: { id }, data: { silentSince: at(1) } })
  expect(await hidden()).toBe(false)

  await snooze()
  await prisma.productionKeyRequest.update({ where: { id }, data: { state: 'draft' } })
  expect(await hidden()).toBe(false)
  await prisma.productionKeyRequest.update({ where: { id }, data: { state: 'needs_info' } })

  await snooze()
  services.advance(30 * 86_400_000 - 1)
  expect(await hidden()).toBe(true)
  services.advance(2)
  expect(await hidden()).toBe(false)
  expect(
    await kindOfProblem(services.inbox.snooze({ ...entry(id), until: 'tomorrow', zone }, owner.fresh())),
  ).toBe('conflict')
  services.advance(-30 * 86_400_000)
})

test('one person’s snooze is theirs alone, and nobody snoozes what is not in their inbox', async () => {
  const [team, others] = [await support.makeParties(), await support.makeParties()]
  const colleague = await support.addMember(team.organizationId, 'owner')
  const id = await question(team)

  await services.inbox.snooze({ ...entry(id), until: 'tomorrow', zone }, team.owner.fresh())
  expect(await idsOf(() => colleague.actor)).toEqual([id])
  for (const who of [others.owner, team.signatory])
    expect(
      await kindOfProblem(services.inbox.snooze({ ...entry(id), until: 'tomorrow', zone }, who.fresh())),
    ).toBe('not_found')
  for (const until of ['2026-11-20', '2027-06-01'])
    expect(
      await kindOfProblem(services.inbox.snooze({ ...entry(id), until, zone }, team.owner.fresh())),
    ).toBe('validation')
})

test('the filters: kind, deadline and who asks, each alone and together', async () => {
  const { prisma } = services
  const team = await support.makeParties()
  const { owner } = team
  const late = await question(team)
  const soon = await question(team)
  const far = await question(team)
  const ends = { [late]: -31, [soon]: -25, [far]: -2 }
  for (const [id, days] of Object.entries(ends))
    await prisma.productionKeyRequest.update({ where: { id }, data: { silentSince: at(days) } })
  const baa = await support.offerBaa(team)
  const draft = await make('production_key_request', 'draft', null, team)

  expect(await idsOf(owner.fresh, { kind: 'agreement' })).toEqual([baa])
  expect(await idsOf(owner.fresh, { due: 'overdue' })).toEqual([late])
  expect(await idsOf(owner.fresh, { due: 'week' })).toEqual([soon])
  expect((await idsOf(owner.fresh, { due: 'later' })).sort()).toEqual([far, baa].sort())
  expect(await idsOf(owner.fresh, { due: 'none' })).toEqual([draft])
  expect(await idsOf(owner.fresh, { from: 'Old Quay Family Practice' })).toEqual([baa])
  expect((await idsOf(owner.fresh, { from: 'Sandpiper' })).sort()).toEqual([late, soon, far].sort())
  expect(
    await idsOf(owner.fresh, { from: 'Sandpiper', due: 'week', kind: 'production_key_request' }),
  ).toEqual([soon])
  expect(await idsOf(owner.fresh, { q: 'old quay business' })).toEqual([])
  const { kinds, askers } = await services.inbox.summary({}, owner.fresh())
  expect(kinds).toEqual(['agreement', 'production_key_request'])
  expect(askers).toEqual(['Old Quay Family Practice', 'Samplewood Health Apps', 'Sandpiper'])
  await expectCounts(owner.fresh)
})
