/** A year in ticks, one a day where something may happen, against a table of what has to have happened on which day. */
import { expect, test } from 'vitest'
import { productionKeySupport, reasonWords } from '../../../tests/support/production-keys.ts'
import { registrationServices } from '../../../tests/support/registrations.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const support = productionKeySupport(() => services)
const dayMs = 86_400_000
const end = 370

type Line = `${number} ${string}`
type Plan = { id: string; happens: Line[]; acts?: Record<number, () => Promise<unknown>> }

const services = await registrationServices({ template: 'schema' })

const on = (event: string, days: readonly number[]): Line[] => days.map((day): Line => `${day} ${event}`)
/** Days of reminders before an end. */
const before = (last: number) => [30, 14, 7, 3, 1].map((days) => last - days)

/** Nobody at the practice answers; the developers ask twice again. */
async function unanswered(): Promise<Plan> {
  const { requestId, owner } = await support.submitted()
  const ask = async () => services.productionKeys.reinvite(await support.target(requestId), owner.fresh())
  const waits = [0, 20, 50]
  return {
    id: requestId,
    acts: { 20: ask, 50: ask, 80: async () => expect(await kindOfProblem(ask())).toBe('conflict') },
    happens: waits.flatMap((from) => [
      ...on('remind', [from + 3, from + 7, from + 12]),
      ...on('lapse', [from + 14]),
    ]),
  }
}

/** A key that nobody renews. */
async function leftAlone(): Promise<Plan> {
  const { requestId } = await support.working()
  return { id: requestId, happens: [...on('remind', before(90)), ...on('expire', [90])] }
}

/** A key of a year that was vouched for a hundred days before, and is not looked at again in its year. */
async function notRecertified(): Promise<Plan> {
  const { requestId } = await support.working({ termDays: 360 })
  await services.prisma.productionKeyRequest.update({
    where: { id: requestId },
    data: { certifiedAt: new Date(services.clock().getTime() - 100 * dayMs) },
  })
  // Due on day 265, reminded 14, 23 and 28 days later; suspended on day 295, it is not reminded of its end.
  return { id: requestId, happens: [...on('suspend', [295]), ...on('expire', [360])] }
}

/** The same, looked at on the last day. */
async function recertified(): Promise<Plan> {
  const { requestId, office } = await support.working({ termDays: 360 })
  await services.prisma.productionKeyRequest.update({
    where: { id: requestId },
    data: { certifiedAt: new Date(services.clock().getTime() - 100 * dayMs) },
  })
  const look = async () =>
    services.productionKeys.recertify(await support.target(requestId), office.admin.fresh())
  return {
    id: requestId,
    acts: { 297: look },
    happens: [
      ...on('suspend', [295]),
      ...on('reinstate', [297]),
      ...on('remind', before(360)),
      ...on('expire', [360]),
    ],
  }
}

/** Its BAA runs out and is not renewed. */
async function withoutBaa(): Promise<Plan> {
  const { requestId } = await support.working({ termDays: 200 })
  const { baaId } = await support.rowOf(requestId)
  const endsAt = new Date(services.clock().getTime() + 100 * dayMs)
  await services.prisma.agreement.update({ where: { id: baaId ?? '' }, data: { endsAt } })
  return { id: requestId, happens: [...on('suspend', [100]), ...on('expire', [200])] }
}

/** The practice ends its sponsorship, and nobody takes it over. */
async function unsponsored(): Promise<Plan> {
  const { requestId, office } = await support.working()
  const stop = async () =>
    services.productionKeys.sponsors.endSponsorship(
      { ...(await support.target(requestId)), reason: reasonWords },
      office.admin.fresh(),
    )
  return { id: requestId, acts: { 10: stop }, happens: on('revoke', [17]) }
}

/** A question of a reviewer that nobody answers. */
async function silent(): Promise<Plan> {
  const scene = await support.submitted()
  await support.confirm(scene)
  await support.signEverything(scene)
  const rae = await support.makeStaff('reviewer')
  const { reviews } = services.productionKeys
  await reviews.claim(await support.target(scene.requestId), rae.fresh())
  const items = [{ code: 'need_unclear', text: 'What needs the visits, please?' }]
  await reviews.requestInfo({ ...(await support.target(scene.requestId)), items }, rae.fresh())
  return { id: scene.requestId, happens: [...on('remind', [3, 7]), ...on('lapse', [30])] }
}

/** A key that nobody claims, with a link sent again as often as it can be. */
async function unclaimed(): Promise<Plan> {
  const { requestId, owner } = await support.approved()
  const again = async () => services.productionKeys.reissue({ requestId }, owner.fresh())
  return {
    id: requestId,
    acts: {
      5: again,
      10: again,
      15: again,
      20: async () => expect(await kindOfProblem(again())).toBe('conflict'),
    },
    happens: on('claim_lapse', [3, 8, 13, 18]),
  }
}

/** Vouched for, and then nobody signs: the documents stall and close. */
async function unsigned(): Promise<Plan> {
  const scene = await support.submitted()
  await support.confirm(scene)
  await support.sign(
    (await support.rowOf(scene.requestId)).usageAgreementId ?? '',
    scene.owner,
    'Chief Executive',
  )
  return { id: scene.requestId, happens: [...on('stall', [30]), ...on('documents_close', [60])] }
}

/** When the practice is asked whether a key may go on that it let in a hundred days before. */
const certifyDays = [265, 279, 288, 293]
const byTime = [
  'remind',
  'lapse',
  'suspend',
  'reinstate',
  'expire',
  'revoke',
  'claim_lapse',
  'stall',
  'documents_close',
]

test('over a year every request is reminded, ends, stops and starts on its day, and on no other', async () => {
  const start = services.clock()
  const plans: Plan[] = []
  for (const make of [
    unanswered,
    leftAlone,
    notRecertified,
    recertified,
    withoutBaa,
    unsponsored,
    silent,
    unclaimed,
    unsigned,
  ])
    plans.push(await make())
  expect(services.clock()).toEqual(start)

  const marked = plans.flatMap(({ happens, acts }) => [
    ...happens.map((line) => Number.parseInt(line, 10)),
    ...Object.keys(acts ?? {}).map(Number),
  ])
  const near = new Set([...marked, ...certifyDays].flatMap((day) => [day - 1, day, day + 1]))
  for (let day = 0; day <= end; day++) {
    if (day % 15 === 0 || near.has(day)) {
      for (const { acts } of plans) await acts?.[day]?.()
      await services.agreements.tick(services.clock())
      await services.productionKeys.tick(services.clock())
      // A second worker, or the same minute again, does nothing.
      if (day % 30 === 0) expect(await services.productionKeys.tick(services.clock())).toBe(0)
    }
    services.advance(dayMs)
  }

  for (const { id, happens } of plans) {
    const events = await services.prisma.workflowEvent.findMany({
      where: { subjectId: id, event: { in: byTime }, actorKind: { in: ['system', 'documents'] } },
      orderBy: { id: 'asc' },
    })
    const seen = events.map(
      ({ at, event }) => `${Math.floor((at.getTime() - start.getTime()) / dayMs)} ${event}`,
    )
    const wanted = [...happens].sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
    expect(seen, id).toEqual(wanted)
  }
  const { id } = plans[2] ?? { id: '' }
  const asked = await services.prisma.outboxMail.findMany({
    where: { threadId: id, template: 'recertification-due' },
    orderBy: { createdAt: 'asc' },
  })
  const days = asked.map(({ createdAt }) => Math.floor((createdAt.getTime() - start.getTime()) / dayMs))
  expect(days).toEqual(certifyDays)
}, 240_000)

test('what was sent about each request is what the table lists for its events', async () => {
  for (const { listed, sent } of await support.listedAndSent()) expect(sent).toEqual(listed)
})
