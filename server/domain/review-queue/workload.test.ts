import { beforeAll, expect, test } from 'vitest'
import { registrationServices, registrationSupport } from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { promiseWeeks } from '../../contract/workflows/review-queue.ts'
import { addDays, weekdayOf } from '../business-days/calendar-date.ts'

let services: TestServices
const support = registrationSupport(() => services)

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

type Clock = Readonly<{
  state?: string
  receivedOn: string
  dueOn: string
  stopped?: boolean
  breached?: boolean
  pausedOn?: string
  claimedById?: string
}>

async function add({ state = 'submitted', claimedById, stopped, breached, ...clock }: Clock) {
  const { organizationId, owner } = await support.makeTeam()
  const now = services.clock()
  const { id } = await services.prisma.registration.create({
    data: {
      ...{ kind: 'app', name: 'Tidepath', form: {}, state, createdAt: now, updatedAt: now },
      ...{ organizationId, createdById: owner.accountId, claimedById: claimedById ?? null },
    },
  })
  await services.prisma.registrationClock.create({
    data: {
      ...{ registrationId: id, kind: 'promise', days: 5, startedAt: now, ...clock },
      dueAt: services.core.calendar.endOf(clock.dueOn),
      stoppedAt: stopped ? now : null,
      breachedAt: breached ? now : null,
    },
  })
}

test('the promise is counted by the week of receipt: in time, late, open; withdrawn requests are not', async () => {
  const { rae } = await support.makeReviewTeam()
  const today = services.core.calendar.dateOf(services.clock())
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7))
  const week = addDays(monday, -14)
  const past = { receivedOn: addDays(week, 1), dueOn: addDays(week, 8) }
  await add({ ...past, state: 'enabled', stopped: true })
  await add({ ...past, state: 'enabled', stopped: true, breached: true })
  await add(past)
  await add({ ...past, state: 'needs_info', pausedOn: addDays(week, 3) })
  await add({ ...past, state: 'withdrawn', stopped: true })
  await add({ receivedOn: monday, dueOn: addDays(today, 7) })
  await add({ receivedOn: addDays(monday, -7 * promiseWeeks), dueOn: addDays(today, 7) })

  const weeks = await services.reviewWorkload.readPromise(rae)

  expect(weeks).toHaveLength(promiseWeeks)
  expect(weeks.find((each) => each.week === week)).toEqual({ week, within: 1, late: 2, open: 1 })
  expect(weeks.at(-1)).toEqual({ week: monday, within: 0, late: 0, open: 1 })
  expect(weeks.reduce((sum, { within, late, open }) => sum + within + late + open, 0)).toBe(5)
})

test('the workload counts what each reviewer has, and says who is away', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const today = services.core.calendar.dateOf(services.clock())
  const held = { claimedById: rae.accountId, state: 'in_review', receivedOn: addDays(today, -9) }
  await add({ ...held, dueOn: addDays(today, -2) })
  await add({ ...held, dueOn: today })
  await add({ ...held, dueOn: addDays(today, 30) })
  await add({ ...held, state: 'needs_info', dueOn: today })
  const untilOn = addDays(today, 4)
  await services.reviewAbsences.planAbsence(
    { substituteId: rae.accountId, fromOn: today, untilOn },
    kit.fresh(),
  )

  const loads = await services.reviewWorkload.readWorkload(rae)

  expect(loads).toHaveLength(2)
  expect(loads.find(({ id }) => id === rae.accountId)).toMatchObject({
    ...{ open: 3, overdue: 1, dueSoon: 1, decided: 0, away: null },
  })
  expect(loads.find(({ id }) => id === kit.accountId)).toMatchObject({
    open: 0,
    away: { untilOn, substitute: 'Rae reviewer' },
  })
})

test('both are for reviewers and operations alone', async () => {
  const { owner } = await support.makeTeam()
  const { ops } = await support.makeReviewTeam()
  const { readWorkload, readPromise } = services.reviewWorkload

  for (const read of [readWorkload, readPromise]) {
    expect(await kindOfProblem(read(owner.actor))).toBe('forbidden')
    expect(await kindOfProblem(read(ops))).toBe('none')
  }
})
