/** The clocks of a registration as rows: started, paused, resumed and stopped by the steps of its workflow. */
import type { Prisma, RegistrationClock } from '../../../prisma/generated/client/client.ts'
import type { RegistrationTransition } from '../../contract/registration-workflow.ts'
import {
  isOverdue,
  type OfficeCalendar,
  pauseClock,
  type RunningClock,
  resumeClock,
  startClock,
  usedDays,
} from '../business-days/business-days.ts'
import type { ClockKind } from './registration-types.ts'

export type ClockDays = Readonly<Record<ClockKind, number>>
type Effects = Pick<RegistrationTransition, 'promise' | 'rule'>

export function createClocks({ calendar, days }: { calendar: OfficeCalendar; days: ClockDays }) {
  /**
   * What a step does to the clocks, in its transaction.
   * @param keepRunning a step that would pause the promise does not
   */
  async function apply(
    tx: Prisma.TransactionClient,
    of: {
      registrationId: string
      effects: Effects
      hasRule: boolean
      authentic: boolean
      keepRunning: boolean
    },
    now: Date,
  ): Promise<void> {
    const { registrationId, effects, hasRule } = of
    if (!effects.promise && !(effects.rule && hasRule)) return
    const open = await tx.registrationClock.findMany({ where: { registrationId, stoppedAt: null } })
    const promise = open.filter(({ kind }) => kind === 'promise')
    const rule = open.filter(({ kind }) => kind !== 'promise')
    if (effects.promise === 'start') {
      for (const clock of promise) await stop(tx, clock, now)
      await start(tx, registrationId, 'promise', now)
    }
    for (const clock of promise) {
      if (effects.promise === 'pause' && !of.keepRunning) await pause(tx, clock, now)
      if (effects.promise === 'resume') await resume(tx, clock, now)
      if (effects.promise === 'stop') await stop(tx, clock, now)
    }
    if (!hasRule) return
    if (effects.rule === 'start' && rule.length === 0)
      await start(tx, registrationId, of.authentic ? 'enablement' : 'authenticity', now)
    if (effects.rule === 'decide' || effects.rule === 'stop')
      for (const clock of rule)
        if (effects.rule === 'stop' || clock.kind === 'authenticity') await stop(tx, clock, now)
    if (effects.rule === 'decide' && rule.some(({ kind }) => kind === 'authenticity'))
      await start(tx, registrationId, 'enablement', now)
  }

  async function start(tx: Prisma.TransactionClient, registrationId: string, kind: ClockKind, now: Date) {
    const { receivedOn, dueOn } = startClock(calendar.dateOf(now), days[kind])
    await tx.registrationClock.create({
      data: {
        registrationId,
        kind,
        days: days[kind],
        receivedOn,
        dueOn,
        dueAt: calendar.endOf(dueOn),
        startedAt: now,
      },
    })
  }

  async function pause(tx: Prisma.TransactionClient, row: RegistrationClock, now: Date): Promise<void> {
    if (row.pausedOn !== null) return
    const { pausedOn, remaining } = pauseClock(row, calendar.dateOf(now))
    if (pausedOn === null) return // overdue: the promise is broken, and goes on being so
    await tx.registrationClock.update({ where: { id: row.id }, data: { pausedOn, remaining } })
    await tx.registrationPause.create({ data: { clockId: row.id, pausedAt: now, remaining: remaining ?? 0 } })
  }

  async function resume(tx: Prisma.TransactionClient, row: RegistrationClock, now: Date): Promise<void> {
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

  async function stop(tx: Prisma.TransactionClient, row: RegistrationClock, now: Date): Promise<void> {
    const today = calendar.dateOf(now)
    await tx.registrationClock.update({
      where: { id: row.id },
      data: {
        stoppedAt: now,
        usedDays: usedDays(row, today),
        // The tick that would have noted it may not have come yet.
        ...(isOverdue(row, today) && !row.breachedAt ? { breachedAt: now } : {}),
      },
    })
  }

  return { apply, calendar, days }
}

export type Clocks = ReturnType<typeof createClocks>
export type { RunningClock }
