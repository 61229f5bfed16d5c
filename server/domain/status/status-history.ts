/**
 * The history of every component: each change of its published state, and for each UTC day the minutes in each state. A
 * minute counts with its worst state, and only if a round of checks ran in it: a server that is down leaves a gap.
 */
import { Prisma, type StatusComponent } from '../../../prisma/generated/client/client.ts'
import {
  type ComponentId,
  type ComponentState,
  checkStaleSeconds,
  componentIds,
} from '../../contract/status/components.ts'
import {
  type ChangeCause,
  type HistoryDay,
  historyDays,
  isNews,
  worstState,
} from '../../contract/status/history.ts'
import type { Core } from '../core.ts'
import { type BoardRow, findingOf, loadKnown, publish } from './status-board.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

const startOfDay = (at: Date) => new Date(at.getTime() - (at.getTime() % dayMs))
const daysBefore = (at: Date, days: number) => new Date(at.getTime() - days * dayMs)
const dayName = (at: Date) => at.toISOString().slice(0, 10)

/** Locks the status, so that each writer sees the changes of the one before. It must be a transaction's first statement. */
export async function begin(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('status_board'))`
}

/**
 * Stores changed states, in the transaction of the cause.
 * @param options.round whether a round of checks has run, so that the minute counts
 */
export async function record(
  core: Core,
  tx: Prisma.TransactionClient,
  now: Date,
  { round = false }: { round?: boolean } = {},
): Promise<void> {
  const known = await loadKnown(tx)
  const before = new Map((await tx.statusComponent.findMany()).map((row) => [row.component, row]))
  const rows = componentIds.map((id) => publish(id, findingOf(known, id, now), known))
  const counted = rows.map((row) => rowOf(row, before.get(row.id), now, round))
  await upsert(tx, counted)
  if (round) await addMinutes(tx, now, counted, before)
  for (const row of rows) {
    const last = before.get(row.id)
    if (last?.state !== row.status) await noteChange(core, tx, row, last, now)
  }
}

async function noteChange(
  { jobs }: Core,
  tx: Prisma.TransactionClient,
  { id: component, status: toState, summary, source }: BoardRow,
  before: StatusComponent | undefined,
  at: Date,
): Promise<void> {
  const fromState = (before?.state ?? null) as ComponentState | null
  // If a component returns to the checks' result, the cause is the incident that ended.
  const cause = source === 'automatic' ? ((before?.source ?? source) as ChangeCause) : source
  const { id } = await tx.statusChange.create({
    data: { component, fromState, toState, cause, summary, at },
    select: { id: true },
  })
  // An incident's updates have emails of their own.
  if (cause !== 'incident' && isNews(fromState, toState))
    await jobs.add(tx, 'tell-subscribers', { change: id }, { jobKey: `status-change:${id}` })
}

/**
 * The days of every component since the first check, within the history's length, the oldest first. Days before the
 * first check are not gaps.
 */
export async function readDays({ clock, prisma }: Core, now = clock()) {
  const today = startOfDay(now)
  const rows = await prisma.statusDay.findMany({
    where: { day: { gte: daysBefore(today, historyDays - 1) } },
  })
  const first = Math.min(today.getTime(), ...rows.map(({ day }) => day.getTime()))
  const count = Math.round((today.getTime() - first) / dayMs) + 1
  const days = Array.from({ length: count }, (_, index) => new Date(first + index * dayMs))
  const minutesOf = new Map<string, Partial<Record<ComponentState, number>>>()
  for (const { component, day, state, minutes } of rows) {
    if (minutes === 0 || state === 'not_available') continue
    const key = `${component} ${day.getTime()}`
    minutesOf.set(key, { ...minutesOf.get(key), [state]: minutes })
  }
  const dayOf = (id: ComponentId, at: Date): HistoryDay => {
    const minutes = minutesOf.get(`${id} ${at.getTime()}`) ?? {}
    const checked = Object.values(minutes).reduce((sum, count) => sum + count, 0)
    const passed = Math.min(dayMs / minuteMs, Math.floor((now.getTime() - at.getTime()) / minuteMs) + 1)
    return {
      day: dayName(at),
      minutes,
      worst: worstState(Object.keys(minutes) as ComponentState[]),
      noDataMinutes: Math.max(0, passed - checked),
    }
  }
  return Object.fromEntries(componentIds.map((id) => [id, days.map((at) => dayOf(id, at))])) as Record<
    ComponentId,
    HistoryDay[]
  >
}

/** When each component entered its state; components without history are left out. */
export async function readSince({ prisma }: Core): Promise<Partial<Record<ComponentId, Date>>> {
  const rows = await prisma.statusComponent.findMany()
  return Object.fromEntries(rows.map(({ component, since }) => [component, since]))
}

/** The tick: deletes days and changes that are no longer shown. */
export async function forgetOldHistory({ prisma }: Core, now: Date): Promise<void> {
  const first = daysBefore(startOfDay(now), historyDays - 1)
  await prisma.statusDay.deleteMany({ where: { day: { lt: first } } })
  await prisma.statusChange.deleteMany({ where: { at: { lt: first } } })
}

function rowOf(
  { id: component, status: state, source }: BoardRow,
  before: StatusComponent | undefined,
  now: Date,
  round: boolean,
): StatusComponent {
  const since = before?.state === state ? before.since : now
  const row = { component, state, source, since }
  const counted = { minute: before?.minute ?? null, minuteState: before?.minuteState ?? null }
  const minute = new Date(now.getTime() - (now.getTime() % minuteMs))
  // The minute of a late round is over. A counted minute far ahead came from a wrong clock.
  const aheadMs = (counted.minute?.getTime() ?? 0) - minute.getTime()
  const isLate = aheadMs > 0 && aheadMs <= checkStaleSeconds * 1_000
  if (!round || isLate) return { ...row, ...counted }
  const earlier = counted.minute?.getTime() === minute.getTime() ? counted.minuteState : null
  const states = [earlier, state].filter((known) => known !== null) as ComponentState[]
  return { ...row, minute, minuteState: worstState(states) }
}

async function upsert(tx: Prisma.TransactionClient, rows: readonly StatusComponent[]): Promise<void> {
  const values = rows.map(
    (row) =>
      Prisma.sql`(${row.component}, ${row.state}, ${row.source}, ${row.since}::timestamptz, ${row.minute}::timestamptz, ${row.minuteState})`,
  )
  await tx.$executeRaw`
    INSERT INTO portal.status_component (component, state, source, since, minute, minute_state)
    VALUES ${Prisma.join(values)}
    ON CONFLICT (component) DO UPDATE
      SET state = excluded.state, source = excluded.source, since = excluded.since,
          minute = excluded.minute, minute_state = excluded.minute_state`
}

/** Counts a minute once: if this round's state is worse than the earlier one of the same minute, the minute moves. */
async function addMinutes(
  tx: Prisma.TransactionClient,
  now: Date,
  rows: readonly StatusComponent[],
  before: ReadonlyMap<string, StatusComponent>,
): Promise<void> {
  const steps = rows.flatMap(({ component, minute, minuteState }) => {
    const last = before.get(component)
    const same = last?.minute?.getTime() === minute?.getTime()
    if (minuteState === null || (same && last?.minuteState === minuteState)) return []
    const added = { component, state: minuteState, minutes: 1 }
    return same && last?.minuteState ? [added, { component, state: last.minuteState, minutes: -1 }] : [added]
  })
  if (steps.length === 0) return
  const day = dayName(now)
  const values = steps.map(
    ({ component, state, minutes }) => Prisma.sql`(${component}, ${day}::date, ${state}, ${minutes}::int)`,
  )
  // A minute moves only from a state that an earlier round counted, so that row exists.
  await tx.$executeRaw`
    INSERT INTO portal.status_day AS kept (component, day, state, minutes) VALUES ${Prisma.join(values)}
    ON CONFLICT (component, day, state) DO UPDATE SET minutes = kept.minutes + excluded.minutes`
}
