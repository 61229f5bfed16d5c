/** Revokes grants with one conditional UPDATE. Once it is committed, no process accepts their tokens. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor, PortalAudit } from '../../audit/portal-audit.ts'
import { covers, narrow } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { endAuthorizations } from '../system-authorizations/end-authorizations.ts'

type RevokeReason = 'person' | 'practice' | 'app' | 'code_replay' | 'refresh_reuse'

type Revocation = {
  grantId: string
  practiceId: string
  clientId: string
  reason: RevokeReason
  by: AuditActor
  now: Date
}

/** @returns false if it was revoked already */
export async function revokeGrant(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  revocation: Revocation,
): Promise<boolean> {
  return revokeWhere(tx, portalAudit, revocation, { id: revocation.grantId })
}

/**
 * Revokes every grant of a person for an app at a practice, even those whose code was not exchanged yet.
 * @param revocation its `grantId` is the one that the audit row names
 * @returns false if all were revoked already
 */
export async function revokePersonGrants(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  revocation: Revocation & { accountId: string },
): Promise<boolean> {
  const { clientId, practiceId, accountId } = revocation
  return revokeWhere(tx, portalAudit, revocation, { clientId, practiceId, accountId })
}

async function revokeWhere(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  { grantId, practiceId, clientId, reason, by, now }: Revocation,
  where: Prisma.GrantWhereInput,
): Promise<boolean> {
  const { count } = await tx.grant.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: now, revokeReason: reason },
  })
  if (count === 0) return false
  await portalAudit.append(tx, {
    ...by,
    practiceId,
    action: 'grant.revoked',
    subject: { kind: 'grant', id: grantId },
    detail: { clientId, reason, ...(count > 1 && { grants: count }) },
  })
  return true
}

// An app that is registered for less keeps no more than that: what people and practices agreed to is cut down to it,
// tokens that say more stop on their next request, and an agreement of which no record is remaining ends (decisions, 47).

type Narrowing = Readonly<{
  clientId: string
  /** The app's new registered scopes. */
  scope: string
  now: Date
}>

/** @returns the number of grants that were narrowed, and that were revoked */
export async function narrowGrants(
  tx: Prisma.TransactionClient,
  portalAudit: PortalAudit,
  { clientId, scope, now }: Narrowing,
): Promise<{ narrowed: number; ended: number }> {
  const registered = readScopes(scope)
  const ofClient = { grant: { clientId } }
  const live = { clientId, revokedAt: null }
  let [narrowed, ended] = [0, 0]
  for (const { scope: held } of await tx.grant.groupBy({ by: ['scope'], where: live })) {
    const remaining = narrowScope(held, registered)
    if (remaining === null) continue
    const where = { ...live, scope: held }
    if (remaining.some(({ kind }) => kind === 'resource')) {
      narrowed += (await tx.grant.updateMany({ where, data: { scope: formatScopes(remaining) } })).count
      continue
    }
    await endAuthorizations(tx, portalAudit, where, now)
    const data = { revokedAt: now, revokeReason: 'app_changed' }
    ended += (await tx.grant.updateMany({ where, data })).count
  }
  // A scope that is registered again later needs a new consent, so refresh tokens lose it too.
  for (const { scope: held } of await tx.refreshToken.groupBy({ by: ['scope'], where: ofClient })) {
    const remaining = narrowScope(held, registered)
    if (remaining === null) continue
    const where = { ...ofClient, scope: held }
    await tx.refreshToken.updateMany({ where, data: { scope: formatScopes(remaining) } })
  }
  const alive = { ...ofClient, revokedAt: null, expiresAt: { gt: now } }
  for (const { scope: held } of await tx.accessToken.groupBy({ by: ['scope'], where: alive })) {
    if (narrowScope(held, registered) === null) continue
    await tx.accessToken.updateMany({ where: { ...alive, scope: held }, data: { revokedAt: now } })
  }
  await narrowAuthorizations(tx, clientId, registered)
  if (narrowed + ended > 0)
    await portalAudit.append(tx, {
      ...portalAudit.system(),
      action: 'client.grants_narrowed',
      subject: { kind: 'client', id: clientId },
      detail: { narrowed, ended, scope },
    })
  return { narrowed, ended }
}

/** The scopes that remain after narrowing; null if nothing was removed. */
function narrowScope(scope: string, registered: readonly Scope[]): readonly Scope[] | null {
  const scopes = readScopes(scope)
  return scopes.every((held) => covers(registered, held)) ? null : narrow(scopes, registered)
}

async function narrowAuthorizations(
  tx: Prisma.TransactionClient,
  clientId: string,
  registered: readonly Scope[],
): Promise<void> {
  const open = { clientId, state: { in: ['requested', 'granted'] } }
  for (const { scope: held } of await tx.practiceSystemAuthorization.groupBy({
    by: ['scope'],
    where: open,
  })) {
    const remaining = narrowScope(held, registered)
    if (remaining === null || remaining.length === 0) continue
    await tx.practiceSystemAuthorization.updateMany({
      where: { ...open, scope: held },
      data: { scope: formatScopes(remaining), version: { increment: 1 } },
    })
  }
}
