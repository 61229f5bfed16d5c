/** What happens to production keys by time alone. Each is one step of the workflow, in a transaction of its own. */
import type { ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { reminderDays } from '../../contract/key-life.ts'
import { isProblem } from '../../contract/problems.ts'
import { keyedStates, productionKeyTimes } from '../../contract/production-key-workflow.ts'
import type { createProductionClaims } from './claims.ts'
import { findCorrespondents } from './correspondents.ts'
import type { createEscalations } from './escalations.ts'
import type { ProductionRooms } from './rooms.ts'
import type { Suspensions } from './suspensions.ts'
import type { StepCase, StepWork } from './walk.ts'

const dayMs = 86_400_000
const times = productionKeyTimes
const atOnce = 2_000

type Neighbours = {
  suspensions: Pick<Suspensions, 'recheckIn' | 'revoke' | 'openCauses'>
  claims: Pick<ReturnType<typeof createProductionClaims>, 'lapse'>
  escalations: ReturnType<typeof createEscalations>
}

export function createTicks(
  { prisma, walk, mail }: ProductionRooms,
  { suspensions, claims, escalations }: Neighbours,
) {
  /** Everything that is due. @returns steps made */
  async function tick(now: Date): Promise<number> {
    let steps = 0
    for (const row of await listed(['sponsor_invited', 'renewal_invited']))
      steps += await tried(() => invited(row, now))
    for (const row of await listed(['needs_info'])) steps += await tried(() => asked(row, now))
    for (const row of await listed(['ready_to_claim']))
      if (row.claimExpiresAt && row.claimExpiresAt <= now) steps += await tried(() => claims.lapse(row))
    for (const row of await listed(keyedStates)) steps += await keyed(row, now)
    return steps + (await escalations.escalate(now))
  }

  function listed(states: readonly string[]): Promise<ProductionKeyRequest[]> {
    return prisma.productionKeyRequest.findMany({
      where: { state: { in: [...states] } },
      orderBy: { id: 'asc' },
      take: atOnce,
    })
  }

  async function invited(row: ProductionKeyRequest, now: Date): Promise<boolean> {
    if (row.invitedAt === null) return false
    const lapsesAt = row.invitedAt.getTime() + times.sponsorDays * dayMs
    const renewal = row.state === 'renewal_invited'
    if (now.getTime() >= lapsesAt)
      return stepOf(row, 'lapse', ({ tx }) => ({
        data: renewal ? { endedAt: now, openRenewalOfId: null } : {},
        mails: async (changed) => {
          const to = await findCorrespondents(tx, changed)
          const reinvitesLeft = renewal ? 0 : Math.max(0, times.reinvitesMax - changed.reinvites)
          return to.toDevelopers('sponsor-expired', { reinvitesLeft, renewal })
        },
      }))
    const due = dueCount(times.sponsorReminderDays, row.invitedAt, now)
    if (due <= row.reminders) return false
    return stepOf(row, 'remind', ({ tx }) => ({
      data: { reminders: due },
      detail: { count: due },
      mails: async (changed) => {
        const to = await findCorrespondents(tx, changed)
        return to.toPractice('sponsor-reminder', { lapsesAt: new Date(lapsesAt).toISOString(), renewal })
      },
    }))
  }

  async function asked(row: ProductionKeyRequest, now: Date): Promise<boolean> {
    if (row.silentSince === null) return false
    const lapsesAt = row.silentSince.getTime() + times.infoSilentDays * dayMs
    if (now.getTime() >= lapsesAt) {
      const reason = `Nothing was answered for ${times.infoSilentDays} days.`
      return stepOf(row, 'lapse', ({ tx }) => ({
        data: { endedAt: now },
        text: reason,
        mails: async (changed) =>
          (await findCorrespondents(tx, changed)).toBoth('production-withdrawn', { reason }),
      }))
    }
    const due = dueCount(times.infoReminderDays, row.silentSince, now)
    if (due <= row.reminders) return false
    return stepOf(row, 'remind', ({ tx }) => ({
      data: { reminders: due },
      detail: { count: due },
      mails: async (changed) => {
        const to = await findCorrespondents(tx, changed)
        return to.toDevelopers('production-info-reminder', { lapsesAt: new Date(lapsesAt).toISOString() })
      },
    }))
  }

  /** A key that works or stands still: its end, its papers, its sponsor, its rotation, its year. */
  async function keyed(found: ProductionKeyRequest, now: Date): Promise<number> {
    let steps = await tried(() => walk.transact((tx) => suspensions.recheckIn(tx, found.id, 'system')))
    const row = await prisma.productionKeyRequest.findUniqueOrThrow({ where: { id: found.id } })
    const keys = await prisma.apiKey.findMany({ where: { productionRequestId: row.id } })
    const live = keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now)
    if (row.expiresAt && row.expiresAt <= now) return steps + (await tried(() => expire(row, now)))
    if (live.length === 0) {
      const reason = keys.find(({ revokeReason }) => revokeReason !== null)?.revokeReason
      const words = reason ?? 'Every key under it was revoked.'
      return (
        steps +
        (await tried(() =>
          suspensions.revoke({ requestId: row.id, version: row.version, reason: words }, 'system'),
        ))
      )
    }
    if (await isUnsponsored(row, now)) {
      const reason = `Nobody at the practice vouched for it for ${times.unsponsoredDays} days.`
      return (
        steps +
        (await tried(() => suspensions.revoke({ requestId: row.id, version: row.version, reason }, 'system')))
      )
    }
    if (row.state === 'rotating' && live.every(({ rotatedAt }) => rotatedAt === null))
      steps += await tried(() => stepOf(row, 'grace_end', () => ({})))
    if (row.state !== 'suspended') steps += await remindOfEnd(row.id, now)
    return steps + (await remindToCertify(row.id, now))
  }

  async function isUnsponsored({ id }: ProductionKeyRequest, now: Date): Promise<boolean> {
    const since = await prisma.productionKeySuspension.findFirst({
      where: { requestId: id, endedAt: null, cause: { in: ['sponsorship_ended', 'sponsor_left'] } },
      orderBy: { at: 'asc' },
    })
    return since !== null && now.getTime() - since.at.getTime() >= times.unsponsoredDays * dayMs
  }

  async function expire(row: ProductionKeyRequest, now: Date): Promise<void> {
    await stepOf(row, 'expire', ({ tx }) => ({
      data: { endedAt: now },
      mails: async (changed) => {
        const end = changed.expiresAt ?? now
        const renewUntil = new Date(end.getTime() + times.renewAfterDays * dayMs).toISOString()
        const to = await findCorrespondents(tx, changed)
        return to.toBoth('production-expired', { expiredAt: end.toISOString(), renewUntil })
      },
    }))
  }

  /** The nearest day of the table that has come; a tick that comes late sends that one alone. */
  async function remindOfEnd(requestId: string, now: Date): Promise<number> {
    const row = await prisma.productionKeyRequest.findUniqueOrThrow({ where: { id: requestId } })
    if (row.expiresAt === null || (await isRenewed(requestId))) return 0
    const end = row.expiresAt
    const left = end.getTime() - now.getTime()
    const come = reminderDays.production.filter((days) => left <= days * dayMs)
    const days = Math.min(...come)
    if (come.length === 0 || (row.remindedDays !== null && row.remindedDays <= days)) return 0
    return tried(() =>
      stepOf(row, 'remind', ({ tx }) => ({
        data: { remindedDays: days },
        detail: { days },
        mails: async (changed) => {
          const to = await findCorrespondents(tx, changed)
          return to.toDevelopers('production-expiring', { days, expiresAt: end.toISOString() })
        },
      })),
    )
  }

  async function isRenewed(renewsId: string): Promise<boolean> {
    const keyed = { in: [...keyedStates] }
    return (await prisma.productionKeyRequest.count({ where: { renewsId, state: keyed } })) > 0
  }

  /** Once a year the practice is asked whether the key may go on; each reminder once. */
  async function remindToCertify(requestId: string, now: Date): Promise<number> {
    const row = await prisma.productionKeyRequest.findUniqueOrThrow({ where: { id: requestId } })
    if (row.certifiedAt === null || !keyedStates.some((state) => state === row.state)) return 0
    const askedAt = new Date(row.certifiedAt.getTime() + times.recertifyEveryDays * dayMs)
    if (askedAt > now) return 0
    const due = dueCount(times.recertifyReminderDays, askedAt, now)
    if (due <= row.recertifyReminders) return 0
    const dueAt = new Date(askedAt.getTime() + times.recertifyWithinDays * dayMs).toISOString()
    return tried(() =>
      walk.transact(async (tx) => {
        const { count } = await tx.productionKeyRequest.updateMany({
          where: { id: requestId, recertifyReminders: row.recertifyReminders, certifiedAt: row.certifiedAt },
          data: { recertifyReminders: due },
        })
        if (count === 0) return
        const to = await findCorrespondents(tx, row)
        for (const each of to.toPractice('recertification-due', { dueAt }))
          await mail.enqueue(tx, { threadId: requestId, ...each })
      }),
    )
  }

  async function stepOf(
    { id, version }: ProductionKeyRequest,
    event: Parameters<typeof walk.step>[1],
    work: (of: StepCase) => StepWork,
  ): Promise<true> {
    await walk.step({ requestId: id, version }, event, 'system', work)
    return true
  }

  return { tick }
}

/** How many of the days have come since. */
function dueCount(days: readonly number[], since: Date, now: Date): number {
  return days.filter((day) => now.getTime() - since.getTime() >= day * dayMs).length
}

/** 1 when it was done; 0 when there was nothing to do, or a person or another worker was faster. */
async function tried(work: () => Promise<unknown>): Promise<number> {
  try {
    return (await work()) === false ? 0 : 1
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    return 0
  }
}
