import { beforeAll, expect, test } from 'vitest'
import {
  registrationServices,
  registrationSupport,
  type Staff,
} from '../../../tests/support/registrations.ts'
import type { TestServices } from '../../../tests/support/services.ts'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { addDays } from '../business-days/calendar-date.ts'
import { findStandIn } from './absences.ts'

let services: TestServices
const support = registrationSupport(() => services)
const today = () => services.core.calendar.dateOf(services.clock())
const day = (after: number) => addDays(today(), after)

beforeAll(async () => {
  services = await registrationServices({ template: 'schema' })
})

const plan = (who: Staff, substitute: Staff, from: number, until: number) =>
  services.reviewAbsences.planAbsence(
    { substituteId: substitute.accountId, fromOn: day(from), untilOn: day(until) },
    who.fresh(),
  )
const faultOf = async (work: Promise<unknown>) => {
  try {
    await work
    return null
  } catch (thrown) {
    return (thrown as { field?: string }).field ?? String(thrown)
  }
}
const standIn = (who: Staff, after = 0) => findStandIn(services.prisma, who.accountId, day(after))

test('on the days of an absence the substitute stands in, before and after them nobody does', async () => {
  const { rae, kit } = await support.makeReviewTeam()

  await plan(rae, kit, 1, 3)

  expect(await standIn(rae)).toBe(rae.accountId)
  expect(await standIn(rae, 1)).toBe(kit.accountId)
  expect(await standIn(rae, 3)).toBe(kit.accountId)
  expect(await standIn(rae, 4)).toBe(rae.accountId)
  expect(await services.reviewAbsences.listAbsences(kit)).toContainEqual(
    expect.objectContaining({
      ...{ reviewer: expect.objectContaining({ id: rae.accountId }), isNow: false },
      substitute: expect.objectContaining({ id: kit.accountId }),
    }),
  )
})

test('two may be away at once: the one who is left stands in for both', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const ira = await support.makeStaff('reviewer')

  await plan(rae, kit, 0, 5)
  await plan(kit, ira, 2, 3)

  expect(await standIn(rae, 1)).toBe(kit.accountId)
  expect(await standIn(rae, 2)).toBe(ira.accountId)
  expect(await standIn(kit, 2)).toBe(ira.accountId)
})

test('a circle is refused, whoever closes it, and only on days that meet', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  const ira = await support.makeStaff('reviewer')
  await plan(rae, kit, 0, 5)
  await plan(kit, ira, 3, 8)

  expect(await faultOf(plan(ira, rae, 4, 4))).toBe('substitute')
  expect(await faultOf(plan(ira, kit, 8, 9))).toBe('substitute')
  expect(await faultOf(plan(ira, rae, 6, 6))).toBeNull()
})

test('what cannot be is refused by field', async () => {
  const { rae, kit, ops } = await support.makeReviewTeam()
  await plan(rae, kit, 2, 3)

  expect(await faultOf(plan(rae, kit, 3, 5))).toBe('from')
  expect(await faultOf(plan(kit, kit, 0, 1))).toBe('substitute')
  expect(await faultOf(plan(kit, ops, 0, 1))).toBe('substitute')
  expect(await faultOf(plan(kit, rae, 5, 4))).toBe('until')
  expect(await faultOf(plan(kit, rae, -3, -1))).toBe('until')
  expect(await faultOf(plan(kit, rae, 0, 400))).toBe('until')
  expect(await kindOfProblem(plan(ops, kit, 0, 1))).toBe('forbidden')
})

test('an absence is cancelled by its own reviewer alone', async () => {
  const { rae, kit } = await support.makeReviewTeam()
  await plan(rae, kit, 0, 1)
  const absences = await services.reviewAbsences.listAbsences(rae)
  const id = absences.find(({ reviewer }) => reviewer.id === rae.accountId)?.id ?? ''

  expect(await kindOfProblem(services.reviewAbsences.cancelAbsence({ id }, kit.fresh()))).toBe('not_found')
  await services.reviewAbsences.cancelAbsence({ id }, rae.fresh())
  expect(await standIn(rae)).toBe(rae.accountId)
})

test('two who name each other at the same moment: one of them is refused', async () => {
  const { rae, kit } = await support.makeReviewTeam()

  const faults = await Promise.all([plan(rae, kit, 0, 1), plan(kit, rae, 1, 2)].map(faultOf))

  expect(faults.toSorted()).toEqual(['substitute', null].toSorted())
})
