/** Changes of a key by its practice. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId, uuidPattern } from '../../contract/http/uuid.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { withRetry } from '../../store/retry.ts'
import { accountNames } from '../accounts/account-names.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMembers } from '../organizations/membership.ts'
import { checkReason } from '../text-scan/check-text.ts'
import { findPracticePeople, requirePracticeRole } from './practice-role.ts'

export type KeyOfPractice = Readonly<{ practiceId: string; keyId: string }>

const practiceKeyIncludes = {
  organization: { select: { id: true, name: true } },
  practice: { select: { name: true } },
  productionRequest: { select: { id: true, dataClasses: true, purposes: true } },
} as const satisfies Prisma.ApiKeyInclude

export type PracticeKey = Prisma.ApiKeyGetPayload<{ include: typeof practiceKeyIncludes }>

type KeyChange = Readonly<{
  action: 'api_key.access_changed' | 'api_key.caps_changed'
  detail: Readonly<Record<string, readonly string[]>>
  template: 'key-access' | 'key-caps'
  props: Readonly<Record<string, string[]>>
}>

/**
 * Changes a key for a reason that both sides get by email: the practice's admins, and the organization's owners and admins.
 * @param change runs in the transaction that has locked the key
 * @throws Problem `forbidden` unless the actor is an admin there, or with the field `stepUp`; `validation` (the reason),
 * `not_found`, `conflict` (changed meanwhile, ended)
 */
export async function changeKey(
  core: Core,
  input: KeyOfPractice & Readonly<{ version: number; reason: string }>,
  actor: Actor,
  change: (tx: Prisma.TransactionClient, row: PracticeKey, now: Date) => Promise<KeyChange>,
): Promise<void> {
  const { prisma, clock, portalAudit, mail } = core
  const reason = checkReason(input.reason, actor)
  await requirePracticeRole(prisma, { practiceId: input.practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
  await withRetry(prisma, async (tx) => {
    const now = clock()
    const row = await lockKey(tx, input, now)
    const { action, detail, template, props } = await change(tx, row, now)
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId: row.practiceId,
      ...(row.organizationId ? { organizationId: row.organizationId } : {}),
      action,
      subject: { kind: 'api_key', id: row.id },
      detail: { ...detail, reason },
    })
    const about = {
      keyName: row.name,
      practiceName: row.practice.name,
      organizationName: row.organization?.name ?? 'Sandpiper',
      reason: reason.replace(/\s+/gu, ' '),
      at: now.toISOString(),
    }
    const readers = {
      developer: await findMembers(tx, row.organizationId, ['owner', 'admin']),
      practice: await findPracticePeople(tx, row.practiceId, ['admin']),
    }
    for (const [side, people] of Object.entries(readers))
      for (const { name, email } of people) {
        const message = { template, to: email, props: { name, side, ...about, ...props } } as EnqueuedMail
        await mail.enqueue(tx, { ...message, correlationId: actor.correlationId })
      }
  })
}

/** @throws Problem `not_found`, and `conflict` (changed meanwhile, ended) */
async function lockKey(
  tx: Prisma.TransactionClient,
  target: KeyOfPractice & Readonly<{ version: number }>,
  now: Date,
): Promise<PracticeKey> {
  if (uuidPattern.test(target.keyId))
    await tx.$queryRaw`SELECT 1 FROM portal.api_key WHERE id = ${target.keyId}::uuid FOR UPDATE`
  const row = await findKey(tx, target)
  if (row.version !== target.version)
    throw new Problem('conflict', {
      message: 'Someone changed the key. Check the page again, then decide.',
    })
  if (row.revokedAt !== null || row.expiresAt <= now)
    throw new Problem('conflict', { message: 'The key has ended.' })
  return row
}

export async function findKey(db: Prisma.TransactionClient, { practiceId, keyId }: KeyOfPractice) {
  const row = await db.apiKey.findFirst({
    where: { id: rowId(keyId), practiceId, explorer: false },
    include: practiceKeyIncludes,
  })
  if (!row) throw new Problem('not_found')
  return row
}

/** The key, the other key of a rotation, and the other keys of its production request: they share their access. */
export async function relatedKeys(tx: Prisma.TransactionClient, row: PracticeKey): Promise<string[]> {
  const rows = await tx.apiKey.findMany({
    where: {
      practiceId: row.practiceId,
      revokedAt: null,
      OR: [
        { id: row.id },
        { replacesId: row.id },
        ...(row.replacesId ? [{ id: row.replacesId }] : []),
        ...(row.productionRequestId ? [{ productionRequestId: row.productionRequestId }] : []),
      ],
    },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  return rows.map(({ id }) => id)
}

/** Changes of a key by the practice's admins, the newest first. */
export async function readChanges<Detail extends object>(
  prisma: Core['prisma'],
  keyId: string,
  action: string,
) {
  const events = await prisma.auditEvent.findMany({
    where: { action, subjectKind: 'api_key', subjectId: keyId },
    orderBy: { id: 'desc' },
    take: 20,
  })
  const names = await accountNames(
    prisma,
    events.map(({ actorId }) => actorId),
  )
  return events.map(({ id, at, actorId, detail }) => {
    const recorded = (detail ?? {}) as Detail & { reason?: string }
    return {
      id: String(id),
      at,
      by: (actorId && names.get(actorId)) || 'Sandpiper',
      reason: recorded.reason ?? '',
      detail: recorded,
    }
  })
}
