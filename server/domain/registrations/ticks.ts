/** What happens to registrations by time alone: reminders, lapses, escalations, the reviewers' digest. */
import type { Prisma, Registration, RegistrationClock } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/problems.ts'
import { registrationTimes } from '../../contract/registration-workflow.ts'
import { countBusinessDays } from '../business-days/business-days.ts'
import { createReviewDigest } from '../review-clocks/digest.ts'
import { dueLevel, type EscalationLevel, tellOfClock } from '../review-clocks/escalation.ts'
import { aboutOf, findReaders } from './mail-props.ts'
import type { ClockKind } from './registration-types.ts'
import type { RegistrationRooms } from './rooms.ts'

const dayMs = 86_400_000
const { reminderBusinessDays, silentDaysMax, reopenDays } = registrationTimes

export const clockNames: Readonly<Record<ClockKind, string>> = {
  promise: 'Promise: decided and enabled',
  authenticity: 'Rule: authenticity decided',
  enablement: 'Rule: enabled',
}

export function createTicks({ prisma, mail, walk, clocks, log }: RegistrationRooms) {
  const { calendar } = clocks

  /** Reminders and lapses of what waits for its developer. Each is one step of the workflow. */
  async function remindAndLapse(now: Date): Promise<number> {
    const rows = await prisma.registration.findMany({
      where: { state: { in: ['draft', 'needs_info'] }, silentSince: { not: null } },
      orderBy: { silentSince: 'asc' },
      take: 2_000,
    })
    let steps = 0
    for (const row of rows) {
      const due = dueStep(row, now)
      if (due === null) continue
      try {
        await walk.step({ registrationId: row.id, version: row.version }, due, null, ({ tx }) =>
          due === 'remind' ? remind(tx, row) : lapse(tx, row, now),
        )
        steps += 1
      } catch (thrown) {
        // The developer, or another worker, was faster.
        if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
      }
    }
    return steps
  }

  function dueStep({ silentSince, reminders }: Registration, now: Date): 'remind' | 'lapse' | null {
    if (silentSince === null) return null
    const next = reminderBusinessDays[reminders]
    const silentDays = countBusinessDays(calendar.dateOf(silentSince), calendar.dateOf(now))
    if (next !== undefined && silentDays >= next) return 'remind'
    return next === undefined && now.getTime() - silentSince.getTime() >= silentDaysMax * dayMs
      ? 'lapse'
      : null
  }

  function remind(tx: Prisma.TransactionClient, row: Registration) {
    const count = row.reminders + 1
    const lapsesAt = new Date((row.silentSince?.getTime() ?? 0) + silentDaysMax * dayMs).toISOString()
    return {
      data: { reminders: count },
      detail: { count },
      mails: async () => {
        const about = await aboutOf(tx, row)
        return (await findReaders(tx, row)).map((reader) => ({
          template: 'registration-reminder' as const,
          to: reader.email,
          props: { ...about(reader), count, lapsesAt },
        }))
      },
    }
  }

  function lapse(tx: Prisma.TransactionClient, row: Registration, now: Date) {
    const reopenUntil = new Date(now.getTime() + reopenDays * dayMs).toISOString()
    return {
      data: { endedAt: now, silentSince: null, openForId: null },
      mails: async () => {
        const about = await aboutOf(tx, row)
        return (await findReaders(tx, row)).map((reader) => ({
          template: 'registration-inactive' as const,
          to: reader.email,
          props: { ...about(reader), reopenUntil },
        }))
      },
    }
  }

  /** 60 percent of a clock: whoever has the request. 80: every reviewer, and operations for the rule. Overdue: operations. */
  async function escalate(now: Date): Promise<number> {
    const today = calendar.dateOf(now)
    const running = await prisma.registrationClock.findMany({
      where: { stoppedAt: null, pausedOn: null, escalated: { lt: 100 } },
      orderBy: { dueAt: 'asc' },
      take: 5_000,
    })
    let told = 0
    for (const clock of running) {
      const level = dueLevel(clock, today)
      if (level !== 0 && level > clock.escalated && (await escalateOne(clock, level, now))) told += 1
    }
    return told
  }

  /** A worker that was away tells the highest level alone. */
  async function escalateOne(clock: RegistrationClock, level: EscalationLevel, now: Date): Promise<boolean> {
    return prisma.$transaction(async (tx) => {
      const { count } = await tx.registrationClock.updateMany({
        where: { id: clock.id, stoppedAt: null, pausedOn: null, escalated: { lt: level } },
        data: { escalated: level, ...(level === 100 ? { breachedAt: now } : {}) },
      })
      if (count === 0) return false
      const row = await tx.registration.findUniqueOrThrow({ where: { id: clock.registrationId } })
      await tx.registrationEvent.create({
        data: {
          registrationId: row.id,
          at: now,
          event: level === 100 ? 'clock_breach' : `clock_${level}`,
          from: row.state,
          to: row.state,
          actorKind: 'system',
          detail: { clock: clock.kind, dueOn: clock.dueOn },
        },
        select: { id: true },
      })
      await tellStaff(tx, { row, clock, level })
      if (level === 100) log.warn({ registrationId: row.id, clock: clock.kind }, 'a registration is overdue')
      return true
    })
  }

  async function tellStaff(
    tx: Prisma.TransactionClient,
    { row, clock, level }: { row: Registration; clock: RegistrationClock; level: EscalationLevel },
  ): Promise<void> {
    await tellOfClock(tx, mail, {
      level,
      opsAt80: clock.kind !== 'promise',
      holderId: row.claimedById,
      props: {
        about: 'registration',
        appName: row.name || 'An app without a name',
        clockName: clockNames[clock.kind as ClockKind],
        dueAt: clock.dueAt.toISOString(),
        requestId: row.id,
      },
    })
  }

  return { remindAndLapse, escalate, ...createReviewDigest({ prisma, mail, calendar }) }
}
