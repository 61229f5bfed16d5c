/**
 * Rotation (workflows §3, §4): a successor replaces a key, and the old one works for a grace period of at most seven days.
 * The end of the grace period is stored as the old key's expiry, so every process follows it on the next call.
 */
import { createHash } from 'node:crypto'
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { makeKey, prefixOf } from '../../contract/keys/key-format.ts'
import { type GraceHours, isGraceHours } from '../../contract/keys/key-life.ts'
import { withRetry } from '../../store/retry.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMakerOrOwners } from '../organizations/membership.ts'
import { followRotation } from '../production-keys/rotation.ts'
import type { RevealedKey } from './claims.ts'
import { getOwnedKey, keyState, type OwnedKey } from './owned-key.ts'

/**
 * Creates the successor and returns it once. Of two concurrent requests one gets it, the other a conflict.
 * @throws Problem `not_found`, `forbidden`, `conflict` (ended, suspended, or in a rotation already)
 */
export async function rotate(
  core: Core,
  { keyId, graceHours }: { keyId: string; graceHours: number },
  actor: Actor,
): Promise<RevealedKey | { kind: 'step_up_needed' }> {
  const { prisma, sessions, randomBytes, clock, portalAudit, mail, env } = core
  if (!isGraceHours(graceHours)) throw new Problem('validation', { field: 'graceHours' })
  const old = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  refuseOthersSecret(old, actor)
  if (!sessions.isStepUpFresh(actor)) return { kind: 'step_up_needed' }
  const key = makeKey(old.environment, randomBytes)
  return withRetry(prisma, async (tx) => {
    const now = clock()
    await refuseOpenRotation(tx, old, now)
    await retire(tx, { old, graceHours, actor, now })
    await refuseStopped(tx, old)
    const row = await tx.apiKey.create({
      data: { ...successorOf(core, old, key), createdById: actor.accountId, createdAt: now },
      include: { practice: true, organization: true },
    })
    await copyLimits(tx, old.id, row.id)
    const endsAt = graceEnd(old, now, graceHours)
    await followRotation(core, tx, { old, successor: row, oldEndsAt: endsAt, actor })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: old.organizationId,
      practiceId: old.practiceId,
      action: 'api_key.rotated',
      subject: { kind: 'api_key', id: old.id },
      detail: { prefix: old.prefix, successor: row.prefix, graceHours },
    })
    for (const reader of await findMakerOrOwners(tx, old)) {
      await mail.enqueue(tx, {
        template: 'key-rotated',
        to: reader.email,
        props: {
          name: reader.name,
          keyName: old.name,
          oldStart: old.prefix.slice(4),
          newStart: row.prefix.slice(4),
          at: now.toISOString(),
          oldEndsAt: graceHours === 0 ? null : endsAt.toISOString(),
          requestId: old.requestId ?? old.id,
        },
        threadId: old.requestId ?? old.id,
        correlationId: actor.correlationId,
      })
    }
    return {
      kind: 'revealed' as const,
      key,
      prefix: row.prefix,
      name: row.name,
      level: row.level,
      organizationSlug: row.organization?.slug ?? '',
      expiresAt: row.expiresAt,
      practice: { slug: row.practice.slug, name: row.practice.name },
      baseUrl: `${env.REST_ORIGIN}${old.environment === 'sandbox' ? '/sandbox' : ''}/api/v1`,
    }
  })
}

/** A stop does not cover the successor. The key's row is locked by now, so a stop comes before this or after the rotation. */
async function refuseStopped(tx: Prisma.TransactionClient, { id }: OwnedKey): Promise<void> {
  const stops = await tx.practiceStop.count({ where: { keyId: id, endedAt: null } })
  if (stops > 0)
    throw new Problem('conflict', { message: 'The practice stopped this key. Rotate it when it is resumed.' })
}

/** Marks the old key as rotated. It must not have been rotated, changed or ended in the meantime. */
async function retire(
  tx: Prisma.TransactionClient,
  { old, graceHours, actor, now }: { old: OwnedKey; graceHours: GraceHours; actor: Actor; now: Date },
): Promise<void> {
  const marked = await tx.apiKey.updateMany({
    where: {
      ...{ id: old.id, rotatedAt: null, revokedAt: null, suspendedAt: null, expiresAt: old.expiresAt },
      // The successor copies the key's access, which must not have changed since the row was read.
      version: old.version,
    },
    data: {
      rotatedAt: now,
      ownExpiresAt: old.expiresAt,
      ...(graceHours === 0 ? endNow(actor, now) : { expiresAt: graceEnd(old, now, graceHours) }),
    },
  })
  if (marked.count === 0) throw new Problem('conflict', { message: 'Someone has just changed this key.' })
}

function successorOf({ clock }: Core, old: OwnedKey, key: string) {
  return {
    prefix: prefixOf(key),
    secretHash: createHash('sha256').update(key).digest(),
    name: old.name,
    level: old.level,
    environment: old.environment,
    practiceId: old.practiceId,
    organizationId: old.organizationId,
    replacesId: old.id,
    allowedNetworks: old.allowedNetworks,
    mcpWrites: old.mcpWrites,
    productionRequestId: old.productionRequestId,
    agreementsValidUntil: old.agreementsValidUntil,
    dataClasses: old.dataClasses,
    purposes: old.purposes,
    narrowedFrom: old.narrowedFrom,
    capId: old.capId,
    // A rotation does not extend the term that a practice has agreed to.
    expiresAt: old.productionRequestId
      ? old.expiresAt
      : new Date(clock().getTime() + limits.keyDays * 86_400_000),
  }
}

/**
 * Changes the end of the grace period, at most to seven days after the rotation or to the key's own expiry.
 * @throws Problem `not_found`, `forbidden`, `conflict` (not in a rotation)
 */
export async function changeGrace(
  { prisma, clock, portalAudit }: Core,
  { keyId, graceHours }: { keyId: string; graceHours: number },
  actor: Actor,
): Promise<{ endsAt: Date }> {
  if (!isGraceHours(graceHours)) throw new Problem('validation', { field: 'graceHours' })
  const old = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  const { rotatedAt, ownExpiresAt } = old
  const now = clock()
  if (rotatedAt === null || ownExpiresAt === null || keyState(old, now) !== 'active')
    throw new Problem('conflict', { message: 'This key is not being rotated.' })
  const endsAt = graceEnd({ expiresAt: ownExpiresAt }, rotatedAt, graceHours)
  const over = graceHours === 0 || endsAt <= now
  return prisma.$transaction(async (tx) => {
    const changed = await tx.apiKey.updateMany({
      where: { id: keyId, revokedAt: null, expiresAt: old.expiresAt },
      data: over ? endNow(actor, now) : { expiresAt: endsAt },
    })
    if (changed.count === 0) throw new Problem('conflict')
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId: old.organizationId,
      practiceId: old.practiceId,
      action: over ? 'api_key.revoked' : 'api_key.grace_changed',
      subject: { kind: 'api_key', id: keyId },
      detail: { prefix: old.prefix, graceHours },
    })
    return { endsAt: over ? now : endsAt }
  })
}

const rotationReason = 'Rotated: replaced by a new key.'

function endNow(actor: Actor, now: Date) {
  return { revokedAt: now, revokedById: actor.accountId, revokeReason: rotationReason }
}

/** The end of the grace period, no later than the key's own expiry. */
function graceEnd({ expiresAt }: Pick<ApiKey, 'expiresAt'>, from: Date, hours: GraceHours): Date {
  return new Date(Math.min(from.getTime() + hours * 3_600_000, expiresAt.getTime()))
}

/** The secret of a production key is shown to the requester alone (workflows, Precision). */
function refuseOthersSecret(key: OwnedKey, actor: Actor): void {
  if (key.environment === 'production' && key.createdById !== actor.accountId)
    throw new Problem('forbidden', {
      message: 'Only the person who requested a production key can rotate it.',
    })
}

/** At most two keys may be active in a rotation, so the key before this one must have ended. */
async function refuseOpenRotation(tx: Prisma.TransactionClient, old: OwnedKey, now: Date): Promise<void> {
  if (old.rotatedAt) throw new Problem('conflict', { message: 'This key has already been rotated.' })
  if (keyState(old, now) !== 'active')
    throw new Problem('conflict', { message: 'Only an active key can be rotated.' })
  if (old.replacesId === null) return
  const before = await tx.apiKey.findUnique({ where: { id: old.replacesId } })
  if (before && keyState(before, now) === 'active')
    throw new Problem('conflict', {
      message: 'The previous key still works. End its grace period first.',
    })
}

async function copyLimits(tx: Prisma.TransactionClient, fromId: string, toId: string): Promise<void> {
  const grant = await tx.keyLimitGrant.findFirst({
    where: { keyId: fromId, endedAt: null },
    orderBy: { createdAt: 'desc' },
  })
  if (!grant) return
  const { burst, sustained, reason, grantedById, createdAt } = grant
  await tx.keyLimitGrant.create({ data: { keyId: toId, burst, sustained, reason, grantedById, createdAt } })
}
