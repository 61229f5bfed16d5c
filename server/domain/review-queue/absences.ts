/** Reviewers who are away, and who stands in for them. Days are calendar dates of the office. */
import type { Prisma, ReviewAbsence } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../actor.ts'
import { addDays, type CalendarDate } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { transact } from '../workflow/engine.ts'

/** Absences are planned one at a time: two at once could make a circle that neither sees. */
const planningLock = 727_073_711
const daysMax = 366

export type AbsenceView = Awaited<ReturnType<typeof listAbsences>>[number]

type Absence = Pick<ReviewAbsence, 'reviewerId' | 'substituteId' | 'fromOn' | 'untilOn'>

/** The office's date. */
export const officeDate = ({ calendar, clock }: Core): CalendarDate => calendar.dateOf(clock())

/** Those that are not over, the first to begin first. */
export async function listAbsences(core: Core, actor: Pick<Actor, 'accountId'>) {
  const { prisma, calendar, clock } = core
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const today = calendar.dateOf(clock())
  const named = { select: { id: true, name: true } } as const
  const rows = await prisma.reviewAbsence.findMany({
    where: { untilOn: { gte: today } },
    include: { reviewer: named, substitute: named },
    orderBy: [{ fromOn: 'asc' }, { id: 'asc' }],
    take: 200,
  })
  return rows.map(({ id, reviewer, substitute, fromOn, untilOn }) => ({
    ...{ id, reviewer, substitute, fromOn, untilOn },
    isNow: fromOn <= today,
  }))
}

/**
 * The reader is away from one date to another, and a colleague gets what would come to the reader.
 * @throws Problem `validation` for dates that are over or overlap, for a colleague who does not review, or for a circle
 */
export async function planAbsence(
  core: Core,
  input: Readonly<{ substituteId: string; fromOn: CalendarDate; untilOn: CalendarDate }>,
  actor: Actor,
): Promise<void> {
  const { prisma, calendar, clock, portalAudit } = core
  await requireStaff(prisma, actor, ['reviewer'])
  const planned = { reviewerId: actor.accountId, ...input }
  checkDates(planned, calendar.dateOf(clock()))
  await transact(core, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${planningLock}::bigint)`
    await checkSubstitute(tx, planned)
    const others = await tx.reviewAbsence.findMany({
      where: { fromOn: { lte: planned.untilOn }, untilOn: { gte: planned.fromOn } },
    })
    if (others.some(({ reviewerId }) => reviewerId === actor.accountId))
      throw invalid('from', 'You are already away on some of these days.')
    if (leadsBack(planned, others))
      throw invalid(
        'substitute',
        'You are covering for this colleague on some of these days. Choose someone else.',
      )
    const { id } = await tx.reviewAbsence.create({ data: { ...planned, createdAt: clock() } })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'review.absence_planned',
      subject: { kind: 'review_absence', id },
      detail: { substitute: planned.substituteId, from: planned.fromOn, until: planned.untilOn },
    })
  })
}

/** @throws Problem `not_found` for an absence of another person */
export async function cancelAbsence(core: Core, { id }: Readonly<{ id: string }>, actor: Actor) {
  await requireStaff(core.prisma, actor, ['reviewer'])
  await transact(core, async (tx) => {
    const { count } = await tx.reviewAbsence.deleteMany({ where: { id, reviewerId: actor.accountId } })
    if (count === 0) throw new Problem('not_found')
    await core.portalAudit.append(tx, {
      ...core.portalAudit.by(actor),
      action: 'review.absence_cancelled',
      subject: { kind: 'review_absence', id },
      detail: {},
    })
  })
}

function checkDates({ fromOn, untilOn }: Absence, today: CalendarDate): void {
  if (untilOn < fromOn) throw invalid('until', 'The last day must not be before the first.')
  if (untilOn < today) throw invalid('until', 'Choose a last day that hasn’t passed.')
  if (untilOn > addDays(today, daysMax)) throw invalid('until', 'Choose a last day within a year.')
}

async function checkSubstitute(tx: Prisma.TransactionClient, { reviewerId, substituteId }: Absence) {
  const found = await tx.account.findFirst({
    where: { id: substituteId, realm: 'staff', staffRole: 'reviewer', disabledAt: null },
    select: { id: true },
  })
  if (!found || substituteId === reviewerId)
    throw invalid('substitute', 'Choose a colleague who is a reviewer.')
}

const invalid = (field: string, message: string) => new Problem('validation', { field, message })

/** Whether, on some day, the chain of covering colleagues leads back to the reviewer. */
export function leadsBack(planned: Absence, others: readonly Absence[]): boolean {
  const follow = (
    at: string,
    fromOn: CalendarDate,
    untilOn: CalendarDate,
    seen: readonly string[],
  ): boolean =>
    others.some((other) => {
      if (other.reviewerId !== at || seen.includes(at)) return false
      const [from, until] = [later(fromOn, other.fromOn), earlier(untilOn, other.untilOn)]
      if (from > until) return false
      return (
        other.substituteId === planned.reviewerId || follow(other.substituteId, from, until, [...seen, at])
      )
    })
  return follow(planned.substituteId, planned.fromOn, planned.untilOn, [])
}

const later = (one: CalendarDate, other: CalendarDate) => (one > other ? one : other)
const earlier = (one: CalendarDate, other: CalendarDate) => (one < other ? one : other)

/** Who gets what would come to this reviewer today: the reviewer, or the last of those who stand in. */
export async function findStandIn(tx: Prisma.TransactionClient, reviewerId: string, today: CalendarDate) {
  const away = await tx.reviewAbsence.findMany({
    where: { fromOn: { lte: today }, untilOn: { gte: today } },
    select: { reviewerId: true, substituteId: true },
  })
  const substitutes = new Map(away.map((each) => [each.reviewerId, each.substituteId]))
  let [found, steps] = [reviewerId, substitutes.size]
  for (let next = substitutes.get(found); next !== undefined && steps > 0; next = substitutes.get(found)) {
    found = next
    steps -= 1
  }
  return found
}
