/** The steps of production keys that are due by time alone: lapses, reminders, expiries, the yearly review, escalations. */
import type { ApiKey, Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { reminderDays } from '../../contract/keys/key-life.ts'
import {
  keyedStates,
  type ProductionKeyDue,
  productionKeyTimes,
  productionKeyWorkflow,
} from '../../contract/workflows/production-key-workflow.ts'
import type { Core } from '../core.ts'
import { dueLevel, type EscalationLevel, nextLevelAt } from '../review-clocks/escalation.ts'
import {
  type DueRule,
  type DueSubjects,
  earliest,
  reminderAt,
  reminderBefore,
  rulesOf,
  runDue,
} from '../workflow/due.ts'
import { transact } from '../workflow/engine.ts'
import { lapse } from './claims.ts'
import { escalate, readClock } from './review-clock.ts'
import { recheckIn, revoke } from './suspensions.ts'
import { type RequestTarget, transition, writeEmails } from './transition.ts'

const dayMs = 86_400_000
const times = productionKeyTimes
/** A key's preconditions are checked when one of them changes, and also this often. */
const lookAgainMs = 3_600_000

type Subject = Readonly<{
  row: ProductionKeyRequest
  keys: readonly ApiKey[]
  /** Keys that have neither expired nor been revoked. */
  live: readonly ApiKey[]
  unsponsoredSince: Date | null
  renewed: boolean
}>

/** @returns steps made */
export function tick(core: Core, now: Date, batch?: number): Promise<number> {
  const rules = rulesFor(core)
  const recertification = recertificationFor(core)
  const escalation = escalationFor(core)
  const subjects: DueSubjects<Subject> = {
    table: 'production_key_request',
    load,
    rules: ({ row }) => [
      ...rulesOf(productionKeyWorkflow.rows, row.state, rules),
      recertification,
      escalation,
    ],
    recheck: async ({ row }) => isKeyed(row) && transact(core, (tx) => recheckIn(core, tx, row.id, 'system')),
    lookAgainAt: ({ row }, now) => (isKeyed(row) ? new Date(now.getTime() + lookAgainMs) : null),
  }
  return runDue(core, subjects, now, batch)
}

function rulesFor(core: Core): Readonly<Record<ProductionKeyDue, DueRule<Subject>>> {
  return {
    sponsor_silent: {
      at: ({ row }) => daysAfter(row.invitedAt, times.sponsorDays),
      act: async ({ row }, now) => {
        const renewal = row.state === 'renewal_invited'
        const reinvitesLeft = renewal ? 0 : Math.max(0, times.reinvitesMax - row.reinvites)
        await transition(core, targetOf(row), 'lapse', 'system', {
          effects: () => ({
            data: renewal ? { endedAt: now, openRenewalOfId: null } : {},
            emails: () => ({ 'sponsor-expired': { reinvitesLeft, renewal } }),
          }),
        })
      },
    },
    sponsor_reminder: {
      at: ({ row }) => reminderAt(row.invitedAt, times.sponsorReminderDays, row.reminders),
      act: async ({ row }, now) => {
        const count = passedDays(times.sponsorReminderDays, row.invitedAt, now)
        const lapsesAt = (daysAfter(row.invitedAt, times.sponsorDays) ?? now).toISOString()
        await transition(core, targetOf(row), 'remind', 'system', {
          effects: () => ({
            data: { reminders: count },
            detail: { count },
            emails: () => ({ 'sponsor-reminder': { lapsesAt, renewal: row.state === 'renewal_invited' } }),
          }),
        })
      },
    },
    developer_silent: {
      at: ({ row }) => daysAfter(row.silentSince, times.infoSilentDays),
      act: async ({ row }, now) => {
        const reason = `No answer for ${times.infoSilentDays} days.`
        await transition(core, targetOf(row), 'lapse', 'system', {
          effects: () => ({
            data: { endedAt: now },
            text: reason,
            emails: () => ({ 'production-withdrawn': { reason } }),
          }),
        })
      },
    },
    developer_reminder: {
      at: ({ row }) => reminderAt(row.silentSince, times.infoReminderDays, row.reminders),
      act: async ({ row }, now) => {
        const count = passedDays(times.infoReminderDays, row.silentSince, now)
        const lapsesAt = (daysAfter(row.silentSince, times.infoSilentDays) ?? now).toISOString()
        await transition(core, targetOf(row), 'remind', 'system', {
          effects: () => ({
            data: { reminders: count },
            detail: { count },
            emails: () => ({ 'production-info-reminder': { lapsesAt } }),
          }),
        })
      },
    },
    claim_over: {
      at: ({ row }) => row.claimExpiresAt,
      act: ({ row }) => lapse(core, row),
    },
    term_over: {
      at: ({ row }) => row.expiresAt,
      act: async ({ row }, now) => {
        const end = row.expiresAt ?? now
        const renewUntil = (daysAfter(end, times.renewAfterDays) ?? now).toISOString()
        await transition(core, targetOf(row), 'expire', 'system', {
          effects: () => ({
            data: { endedAt: now },
            emails: () => ({ 'production-expired': { expiredAt: end.toISOString(), renewUntil } }),
          }),
        })
      },
    },
    nothing_left: {
      at: ({ row, live, unsponsoredSince }) =>
        live.length === 0 ? row.createdAt : daysAfter(unsponsoredSince, times.unsponsoredDays),
      act: async ({ row, keys, live }) => {
        const revoked = keys.find(({ revokeReason }) => revokeReason !== null)?.revokeReason
        const reason =
          live.length === 0
            ? (revoked ?? 'All its keys were revoked.')
            : `No sponsor at the practice for ${times.unsponsoredDays} days.`
        await revoke(core, { ...targetOf(row), reason }, 'system')
      },
    },
    grace_over: {
      at: ({ row, live }) => {
        const rotated = live.filter(({ rotatedAt }) => rotatedAt !== null)
        return rotated.length === 0 ? row.createdAt : earliest(rotated.map(({ expiresAt }) => expiresAt))
      },
      act: ({ row }) => transition(core, targetOf(row), 'grace_end', 'system'),
    },
    term_reminder: {
      at: ({ row, renewed }) =>
        renewed ? null : reminderBefore(row.expiresAt, reminderDays.production, row.remindedDays),
      act: async ({ row }, now) => {
        const end = row.expiresAt ?? now
        const passed = reminderDays.production.filter((days) => end.getTime() - now.getTime() <= days * dayMs)
        // A late tick sends only the reminder nearest to the end.
        const days = Math.min(...passed)
        await transition(core, targetOf(row), 'remind', 'system', {
          effects: () => ({
            data: { remindedDays: days },
            detail: { days },
            emails: () => ({ 'production-expiring': { days, expiresAt: end.toISOString() } }),
          }),
        })
      },
    },
  }
}

/** Once a year, asks the practice to confirm the key; each reminder is sent once. */
function recertificationFor(core: Core): DueRule<Subject> {
  return {
    at: ({ row }) =>
      isKeyed(row) ? reminderAt(requestedAt(row), times.recertifyReminderDays, row.recertifyReminders) : null,
    act: async ({ row }, now) => {
      const since = requestedAt(row)
      const dueAt = (daysAfter(since, times.recertifyWithinDays) ?? now).toISOString()
      return transact(core, async (tx) => {
        const { count } = await tx.productionKeyRequest.updateMany({
          where: { id: row.id, recertifyReminders: row.recertifyReminders, certifiedAt: row.certifiedAt },
          data: { recertifyReminders: passedDays(times.recertifyReminderDays, since, now) },
        })
        if (count === 0) return false
        const email = { template: 'recertification-due', recipients: 'practice', content: { dueAt } } as const
        for (const mail of await writeEmails(core, tx, row, email))
          await core.mail.enqueue(tx, { threadId: row.id, ...mail })
        return true
      })
    },
  }
}

/** Emails staff before the review's five business days are over, and when they are. */
function escalationFor(core: Core): DueRule<Subject> {
  const { calendar } = core
  return {
    at: ({ row }) => {
      const clock = row.clockStoppedAt === null ? readClock(row) : null
      return clock && nextLevelAt(clock, row.clockEscalated, calendar)
    },
    act: async ({ row }, now) => {
      const clock = readClock(row)
      const level = clock === null ? 0 : dueLevel(clock, calendar.dateOf(now))
      return level > row.clockEscalated && escalate(core, row, level as EscalationLevel, now)
    },
  }
}

async function load(db: Prisma.TransactionClient, id: string, now: Date): Promise<Subject> {
  const row = await db.productionKeyRequest.findUniqueOrThrow({ where: { id } })
  if (!isKeyed(row)) return { row, keys: [], live: [], unsponsoredSince: null, renewed: false }
  const keys = await db.apiKey.findMany({ where: { productionRequestId: id } })
  const unsponsored = await db.productionKeySuspension.findFirst({
    where: { requestId: id, endedAt: null, cause: { in: ['sponsorship_ended', 'sponsor_left'] } },
    orderBy: { at: 'asc' },
  })
  const renewals = await db.productionKeyRequest.count({
    where: { renewsId: id, state: { in: [...keyedStates] } },
  })
  return {
    row,
    keys,
    live: keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now),
    unsponsoredSince: unsponsored?.at ?? null,
    renewed: renewals > 0,
  }
}

/** Names the version that was read, so that a step of another process in the meantime is a conflict. */
function targetOf({ id, version }: ProductionKeyRequest): RequestTarget {
  return { requestId: id, version }
}

function isKeyed({ state }: Pick<ProductionKeyRequest, 'state'>): boolean {
  return keyedStates.some((keyed) => keyed === state)
}

/** When this year's confirmation is first requested. */
function requestedAt({ certifiedAt }: ProductionKeyRequest): Date | null {
  return daysAfter(certifiedAt, times.recertifyEveryDays)
}

function daysAfter(since: Date | null, days: number): Date | null {
  return since && new Date(since.getTime() + days * dayMs)
}

/** How many of the reminders' days have passed. */
function passedDays(days: readonly number[], since: Date | null, now: Date): number {
  return since === null ? 0 : days.filter((day) => now.getTime() - since.getTime() >= day * dayMs).length
}
