/** How much each reviewer has, and how well the promise of five business days is kept, from the clocks of the queue. */
import { promiseWeeks, stageStates } from '../../contract/workflows/review-queue.ts'
import type { Actor } from '../actor.ts'
import { addDays, type CalendarDate, weekdayOf } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'

export type ReviewerLoad = Readonly<{
  id: string
  name: string
  open: number
  overdue: number
  /** Due today or on the next business day that ends within 48 hours. */
  dueSoon: number
  /** Decided in the last 30 days: approvals and rejections. */
  decided: number
  away: Readonly<{ untilOn: CalendarDate; substitute: string }> | null
}>

/** Requests received in a week, by what became of the promise. */
export type PromiseWeek = Readonly<{
  /** Its Monday. */
  week: CalendarDate
  within: number
  late: number
  open: number
}>

const hourMs = 3_600_000

/** Reviewers by name; unassigned requests are on the queue's own page. */
export async function readWorkload({ prisma, calendar, clock }: Core, actor: Pick<Actor, 'accountId'>) {
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const now = clock()
  const today = calendar.dateOf(now)
  const soon = new Date(now.getTime() + 48 * hourMs)
  const since = new Date(now.getTime() - 30 * 24 * hourMs)
  const { registration, production_key_request } = stageStates.waiting
  const rows = await prisma.$queryRaw<
    (Omit<ReviewerLoad, 'away'> & { untilOn: CalendarDate | null; substitute: string | null })[]
  >`
    WITH held AS (
      SELECT r.claimed_by_id AS by, (SELECT min(c.due_at) FROM portal.registration_clock c
              WHERE c.registration_id = r.id AND c.stopped_at IS NULL AND c.paused_on IS NULL) AS due_at
        FROM portal.registration r WHERE r.state = ANY (${registration}) AND r.claimed_by_id IS NOT NULL
      UNION ALL
      SELECT p.claimed_by_id, CASE WHEN p.clock_stopped_at IS NULL AND p.clock_paused_on IS NULL THEN p.clock_due_at END
        FROM portal.production_key_request p
       WHERE p.state = ANY (${production_key_request}) AND p.claimed_by_id IS NOT NULL
    )
    SELECT a.id, a.name,
           (SELECT count(*)::int FROM held h WHERE h.by = a.id) AS open,
           (SELECT count(*)::int FROM held h WHERE h.by = a.id AND h.due_at < ${now}) AS overdue,
           (SELECT count(*)::int FROM held h WHERE h.by = a.id AND h.due_at >= ${now} AND h.due_at < ${soon}) AS "dueSoon",
           (SELECT count(*)::int FROM portal.workflow_event e
             WHERE e.actor_id = a.id AND e.at >= ${since} AND e.actor_kind = 'reviewer'
               AND e.event IN ('approve', 'reject', 'decline')) AS decided,
           away.until_on AS "untilOn", s.name AS substitute
      FROM portal.account a
      LEFT JOIN portal.review_absence away
        ON away.reviewer_id = a.id AND away.from_on <= ${today} AND away.until_on >= ${today}
      LEFT JOIN portal.account s ON s.id = away.substitute_id
     WHERE a.realm = 'staff' AND a.staff_role = 'reviewer' AND a.disabled_at IS NULL
     ORDER BY a.name, a.id
     LIMIT 200`
  return rows.map(({ untilOn, substitute, ...row }) => ({
    ...row,
    away: untilOn === null ? null : { untilOn, substitute: substitute ?? '' },
  }))
}

/** Week by week, the newest last. What a developer withdrew before a decision counts nowhere. */
export async function readPromise({ prisma, calendar, clock }: Core, actor: Pick<Actor, 'accountId'>) {
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const today = calendar.dateOf(clock())
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7))
  const weeks = Array.from({ length: promiseWeeks }, (_, place) =>
    addDays(monday, -7 * (promiseWeeks - 1 - place)),
  )
  const rows = await prisma.$queryRaw<PromiseWeek[]>`
    WITH clock AS (
      SELECT c.received_on, c.due_on, c.stopped_at, c.paused_on, c.breached_at
        FROM portal.registration_clock c JOIN portal.registration r ON r.id = c.registration_id
       WHERE c.kind = 'promise' AND r.state NOT IN ('withdrawn', 'withdrawn_inactive')
      UNION ALL
      SELECT p.clock_received_on, p.clock_due_on, p.clock_stopped_at, p.clock_paused_on, p.clock_breached_at
        FROM portal.production_key_request p
       WHERE p.clock_received_on IS NOT NULL AND p.state NOT IN ('withdrawn', 'sponsor_declined')
    ), judged AS (
      SELECT to_char(date_trunc('week', received_on::date), 'YYYY-MM-DD') AS week, stopped_at IS NOT NULL AS stopped,
             breached_at IS NOT NULL OR (stopped_at IS NULL AND paused_on IS NULL AND due_on < ${today}) AS late
        FROM clock WHERE received_on >= ${weeks[0]}
    )
    SELECT week, count(*) FILTER (WHERE stopped AND NOT late)::int AS within,
           count(*) FILTER (WHERE late)::int AS late,
           count(*) FILTER (WHERE NOT stopped AND NOT late)::int AS open
      FROM judged GROUP BY week`
  const found = new Map(rows.map((row) => [row.week, row]))
  return weeks.map((week) => found.get(week) ?? { week, within: 0, late: 0, open: 0 })
}
