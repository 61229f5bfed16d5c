/** The steps of registrations that are due by time alone: probes, reminders, lapses, escalations. */
import type { Prisma, Registration, RegistrationClock } from '../../../prisma/generated/client/client.ts'
import {
  type RegistrationDue,
  registrationTimes,
  registrationWorkflow,
} from '../../contract/workflows/registration-workflow.ts'
import { addBusinessDays } from '../business-days/business-days.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { dueLevel, type EscalationLevel, nextLevelAt, notifyDeadline } from '../review-clocks/escalation.ts'
import { type DueRule, type DueSubjects, earliest, rulesOf, runDue } from '../workflow/due.ts'
import type { ClockKind } from './registration-types.ts'
import { dayMs } from './steps.ts'
import { appNameOf, registrationKind, type TransitionTarget, transition } from './transition.ts'

const { reminderBusinessDays, silentDaysMax, reopenDays } = registrationTimes

const clockNames: Readonly<Record<ClockKind, string>> = {
  promise: 'Promise: decided and enabled',
  authenticity: 'Rule: authenticity decided',
  enablement: 'Rule: enabled',
}

type Subject = Readonly<{ row: Registration; running: readonly RegistrationClock[] }>

export function tick(core: Core, now: Date, batch?: number): Promise<number> {
  const rules = rulesFor(core)
  const escalation = escalationFor(core)
  const subjects: DueSubjects<Subject> = {
    table: 'registration',
    load,
    rules: ({ row }) => [...rulesOf(registrationWorkflow.rows, row.state, rules), escalation],
  }
  return runDue(core, subjects, now, batch)
}

function rulesFor(core: Core): Readonly<Record<RegistrationDue, DueRule<Subject>>> {
  const { prisma, calendar, jobs } = core
  return {
    developer_reminder: {
      at: ({ row: { silentSince, reminders } }) => {
        const next = reminderBusinessDays[reminders]
        if (silentSince === null || next === undefined) return null
        const on = addBusinessDays(calendar.dateOf(silentSince), next)
        return new Date(calendar.endOf(addDays(on, -1)).getTime() + 1_000)
      },
      act: async ({ row }) => {
        const count = row.reminders + 1
        const lapsesAt = new Date((row.silentSince?.getTime() ?? 0) + silentDaysMax * dayMs).toISOString()
        await transition(core, targetOf(row), 'remind', 'system', {
          effects: () => ({
            data: { reminders: count },
            detail: { count },
            emails: () => ({ 'registration-reminder': { count, lapsesAt } }),
          }),
        })
      },
    },
    developer_silent: {
      at: ({ row: { silentSince, reminders } }) =>
        silentSince === null || reminders < reminderBusinessDays.length
          ? null
          : new Date(silentSince.getTime() + silentDaysMax * dayMs),
      act: async ({ row }, now) => {
        const reopenUntil = new Date(now.getTime() + reopenDays * dayMs).toISOString()
        await transition(core, targetOf(row), 'lapse', 'system', {
          effects: () => ({
            data: { endedAt: now, silentSince: null, openForId: null },
            emails: () => ({ 'registration-inactive': { reopenUntil } }),
          }),
        })
      },
    },
    probe: {
      at: ({ row }) => row.probeDueAt,
      // A job makes the probe. Whether one is due is read from the registration, not from the job table.
      act: async ({ row: { id } }) => {
        await prisma.$transaction((tx) =>
          jobs.add(tx, 'enable-registration', { registrationId: id }, { jobKey: `enable:${id}` }),
        )
        return false
      },
    },
  }
}

/** 60 percent of a clock: the assigned reviewer. 80: every reviewer, and operations for the rule. Overdue: operations. */
function escalationFor(core: Core): DueRule<Subject> {
  const { calendar } = core
  return {
    at: ({ running }) => earliest(running.map((clock) => nextLevelAt(clock, clock.escalated, calendar))),
    act: async ({ running }, now) => {
      const today = calendar.dateOf(now)
      let notified = false
      for (const clock of running) {
        const level = clock.pausedOn === null ? dueLevel(clock, today) : 0
        if (level > clock.escalated && (await escalate(core, clock, level as EscalationLevel, now)))
          notified = true
      }
      return notified
    },
  }
}

/** If several levels have passed since the last tick, only the highest one is sent. */
async function escalate(
  { prisma, mail, log }: Core,
  clock: RegistrationClock,
  level: EscalationLevel,
  now: Date,
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    // Steps lock the registration before its clocks, so this does too.
    await tx.$queryRaw`SELECT 1 FROM portal.registration WHERE id = ${clock.registrationId}::uuid FOR UPDATE`
    const { count } = await tx.registrationClock.updateMany({
      where: { id: clock.id, stoppedAt: null, pausedOn: null, escalated: { lt: level } },
      data: { escalated: level, ...(level === 100 ? { breachedAt: now } : {}) },
    })
    if (count === 0) return false
    const row = await tx.registration.findUniqueOrThrow({ where: { id: clock.registrationId } })
    await tx.workflowEvent.create({
      data: {
        subjectKind: registrationKind,
        subjectId: row.id,
        at: now,
        event: level === 100 ? 'clock_breach' : `clock_${level}`,
        from: row.state,
        to: row.state,
        actorKind: 'system',
        detail: { clock: clock.kind, dueOn: clock.dueOn },
      },
      select: { id: true },
    })
    await notifyDeadline(tx, mail, {
      level,
      opsAt80: clock.kind !== 'promise',
      holderId: row.claimedById,
      organizationId: row.organizationId,
      props: {
        about: 'registration',
        appName: appNameOf(row),
        clockName: clockNames[clock.kind as ClockKind],
        dueAt: clock.dueAt.toISOString(),
        requestId: row.id,
      },
    })
    if (level === 100) log.warn({ registrationId: row.id, clock: clock.kind }, 'a registration is overdue')
    return true
  })
}

/** Names the version that was read, so that a step of another process in the meantime is a conflict. */
function targetOf({ id, version }: Registration): TransitionTarget {
  return { registrationId: id, version }
}

async function load(db: Prisma.TransactionClient, id: string): Promise<Subject> {
  const { clocks: running, ...row } = await db.registration.findUniqueOrThrow({
    where: { id },
    include: { clocks: { where: { stoppedAt: null } } },
  })
  return { row, running }
}
