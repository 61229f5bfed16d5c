/** The expiry of keys: reminders before it, and the extension of a sandbox key. */

import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { extendWithinDays, reminderDays } from '../../contract/keys/key-life.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMakerOrOwners } from '../organizations/membership.ts'
import { getOwnedKey, keyState } from './owned-key.ts'

const dayMs = 86_400_000
/** Expiries further back than this get no email, for example after the server was down. */
const lateMs = 7 * dayMs
const keysAtOnce = 500

/**
 * Gives a sandbox key a full term from now on, with new reminders.
 * @throws Problem `not_found`, `forbidden`, `conflict` (production, ended, rotated, or not near its end)
 */
export async function extend(
  { prisma, clock, portalAudit }: Core,
  { keyId }: { keyId: string },
  actor: Actor,
): Promise<{ expiresAt: Date }> {
  const key = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  const now = clock()
  if (!mayExtend(key, now))
    throw new Problem('conflict', {
      message: `You can extend a sandbox key in its last ${extendWithinDays} days, if it works and was not rotated.`,
    })
  const expiresAt = new Date(now.getTime() + limits.keyDays * dayMs)
  await prisma.$transaction(async (tx) => {
    const moved = await tx.apiKey.updateMany({
      where: { id: keyId, revokedAt: null, suspendedAt: null, rotatedAt: null, expiresAt: key.expiresAt },
      data: { expiresAt, remindedDays: null },
    })
    if (moved.count === 0) throw new Problem('conflict')
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: key.organizationId,
      practiceId: key.practiceId,
      action: 'api_key.extended',
      subject: { kind: 'api_key', id: keyId },
      detail: { prefix: key.prefix, from: key.expiresAt.toISOString(), to: expiresAt.toISOString() },
    })
  })
  return { expiresAt }
}

/**
 * The tick: sends one email for each reminder day of a key, and one when it has expired. A late tick sends only the
 * latest one. @returns the number of keys with an email
 */
export async function remindOfExpiry({ prisma, mail, portalAudit }: Core, now: Date): Promise<number> {
  const farthest = Math.max(...reminderDays.sandbox, ...reminderDays.production)
  const keys = await prisma.apiKey.findMany({
    where: {
      revokedAt: null,
      rotatedAt: null,
      explorer: false,
      organizationId: { not: null },
      // The tick of production keys notifies both sides about those.
      productionRequestId: null,
      expiresAt: { gt: new Date(now.getTime() - lateMs), lte: new Date(now.getTime() + farthest * dayMs) },
      OR: [{ remindedDays: null }, { remindedDays: { gt: 0 } }],
    },
    include: { practice: { select: { name: true } } },
    orderBy: { expiresAt: 'asc' },
    take: keysAtOnce,
  })
  let notified = 0
  for (const key of keys) {
    const days = dueDays(key, now)
    if (days === null || (key.remindedDays !== null && key.remindedDays <= days)) continue
    await prisma.$transaction(async (tx) => {
      // The update fails if the key was extended, ended or announced in the meantime.
      const taken = await tx.apiKey.updateMany({
        where: {
          id: key.id,
          revokedAt: null,
          rotatedAt: null,
          expiresAt: key.expiresAt,
          remindedDays: key.remindedDays,
        },
        data: { remindedDays: days },
      })
      if (taken.count === 0) return
      notified += 1
      for (const reader of await findMakerOrOwners(tx, key)) {
        await mail.enqueue(tx, {
          template: days === 0 ? 'key-expired' : 'key-expiring',
          to: reader.email,
          props: {
            name: reader.name,
            keyName: key.name,
            prefixStart: key.prefix.slice(4),
            practiceName: key.practice.name,
            expiresAt: key.expiresAt.toISOString(),
            sandbox: key.environment === 'sandbox',
            requestId: key.requestId ?? key.id,
          },
          threadId: key.requestId ?? key.id,
        })
      }
      if (days > 0) return
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        organizationId: key.organizationId ?? undefined,
        practiceId: key.practiceId,
        action: 'api_key.expired',
        subject: { kind: 'api_key', id: key.id },
        detail: { prefix: key.prefix },
      })
    })
  }
  return notified
}

type ExpiringKey = Parameters<typeof keyState>[0] & {
  environment: 'sandbox' | 'production'
  rotatedAt: Date | null
}

export function mayExtend(key: ExpiringKey, now: Date): boolean {
  const near = key.expiresAt.getTime() - now.getTime() <= extendWithinDays * dayMs
  return key.environment === 'sandbox' && keyState(key, now) === 'active' && key.rotatedAt === null && near
}

/** The reminder that is due, in days before the expiry: 0 after the expiry, null if none is due. */
function dueDays({ environment, expiresAt }: Pick<ExpiringKey, 'environment' | 'expiresAt'>, now: Date) {
  const left = expiresAt.getTime() - now.getTime()
  if (left <= 0) return 0
  const passed = reminderDays[environment].filter((days) => left <= days * dayMs)
  return passed.length === 0 ? null : Math.min(...passed)
}
