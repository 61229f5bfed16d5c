/** What happens to production keys by time alone. Each is one step of the workflow, in a transaction of its own. */
import type { ApiKey, Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { reminderDays } from '../../contract/key-life.ts'
import {
  keyedStates,
  type ProductionKeyDue,
  productionKeyTimes,
  productionKeyWorkflow,
} from '../../contract/production-key-workflow.ts'
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
import type { createProductionClaims } from './claims.ts'
import { findCorrespondents } from './correspondents.ts'
import { escalate } from './escalations.ts'
import { readClock } from './review-clock.ts'
import type { ProductionRooms } from './rooms.ts'
import type { Suspensions } from './suspensions.ts'
import type { StepCase, StepWork } from './walk.ts'

const dayMs = 86_400_000
const times = productionKeyTimes
/** A key is held against what it stands on at every change of that, and besides as often as this. */
const lookAgainMs = 3_600_000

type Neighbours = {
  suspensions: Pick<Suspensions, 'recheckIn' | 'revoke'>
  claims: Pick<ReturnType<typeof createProductionClaims>, 'lapse'>
}

type Subject = Readonly<{
  row: ProductionKeyRequest
  keys: readonly ApiKey[]
  /** Keys that neither ended nor were revoked. */
  live: readonly ApiKey[]
  unsponsoredSince: Date | null
  renewed: boolean
}>

export function createDue(rooms: ProductionRooms, { suspensions, claims }: Neighbours) {
  const { prisma, walk, mail, calendar, log } = rooms

  const rules: Readonly<Record<ProductionKeyDue, DueRule<Subject>>> = {
    sponsor_silent: {
      at: ({ row }) => daysAfter(row.invitedAt, times.sponsorDays),
      act: async ({ row }, now) => {
        const renewal = row.state === 'renewal_invited'
        return step(row, 'lapse', ({ tx }) => ({
          data: renewal ? { endedAt: now, openRenewalOfId: null } : {},
          mails: async (changed) => {
            const to = await findCorrespondents(tx, changed)
            const reinvitesLeft = renewal ? 0 : Math.max(0, times.reinvitesMax - changed.reinvites)
            return to.toDevelopers('sponsor-expired', { reinvitesLeft, renewal })
          },
        }))
      },
    },
    sponsor_reminder: {
      at: ({ row }) => reminderAt(row.invitedAt, times.sponsorReminderDays, row.reminders),
      act: async ({ row }, now) => {
        const count = daysCome(times.sponsorReminderDays, row.invitedAt, now)
        const lapsesAt = (daysAfter(row.invitedAt, times.sponsorDays) ?? now).toISOString()
        return step(row, 'remind', ({ tx }) => ({
          data: { reminders: count },
          detail: { count },
          mails: async (changed) => {
            const to = await findCorrespondents(tx, changed)
            return to.toPractice('sponsor-reminder', { lapsesAt, renewal: row.state === 'renewal_invited' })
          },
        }))
      },
    },
    developer_silent: {
      at: ({ row }) => daysAfter(row.silentSince, times.infoSilentDays),
      act: async ({ row }, now) => {
        const reason = `Nothing was answered for ${times.infoSilentDays} days.`
        return step(row, 'lapse', ({ tx }) => ({
          data: { endedAt: now },
          text: reason,
          mails: async (changed) =>
            (await findCorrespondents(tx, changed)).toBoth('production-withdrawn', { reason }),
        }))
      },
    },
    developer_reminder: {
      at: ({ row }) => reminderAt(row.silentSince, times.infoReminderDays, row.reminders),
      act: async ({ row }, now) => {
        const count = daysCome(times.infoReminderDays, row.silentSince, now)
        const lapsesAt = (daysAfter(row.silentSince, times.infoSilentDays) ?? now).toISOString()
        return step(row, 'remind', ({ tx }) => ({
          data: { reminders: count },
          detail: { count },
          mails: async (changed) =>
            (await findCorrespondents(tx, changed)).toDevelopers('production-info-reminder', { lapsesAt }),
        }))
      },
    },
    claim_over: {
      at: ({ row }) => row.claimExpiresAt,
      act: async ({ row }) => {
        await claims.lapse(row)
        return true
      },
    },
    term_over: {
      at: ({ row }) => row.expiresAt,
      act: async ({ row }, now) =>
        step(row, 'expire', ({ tx }) => ({
          data: { endedAt: now },
          mails: async (changed) => {
            const end = changed.expiresAt ?? now
            const renewUntil = (daysAfter(end, times.renewAfterDays) ?? now).toISOString()
            const to = await findCorrespondents(tx, changed)
            return to.toBoth('production-expired', { expiredAt: end.toISOString(), renewUntil })
          },
        })),
    },
    nothing_left: {
      at: ({ row, live, unsponsoredSince }) =>
        live.length === 0 ? row.createdAt : daysAfter(unsponsoredSince, times.unsponsoredDays),
      act: async ({ row, keys, live }) => {
        const revoked = keys.find(({ revokeReason }) => revokeReason !== null)?.revokeReason
        const reason =
          live.length === 0
            ? (revoked ?? 'Every key under it was revoked.')
            : `Nobody at the practice vouched for it for ${times.unsponsoredDays} days.`
        await suspensions.revoke({ requestId: row.id, version: row.version, reason }, 'system')
        return true
      },
    },
    grace_over: {
      at: ({ row, live }) => {
        const rotated = live.filter(({ rotatedAt }) => rotatedAt !== null)
        return rotated.length === 0 ? row.createdAt : earliest(rotated.map(({ expiresAt }) => expiresAt))
      },
      act: async ({ row }) => step(row, 'grace_end', () => ({})),
    },
    term_reminder: {
      at: ({ row, renewed }) =>
        renewed ? null : reminderBefore(row.expiresAt, reminderDays.production, row.remindedDays),
      act: async ({ row }, now) => {
        const end = row.expiresAt ?? now
        const come = reminderDays.production.filter((days) => end.getTime() - now.getTime() <= days * dayMs)
        // A tick that comes late sends the nearest alone.
        const days = Math.min(...come)
        return step(row, 'remind', ({ tx }) => ({
          data: { remindedDays: days },
          detail: { days },
          mails: async (changed) => {
            const to = await findCorrespondents(tx, changed)
            return to.toDevelopers('production-expiring', { days, expiresAt: end.toISOString() })
          },
        }))
      },
    },
  }

  /** Once a year the practice is asked whether the key may go on; each reminder once. */
  const recertification: DueRule<Subject> = {
    at: ({ row }) =>
      isKeyed(row) ? reminderAt(askedAt(row), times.recertifyReminderDays, row.recertifyReminders) : null,
    act: async ({ row }, now) => {
      const asked = askedAt(row)
      const dueAt = (daysAfter(asked, times.recertifyWithinDays) ?? now).toISOString()
      return walk.transact(async (tx) => {
        const { count } = await tx.productionKeyRequest.updateMany({
          where: { id: row.id, recertifyReminders: row.recertifyReminders, certifiedAt: row.certifiedAt },
          data: { recertifyReminders: daysCome(times.recertifyReminderDays, asked, now) },
        })
        if (count === 0) return false
        const to = await findCorrespondents(tx, row)
        for (const each of to.toPractice('recertification-due', { dueAt }))
          await mail.enqueue(tx, { threadId: row.id, ...each })
        return true
      })
    },
  }

  /** What the review's clock tells our staff before the five business days are over, and when they are. */
  const escalation: DueRule<Subject> = {
    at: ({ row }) => {
      const clock = row.clockStoppedAt === null ? readClock(row) : null
      return clock && nextLevelAt(clock, row.clockEscalated, calendar)
    },
    act: async ({ row }, now) => {
      const clock = readClock(row)
      const level = clock === null ? 0 : dueLevel(clock, calendar.dateOf(now))
      return level > row.clockEscalated && escalate(rooms, row, level as EscalationLevel, now)
    },
  }

  const subjects: DueSubjects<Subject> = {
    table: 'production_key_request',
    load,
    rules: ({ row }) => [
      ...rulesOf(productionKeyWorkflow.rows, row.state, rules),
      recertification,
      escalation,
    ],
    recheck: async ({ row }) =>
      isKeyed(row) && walk.transact((tx) => suspensions.recheckIn(tx, row.id, 'system')),
    lookAgainAt: ({ row }, now) => (isKeyed(row) ? new Date(now.getTime() + lookAgainMs) : null),
  }

  async function step(
    { id, version }: ProductionKeyRequest,
    event: Parameters<typeof walk.step>[1],
    work: (of: StepCase) => StepWork,
  ): Promise<true> {
    await walk.step({ requestId: id, version }, event, 'system', work)
    return true
  }

  return { tick: (now: Date, batch?: number) => runDue({ prisma, log }, subjects, now, batch) }
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

function isKeyed({ state }: Pick<ProductionKeyRequest, 'state'>): boolean {
  return keyedStates.some((each) => each === state)
}

function askedAt({ certifiedAt }: ProductionKeyRequest): Date | null {
  return daysAfter(certifiedAt, times.recertifyEveryDays)
}

function daysAfter(since: Date | null, days: number): Date | null {
  return since && new Date(since.getTime() + days * dayMs)
}

/** How many of the days have come since. */
function daysCome(days: readonly number[], since: Date | null, now: Date): number {
  return since === null ? 0 : days.filter((day) => now.getTime() - since.getTime() >= day * dayMs).length
}
