/** Whether a grant goes on without the person, and how long. */
import type { Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { readScopes } from '../../contract/smart/scopes.ts'
import { isUnregisteredApp, unregisteredApps } from '../../contract/smart/unregistered-apps.ts'
import { grants } from './issue-tokens.ts'

/**
 * `offline_access` lives 100 days from its last use, and an hour in all where nobody registered the app;
 * `online_access` as long as the sign-in it came from.
 * @returns null for no refresh token
 */
export async function firstRefresh(
  tx: Prisma.TransactionClient,
  grant: Grant,
  now: Date,
): Promise<{ scope: string; expiresAt: Date } | null> {
  const expiresAt = await refreshEnd(tx, grant, now)
  return expiresAt && { scope: grant.scope, expiresAt }
}

/** @returns when a refresh token given now ends; null when none may be given (any more) */
export async function refreshEnd(
  tx: Prisma.TransactionClient,
  grant: Grant,
  now: Date,
): Promise<Date | null> {
  const scopes = readScopes(grant.scope)
  if (isUnregisteredApp(grant.clientId)) {
    const end = new Date(grant.createdAt.getTime() + unregisteredApps.grantMinutes * 60_000)
    return grants(scopes, 'offline_access') && end > now ? end : null
  }
  if (grants(scopes, 'offline_access'))
    return new Date(now.getTime() + smartLifetimes.refreshTokenDays * 86_400_000)
  if (!grants(scopes, 'online_access') || grant.sessionId === null) return null
  const session = await tx.session.findUnique({
    where: { id: grant.sessionId },
    select: { expiresAt: true },
  })
  return session && session.expiresAt > now ? session.expiresAt : null
}
