/** What happens to registrations by time alone: reminders, lapses, escalations, the reviewers' digest. */
import { createHash } from 'node:crypto'
import type { Prisma, Registration, RegistrationClock } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/problems.ts'
import { queueStates, registrationTimes } from '../../contract/registration-workflow.ts'
import { countBusinessDays, isBusinessDay, isOverdue, usedPercent } from '../business-days/business-days.ts'
import { aboutOf, findReaders, findStaff } from './mail-props.ts'
import type { ClockKind } from './registration-types.ts'
import type { RegistrationRooms } from './rooms.ts'

const dayMs = 86_400_000
const { reminderBusinessDays, silentDaysMax, reopenDays } = registrationTimes
const { escalateReviewerPercent, escalateReviewersPercent } = registrationTimes
const digestHour = 9

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
      const level = isOverdue(clock, today) ? 100 : levelOf(usedPercent(clock, today))
      if (level !== 0 && level > clock.escalated && (await escalateOne(clock, level, now))) told += 1
    }
    return told
  }

  /** A worker that was away tells the highest level alone. */
  async function escalateOne(clock: RegistrationClock, level: 60 | 80 | 100, now: Date): Promise<boolean> {
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
    { row, clock, level }: { row: Registration; clock: RegistrationClock; level: 60 | 80 | 100 },
  ): Promise<void> {
    const reviewers = await findStaff(tx, 'reviewer')
    const holder = reviewers.find(({ id }) => id === row.claimedById) ?? null
    const ops = level === 100 || (level === 80 && clock.kind !== 'promise') ? await findStaff(tx, 'ops') : []
    const told = level === 60 && holder ? [holder] : [...reviewers, ...ops]
    for (const { name, email } of told)
      await mail.enqueue(tx, {
        template: 'review-escalation',
        to: email,
        threadId: row.id,
        props: {
          name,
          appName: row.name || 'An app without a name',
          clockName: clockNames[clock.kind as ClockKind],
          percent: level,
          dueAt: clock.dueAt.toISOString(),
          holder: holder?.name ?? null,
          requestId: row.id,
        },
      })
  }

  /** Once a business day, from nine o'clock in the office's zone on, to every reviewer; nothing when nothing waits. */
  async function sendDigest(now: Date): Promise<number> {
    const today = calendar.dateOf(now)
    if (!isBusinessDay(today) || calendar.hourOf(now) < digestHour) return 0
    const waiting = await prisma.registration.findMany({
      where: { state: { in: [...queueStates] } },
      include: { clocks: { where: { stoppedAt: null, kind: 'promise' } } },
    })
    if (waiting.length === 0) return 0
    const dated = waiting
      .flatMap(({ name, clocks: own }) =>
        own.map(({ dueAt }) => ({ appName: name || 'An app without a name', dueAt })),
      )
      .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
    const props = {
      waiting: waiting.length,
      unclaimed: waiting.filter(({ claimedById }) => claimedById === null).length,
      overdue: dated.filter(({ dueAt }) => dueAt < now).length,
      first: dated.slice(0, 10).map(({ appName, dueAt }) => ({ appName, dueAt: dueAt.toISOString() })),
      requestId: today,
    }
    return prisma.$transaction(async (tx) => {
      const reviewers = await findStaff(tx, 'reviewer')
      for (const { id, name, email } of reviewers)
        await mail.enqueue(tx, {
          id: idOf(`digest ${today} ${id}`),
          template: 'review-digest',
          to: email,
          props: { ...props, name },
        })
      return reviewers.length
    })
  }

  return { remindAndLapse, escalate, sendDigest }
}

function levelOf(percent: number): 0 | 60 | 80 {
  if (percent >= escalateReviewersPercent) return 80
  return percent >= escalateReviewerPercent ? 60 : 0
}

/** The same for the same thing: a mail that is written twice is written once. */
function idOf(what: string): string {
  const hex = createHash('sha256').update(what).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
