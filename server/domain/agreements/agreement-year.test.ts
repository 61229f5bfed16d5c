import { expect, test } from 'vitest'
import { endOf, expectedSteps, type Life } from '../../../tests/support/agreement-oracle.ts'
import { agreementSupport, type Parties } from '../../../tests/support/agreements.ts'
import { testServices } from '../../../tests/support/services.ts'
import { longTest } from '../../../tests/support/slice.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'

const days = 430
const dayMs = 86_400_000
const support = agreementSupport(() => services)

const services = await testServices({ template: 'schema' })
const now = services.clock().getTime()
services.advance(Math.ceil(now / dayMs) * dayMs + dayMs / 2 - now)

/** By hand, so that every kind of life is there: signed early and late, never, short and long, with notice. */
const lives: readonly Life[] = [
  { kind: 'baa', offeredOn: 0, signedOn: 0, lastDay: 364, notice: null },
  { kind: 'baa', offeredOn: 2, signedOn: 25, lastDay: 200, notice: null },
  { kind: 'baa', offeredOn: 5, signedOn: null, lastDay: 300, notice: null },
  { kind: 'baa', offeredOn: 90, signedOn: null, lastDay: 300, notice: null },
  { kind: 'baa', offeredOn: 10, signedOn: 17, lastDay: 30, notice: null },
  { kind: 'baa', offeredOn: 10, signedOn: 39, lastDay: 40, notice: null },
  { kind: 'baa', offeredOn: 40, signedOn: 41, lastDay: 400, notice: { on: 100, lastDay: 160 } },
  { kind: 'baa', offeredOn: 40, signedOn: 47, lastDay: 180, notice: { on: 155, lastDay: 160 } },
  { kind: 'baa', offeredOn: 60, signedOn: 61, lastDay: 300, notice: { on: 200, lastDay: 200 } },
  { kind: 'baa', offeredOn: 110, signedOn: 111, lastDay: 900, notice: null },
  { kind: 'usage_agreement', offeredOn: 1, signedOn: 4, lastDay: 0, notice: null },
  { kind: 'usage_agreement', offeredOn: 20, signedOn: null, lastDay: 0, notice: null },
  { kind: 'usage_agreement', offeredOn: 30, signedOn: 59, lastDay: 0, notice: null },
]

/** The days on which a rule says something, the ones before and after: a tick that acts early or late is seen. */
const near = new Set(
  lives
    .flatMap((life) => [...expectedSteps(life, days).map(({ day }) => day), endOf(life) + 30])
    .flatMap((day) => [day - 1, day, day + 1]),
)

type Running = { life: Life; parties: Parties; id: string }

longTest(
  'a year of agreements goes as the rules say: reminders, what stalls, ends, and what is in force on each day',
  async () => {
    const { prisma, agreements } = services
    const start = services.clock().getTime()
    const running: Running[] = []
    const dayOf = (at: Date) => Math.round((at.getTime() - start) / dayMs)

    for (let day = 0; day < days; day += 1) {
      for (const life of lives.filter(({ offeredOn }) => offeredOn === day)) {
        const parties = await support.makeParties()
        const id =
          life.kind === 'baa'
            ? await support.offerBaa(parties, {
                effectiveOn: support.dayOf(0),
                expiresOn: support.dayOf(life.lastDay - day),
              })
            : await support.offerUsage(parties)
        running.push({ life, parties, id })
      }
      for (const { life, parties, id } of running) {
        if (life.signedOn === day) {
          await support.sign(id, parties.owner)
          if (life.kind === 'baa') await support.sign(id, parties.signatory)
        }
        if (life.notice?.on === day)
          await agreements.terminate(
            {
              ...(await support.target(id)),
              comment: 'The project is over.',
              effectiveOn: support.dayOf(life.notice.lastDay - day),
            },
            parties.admin.fresh(),
          )
      }
      if (day % 10 === 0 || near.has(day)) await agreements.tick(services.clock())
      if (day % 25 === 3) await checkInForce(running, day)
      services.advance(dayMs)
    }

    for (const { life, id } of running) {
      const made = await prisma.agreementEvent.findMany({
        where: { agreementId: id, actorKind: 'system', event: { notIn: ['offer', 'counter_sign'] } },
        orderBy: { id: 'asc' },
      })
      expect(
        made.map(({ at, event }) => ({ day: dayOf(at), event })),
        JSON.stringify(life),
      ).toEqual(expectedSteps(life, days))
      const task = await prisma.agreementReturnTask.findUnique({ where: { agreementId: id } })
      const end = endOf(life)
      const owes = life.kind === 'baa' && life.signedOn !== null && end < days
      expect(task ? dayOf(task.dueAt) : null, JSON.stringify(life)).toBe(owes ? end + 30 : null)
      const reminded = owes && end + 30 < days ? end + 30 : null
      expect(task?.remindedAt ? dayOf(task.remindedAt) : null, JSON.stringify(life)).toBe(reminded)
    }
  },
  240_000,
)

async function checkInForce(running: readonly Running[], day: number): Promise<void> {
  for (const { life, parties } of running) {
    const found = await services.agreements.inForce(services.prisma, {
      organizationId: parties.organizationId,
      practiceId: parties.practiceId,
      level: 'read_only',
      dataClasses: ['visits'],
      purposes: ['treatment'],
      now: services.clock(),
    })
    const expected = life.signedOn !== null && day >= life.signedOn && day < endOf(life)
    const document = life.kind === 'baa' ? found.baa : found.usageAgreement
    expect(document !== null, `day ${day} of ${JSON.stringify(life)}`).toBe(expected)
  }
}

test('a renewal takes its place without a gap, begins anew from the end, and is open to its last 60 days', async () => {
  const { prisma, agreements } = services
  const parties = await support.makeParties()
  const id = await support.executedBaa(parties, { expiresOn: support.dayOf(100) })
  const renew = async () =>
    agreements.amend(await support.target(id), 'renew', { actor: parties.admin.fresh() })
  expect(await kindOfProblem(renew())).toBe('conflict')
  services.advance(50 * dayMs)
  const before = await prisma.agreement.findUniqueOrThrow({ where: { id } })

  const { agreementId } = await renew()
  expect(await support.stateOf(id)).toBe('amended')
  expect(await kindOfProblem(renew())).toBe('conflict')
  await support.sign(agreementId, parties.owner)
  expect(await support.stateOf(id)).toBe('amended')
  await support.sign(agreementId, parties.signatory)

  expect(await support.stateOf(id)).toBe('superseded')
  const after = await prisma.agreement.findUniqueOrThrow({ where: { id: agreementId } })
  expect(after).toMatchObject({ state: 'executed', replacesId: id, openForId: null })
  expect(after.effectiveAt).toEqual(services.clock())
  expect(((after.endsAt?.getTime() ?? 0) - (before.endsAt?.getTime() ?? 0)) / dayMs).toBeCloseTo(100, 0)
  expect(await prisma.agreementReturnTask.count({ where: { agreementId: id } })).toBe(0)
  expect(await agreements.tick(services.clock())).toBe(0)
})

test('an amendment that lapses or is withdrawn leaves what is in force, and a silent one can be taken up again', async () => {
  const { agreements } = services
  const parties = await support.makeParties()
  const id = await support.executedBaa(parties)
  const amend = async () =>
    agreements.amend(await support.target(id), 'amend', {
      actor: parties.owner.fresh(),
      fields: support.completeBaa({ breachNoticeHours: 24 }),
      comment: 'A shorter notice.',
    })
  const first = await amend()
  await agreements.withdraw(
    { ...(await support.target(first.agreementId)), comment: 'We changed our mind.' },
    parties.admin.fresh(),
  )
  expect(await support.stateOf(id)).toBe('executed')

  const second = await amend()
  await support.sign(second.agreementId, parties.owner)
  services.advance(31 * dayMs)
  await agreements.tick(services.clock())
  expect(await support.stateOf(second.agreementId)).toBe('stalled')
  await agreements.resume(await support.target(second.agreementId), parties.signatory.fresh())
  expect(await support.stateOf(second.agreementId)).toBe('partially_signed')
  services.advance(31 * dayMs)
  await agreements.tick(services.clock())
  services.advance(30 * dayMs)
  await agreements.tick(services.clock())
  expect(await support.stateOf(second.agreementId)).toBe('withdrawn')
  expect(await support.stateOf(id)).toBe('executed')
})

test('at the end of a BAA the developer attests once what was done with the data', async () => {
  const { agreements, prisma } = services
  const parties = await support.makeParties()
  const id = await support.executedBaa(parties)
  await agreements.terminate(
    { ...(await support.target(id)), comment: 'We no longer work together.', effectiveOn: null },
    parties.signatory.fresh(),
  )
  expect(await support.stateOf(id)).toBe('terminated')
  const { retainUntil, endsAt } = await prisma.agreement.findUniqueOrThrow({ where: { id } })
  expect(endsAt).toEqual(services.clock())
  expect(retainUntil?.getUTCFullYear()).toBe(services.clock().getUTCFullYear() + 6)

  const said = {
    outcome: 'destroyed' as const,
    statement: 'Every copy and backup was wiped.',
    legalName: 'Robin Testwell',
    title: 'Chief executive',
  }
  const form = { ...(await support.target(id)), ...said }
  expect(await kindOfProblem(agreements.attest(form, parties.admin.fresh()))).toBe('conflict')
  await agreements.attest(form, parties.owner.fresh())
  await agreements.attest(form, parties.owner.fresh())
  const again = { ...(await support.target(id)), ...said }
  expect(await kindOfProblem(agreements.attest(again, parties.owner.fresh()))).toBe('conflict')
  expect(await prisma.agreementReturnTask.findUnique({ where: { agreementId: id } })).toMatchObject(said)
  expect(await prisma.outboxMail.count({ where: { threadId: id, template: 'agreement-returned' } })).toBe(3)
})
