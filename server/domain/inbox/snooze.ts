/** Putting an entry of one's own inbox off until a day. It comes back by itself; `waiting.ts` says what brings it back sooner. */

import { type SnoozeUntil, snoozeDaysMax, snoozeHour } from '../../contract/forms/inbox.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { InboxKind } from '../../contract/workflows/inbox.ts'
import { addDays, dateIn, instantIn, weekdayOf } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import type { Reader } from './person.ts'
import { type Db, findWaiting, mayWait } from './waiting.ts'

type Subject = Readonly<{ kind: InboxKind; id: string }>

/**
 * @param input.zone in which the day begins
 * @throws Problem `not_found` for what is not in the person's inbox, `conflict` for what is due, `validation` (the date)
 */
export async function snooze(
  db: Db,
  { until, zone, ...subject }: Subject & Readonly<{ until: SnoozeUntil; zone: string }>,
  actor: Reader,
): Promise<void> {
  const now = db.clock()
  const back = instantIn(zone, dayOf(until, dateIn(zone, now)), snoozeHour)
  const waiting = await findWaiting(db, actor, { subject })
  if (waiting === null) throw new Problem('not_found')
  const stored = await db.prisma.$executeRaw`
    INSERT INTO portal.inbox_snooze (account_id, subject_kind, subject_id, state, event, due_at, at, until)
    SELECT ${actor.accountId}::uuid, w.kind, w.id, w.state, w.event, w.due_at, ${now}, ${back}
      FROM ${waiting} w WHERE ${mayWait(now)}
    ON CONFLICT (account_id, subject_kind, subject_id) DO UPDATE
       SET state = EXCLUDED.state, event = EXCLUDED.event, due_at = EXCLUDED.due_at, at = EXCLUDED.at,
           until = EXCLUDED.until`
  if (stored > 0) return
  const [there] = await db.prisma.$queryRaw<unknown[]>`SELECT 1 FROM ${waiting} w`
  if (!there) throw new Problem('not_found')
  throw new Problem('conflict', { message: 'It is due within a day, so you can’t snooze it.' })
}

function dayOf(until: SnoozeUntil, today: string): string {
  if (until === 'tomorrow') return addDays(today, 1)
  if (until === 'monday') return addDays(today, (8 - weekdayOf(today)) % 7 || 7)
  if (until <= today)
    throw new Problem('validation', { field: 'date', message: 'Choose a date after today.' })
  if (until > addDays(today, snoozeDaysMax))
    throw new Problem('validation', {
      field: 'date',
      message: `Choose a date within the next ${snoozeDaysMax} days.`,
    })
  return until
}

/** Back into the list at once. What is not snoozed stays as it is. */
export async function wake({ prisma }: Db, { kind, id }: Subject, { accountId }: Reader): Promise<void> {
  await prisma.inboxSnooze.deleteMany({ where: { accountId, subjectKind: kind, subjectId: id } })
}

/** Tick: those whose time has come say nothing any more. */
export async function forgetSnoozes({ prisma }: Pick<Core, 'prisma'>, now: Date): Promise<number> {
  return (await prisma.inboxSnooze.deleteMany({ where: { until: { lte: now } } })).count
}
