/** The beginning of a request, whatever it is for: who asks, and what the same form has made already. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { Actor } from '../actor.ts'
import { findParty, type Party } from './parties.ts'
import { registrationKind } from './transition.ts'

/**
 * Of the same form sent twice at once the second waits, and finds what the first made.
 * @throws Problem `not_found` for strangers
 */
export async function beginCreation(
  tx: Prisma.TransactionClient,
  { organizationId, idempotencyKey }: { organizationId: string; idempotencyKey: string },
  actor: Actor,
): Promise<{ party: Party; earlier: Registration | null }> {
  if (!uuidPattern.test(organizationId)) throw new Problem('not_found')
  await lockKey(tx, `${actor.accountId} ${idempotencyKey}`)
  const party = await findParty(tx, { organizationId }, actor)
  const made = await tx.workflowEvent.findMany({
    where: { subjectKind: registrationKind, event: 'create', actorId: actor.accountId, idempotencyKey },
    select: { subjectId: true },
  })
  const ids = made.map(({ subjectId }) => subjectId)
  const earlier = await tx.registration.findFirst({ where: { id: { in: ids }, organizationId } })
  return { party, earlier }
}

async function lockKey(tx: Prisma.TransactionClient, key: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 20261122))`
}

/** @throws Problem `forbidden` for who may make no new request */
export async function requireMayAsk(
  tx: Prisma.TransactionClient,
  organizationId: string,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<void> {
  const [organization, account] = await Promise.all([
    tx.organization.findUnique({ where: { id: organizationId }, select: { blockedAt: true } }),
    tx.account.findUnique({ where: { id: accountId }, select: { emailVerifiedAt: true } }),
  ])
  if (!account?.emailVerifiedAt)
    throw new Problem('forbidden', { message: 'Confirm your email address first.' })
  if (organization?.blockedAt)
    throw new Problem('forbidden', { message: 'This organization can’t submit new requests.' })
}
