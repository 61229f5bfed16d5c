/** Starts, pauses, resumes and stops the clocks of a registration as its workflow's table says. */
import type { Prisma, Registration, RegistrationClock } from '../../../prisma/generated/client/client.ts'
import { clockDays, type RegistrationClockEffects } from '../../contract/workflows/registration-workflow.ts'
import {
  isOverdue,
  type OfficeCalendar,
  pauseClock,
  resumeClock,
  startClock,
  usedDays,
} from '../business-days/business-days.ts'
import type { ClockKind } from './registration-types.ts'
import { lastRound } from './steps.ts'

type ClockContext = Readonly<{ tx: Prisma.TransactionClient; calendar: OfficeCalendar; now: Date }>

/** Applies a step's effects on the clocks, in its transaction. @param row the registration before the step */
export async function moveClocks(
  calendar: OfficeCalendar,
  { tx, row, now }: { tx: Prisma.TransactionClient; row: Registration; now: Date },
  effects: RegistrationClockEffects = {},
): Promise<void> {
  const { promise } = effects
  const rule = row.kind === 'app' ? effects.rule : undefined
  if (!promise && !rule) return
  const at = { tx, calendar, now }
  const registrationId = row.id
  const open = await tx.registrationClock.findMany({ where: { registrationId, stoppedAt: null } })
  const start = (kind: ClockKind) => startOne(at, { registrationId, kind, days: clockDays[kind] })
  const ofPromise = open.filter(({ kind }) => kind === 'promise')
  const ofRule = open.filter(({ kind }) => kind !== 'promise')

  const pauses = promise === 'pause_if_new' && (await isNew(tx, registrationId))
  for (const clock of ofPromise) {
    if (pauses) await pause(at, clock)
    if (promise === 'resume') await resume(at, clock)
    if (promise === 'stop' || promise === 'start') await stop(at, clock)
  }
  if (promise === 'start') await start('promise')

  const isPending = ofRule.some(({ kind }) => kind === 'authenticity')
  for (const clock of ofRule)
    if (rule === 'stop' || (rule === 'decide' && clock.kind === 'authenticity')) await stop(at, clock)
  if (rule === 'decide' && isPending) await start('enablement')
  if (rule === 'start' && ofRule.length === 0)
    await start(row.authenticity === 'verified' ? 'enablement' : 'authenticity')
}

/** Whether the last round has a question that could not have been raised earlier: only such a question pauses the promise. */
async function isNew(tx: Prisma.TransactionClient, registrationId: string): Promise<boolean> {
  const round = await lastRound(tx, registrationId)
  const questions = { registrationId, round, visibleEarlier: false }
  return (await tx.registrationItem.count({ where: questions })) > 0
}

async function startOne(
  { tx, calendar, now }: ClockContext,
  clock: { registrationId: string; kind: ClockKind; days: number },
): Promise<void> {
  const { receivedOn, dueOn } = startClock(calendar.dateOf(now), clock.days)
  await tx.registrationClock.create({
    data: { ...clock, receivedOn, dueOn, dueAt: calendar.endOf(dueOn), startedAt: now },
  })
}

async function pause({ tx, calendar, now }: ClockContext, row: RegistrationClock): Promise<void> {
  if (row.pausedOn !== null) return
  const { pausedOn, remaining } = pauseClock(row, calendar.dateOf(now))
  if (pausedOn === null) return // an overdue clock is not paused
  await tx.registrationClock.update({ where: { id: row.id }, data: { pausedOn, remaining } })
  await tx.registrationPause.create({ data: { clockId: row.id, pausedAt: now, remaining: remaining ?? 0 } })
}

async function resume({ tx, calendar, now }: ClockContext, row: RegistrationClock): Promise<void> {
  if (row.pausedOn === null) return
  const { dueOn } = resumeClock(row, calendar.dateOf(now))
  await tx.registrationClock.update({
    where: { id: row.id },
    data: { dueOn, dueAt: calendar.endOf(dueOn), pausedOn: null, remaining: null },
  })
  await tx.registrationPause.updateMany({
    where: { clockId: row.id, resumedAt: null },
    data: { resumedAt: now, dueOn },
  })
}

async function stop({ tx, calendar, now }: ClockContext, row: RegistrationClock): Promise<void> {
  const today = calendar.dateOf(now)
  await tx.registrationClock.update({
    where: { id: row.id },
    data: {
      stoppedAt: now,
      usedDays: usedDays(row, today),
      // The tick that notes the breach may not have run yet.
      ...(isOverdue(row, today) && !row.breachedAt ? { breachedAt: now } : {}),
    },
  })
}

/** When the running clock of these kinds is due; null if none is running. */
export async function dueOf(
  tx: Prisma.TransactionClient,
  registrationId: string,
  kinds: readonly ClockKind[],
): Promise<string | null> {
  const clock = await tx.registrationClock.findFirst({
    where: { registrationId, kind: { in: [...kinds] }, stoppedAt: null, pausedOn: null },
    orderBy: { startedAt: 'desc' },
  })
  return clock?.dueAt.toISOString() ?? null
}
