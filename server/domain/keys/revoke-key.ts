/** Revocation: once it has returned, no process serves a call with the key (decision 0006). */

import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import * as throttle from '../accounts/throttle.ts'
import { networkOf, type Throttled } from '../accounts/throttle.ts'
import type { Actor, Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { findPracticePeople } from '../practices/practice-role.ts'
import { isCleanText, leftOutReason } from '../text-scan/check-text.ts'
import { getOwnedKey } from './owned-key.ts'

/**
 * Revoking twice is one revocation.
 * @throws Problem `not_found` (no such key in an organization of the actor), `forbidden` (viewers)
 */
export async function revoke(
  { prisma, clock, portalAudit, mail }: Core,
  { keyId, reason: typed }: { keyId: string; reason?: string },
  actor: Actor,
): Promise<{ kind: 'revoked' | 'already_ended' }> {
  const reason = toStoredReason(typed)
  const key = await getOwnedKey(prisma, { keyId, accountId: actor.accountId }, 'manage')
  const { organizationId } = key
  if (key.productionRequestId !== null)
    throw new Problem('conflict', {
      message: 'Revoke a production key on its own page, where the practice is notified.',
    })
  return prisma.$transaction(async (tx) => {
    const now = clock()
    const ended = await tx.apiKey.updateMany({
      where: { id: keyId, revokedAt: null, expiresAt: { gt: now } },
      data: { revokedAt: now, revokedById: actor.accountId, revokeReason: reason },
    })
    if (ended.count === 0) return { kind: 'already_ended' as const }
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      practiceId: key.practiceId,
      action: 'api_key.revoked',
      subject: { kind: 'api_key', id: keyId },
      detail: { prefix: key.prefix, reason: reason },
    })
    const creator = await tx.account.findUniqueOrThrow({ where: { id: key.createdById } })
    const revoker = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    await mail.enqueue(tx, {
      template: 'key-revoked',
      to: creator.email,
      props: {
        name: creator.name,
        keyName: key.name,
        prefixStart: key.prefix.slice(4),
        at: now.toISOString(),
        by: revoker.name,
        reason: reason,
        requestId: key.requestId ?? key.id,
      },
      threadId: key.requestId ?? undefined,
      correlationId: actor.correlationId,
    })
    return { kind: 'revoked' as const }
  })
}

/** A refused text must not delay a revocation, so it is replaced. */
function toStoredReason(reason = ''): string | null {
  const line = reason.replace(/\p{Cc}+/gu, ' ').trim()
  return isCleanText(line) ? line || null : leftOutReason
}

// Reports of a leaked key. The browser tests its checksum and sends the SHA-256 only, so that the
// report itself leaks nothing; the key stops at once and its owners get an email. The response is the same for every hash:
// it says nothing about which keys exist.

const leakReason = 'Reported as leaked.'
const sha256 = /^[0-9a-f]{64}$/

/** @throws Problem `validation` if the hash is not a SHA-256 */
export async function reportLeak(
  core: Core,
  { hash }: { hash: string },
  context: Context,
): Promise<{ kind: 'taken' } | Throttled> {
  const { prisma, clock, portalAudit, mail } = core
  if (!sha256.test(hash)) throw new Problem('validation', { field: 'hash' })
  const refused = await throttle.take(core, [{ rule: 'leakReport', subject: [networkOf(context.ip)] }])
  if (refused) return refused
  await prisma.$transaction(async (tx) => {
    const now = clock()
    const secretHash = Buffer.from(hash, 'hex')
    // The next tick ends a production key's access. The request is locked before the key, as everywhere.
    await tx.productionKeyRequest.updateMany({
      where: { keys: { some: { secretHash } } },
      data: { nextActionAt: new Date(0) },
    })
    const [key] = await tx.apiKey.updateManyAndReturn({
      where: { secretHash, revokedAt: null, expiresAt: { gt: now } },
      data: { revokedAt: now, leakedAt: now, revokeReason: leakReason },
    })
    if (!key) return
    await portalAudit.append(tx, {
      ...portalAudit.visitor(context),
      organizationId: key.organizationId ?? undefined,
      practiceId: key.practiceId,
      action: 'api_key.leaked',
      subject: { kind: 'api_key', id: key.id },
      detail: { prefix: key.prefix },
    })
    for (const reader of await findConcerned(tx, key)) {
      await mail.enqueue(tx, {
        template: 'key-leaked',
        to: reader.email,
        props: {
          name: reader.name,
          keyName: key.name,
          prefixStart: key.prefix.slice(4),
          practiceName: reader.practiceName,
          at: now.toISOString(),
          practiceSide: reader.practiceSide,
          requestId: key.requestId ?? key.id,
        },
        threadId: key.requestId ?? key.id,
        correlationId: context.correlationId,
      })
    }
  })
  return { kind: 'taken' }
}

/** The key's creator, the owners of its organization and the admins of its practice; each address once. */
async function findConcerned(tx: Prisma.TransactionClient, key: ApiKey) {
  const practice = await tx.practice.findUniqueOrThrow({ where: { id: key.practiceId } })
  const admins = await findPracticePeople(tx, key.practiceId, ['admin'])
  const members =
    key.organizationId === null
      ? []
      : await tx.membership.findMany({
          where: {
            organizationId: key.organizationId,
            account: { disabledAt: null },
            OR: [{ accountId: key.createdById }, { role: 'owner' }],
          },
          include: { account: true },
        })
  const all = [
    ...members.map(({ account: { name, email } }) => ({ name, email, practiceSide: false })),
    ...admins.map(({ name, email }) => ({ name, email, practiceSide: true })),
  ].map((reader) => ({ ...reader, practiceName: practice.name }))
  return [...new Map(all.map((reader) => [`${reader.practiceSide} ${reader.email}`, reader])).values()]
}
