/** The grants people gave: listed for them by app, and ended by them app by app. */

import { type Client, type Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { formatScope, readScopes } from '../../contract/smart/scopes.ts'
import { unregisteredApps } from '../../contract/smart/unregistered-apps.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { revokePersonGrants } from './revoke-grant.ts'

/** Not revoked, and with a token that still works: nothing is left to take away from the others. */
export function liveGrantWhere(now: Date): Prisma.GrantWhereInput {
  return {
    revokedAt: null,
    activatedAt: { not: null },
    OR: [
      { accessTokens: { some: { revokedAt: null, expiresAt: { gt: now } } } },
      { refreshTokens: { some: { rotatedAt: null, expiresAt: { gt: now } } } },
    ],
  }
}

type LiveGrant = Grant & {
  client: Client & { organization: { name: string } | null }
  practice: { id: string; name: string }
  accessTokens: { createdAt: Date; expiresAt: Date }[]
  refreshTokens: { expiresAt: Date }[]
}

/**
 * Without the apps of launches that had no account: the person who launched decided for a demonstration patient, who
 * never saw them, and they end by themselves.
 */
export const registeredAppWhere = {
  NOT: { clientId: { startsWith: unregisteredApps.prefix } },
} as const satisfies Prisma.GrantWhereInput

/** Both conditions above, of the grant `g` of a statement. */
export function liveGrantSql(now: Date): Prisma.Sql {
  return Prisma.sql`
    g.revoked_at IS NULL AND g.activated_at IS NOT NULL
    AND NOT starts_with(g.client_id, ${unregisteredApps.prefix})
    AND (EXISTS (SELECT 1 FROM portal.access_token t
                  WHERE t.grant_id = g.id AND t.revoked_at IS NULL AND t.expires_at > ${now})
      OR EXISTS (SELECT 1 FROM portal.refresh_token t
                  WHERE t.grant_id = g.id AND t.rotated_at IS NULL AND t.expires_at > ${now}))`
}

/** The apps that an account's live grants are for, the most recently allowed first. */
export async function listForAccount(
  { clock, prisma }: Core,
  accountId: string,
  only?: Readonly<{ clientId: string; practiceId: string }>,
): Promise<readonly AllowedApp[]> {
  const now = clock()
  const rows = await prisma.grant.findMany({
    where: { accountId, ...only, ...liveGrantWhere(now), ...registeredAppWhere },
    include: {
      client: { include: { organization: { select: { name: true } } } },
      practice: { select: { id: true, slug: true, name: true } },
      accessTokens: { orderBy: { createdAt: 'desc' }, take: 1 },
      refreshTokens: { where: { rotatedAt: null, expiresAt: { gt: now } }, take: 1 },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return [...groupBy(rows, ({ clientId, practiceId }) => `${practiceId} ${clientId}`)].map(toAllowedApp)
}

/**
 * Ends every grant that the grant's person gave its app at its practice: codes that were not exchanged yet, tokens and
 * refresh tokens. The person may do it, and an admin of the practice. A second call changes nothing.
 * @throws Problem `not_found`: no one's, or not the actor's to end
 */
export async function revoke(
  { prisma, portalAudit, clock }: Core,
  grantId: string,
  actor: Actor,
): Promise<{ kind: 'revoked' | 'already_ended' }> {
  if (!uuidPattern.test(grantId)) throw new Problem('not_found')
  return prisma.$transaction(async (tx) => {
    const administers = {
      staff: {
        some: { accountId: actor.accountId, role: { in: ['admin' as const, 'signatory' as const] } },
      },
    }
    const grant = await tx.grant.findFirst({
      where: {
        id: grantId,
        OR: [{ accountId: actor.accountId }, { practice: administers }],
      },
    })
    // A backend system's grant ends with the practice's authorization of it, which knows why.
    if (!grant?.accountId) throw new Problem('not_found')
    const ended = await revokePersonGrants(tx, portalAudit, {
      grantId,
      practiceId: grant.practiceId,
      clientId: grant.clientId,
      accountId: grant.accountId,
      reason: grant.accountId === actor.accountId ? 'person' : 'practice',
      by: portalAudit.by(actor),
      now: clock(),
    })
    return { kind: ended ? ('revoked' as const) : ('already_ended' as const) }
  })
}

/** One app that one person allowed at one practice, however often. */
export type AllowedApp = ReturnType<typeof toAllowedApp>

/** @param rows the live grants of one app, person and practice, newest first; at least one */
function toAllowedApp(rows: readonly LiveGrant[]) {
  const [newest] = rows as readonly [LiveGrant, ...LiveGrant[]]
  const { client, practice } = newest
  const used = rows.flatMap(({ accessTokens }) => accessTokens.map(({ createdAt }) => createdAt))
  return {
    /** Revoking it revokes all of them. */
    grantId: newest.id,
    client: {
      clientId: client.id,
      name: client.name,
      organizationName: client.organization?.name ?? null,
    },
    practice,
    /** The most recently allowed first. */
    records: [...groupBy(rows, ({ patientId }) => patientId ?? '')].map(toRecord),
    /** Null when it was allowed once. */
    firstGrantedAt: rows.length > 1 ? (rows.at(-1)?.createdAt ?? null) : null,
    grantedAt: newest.createdAt,
    /** When a token was last given out. */
    lastUsedAt: latest(used),
    /** It may go on without the person. */
    offline: rows.some(({ refreshTokens }) => refreshTokens.length > 0),
    /** Until when it works without asking again. */
    endsAt: latest(
      rows.flatMap(({ accessTokens, refreshTokens }) =>
        [...accessTokens, ...refreshTokens].map(({ expiresAt }) => expiresAt),
      ),
    ),
  }
}

/** What an app may read of one patient's record, or of no particular one's. */
export type AllowedRecord = ReturnType<typeof toRecord>

function toRecord(rows: readonly LiveGrant[]) {
  const scopes = rows.flatMap(({ scope }) => readScopes(scope))
  const distinct = new Map(scopes.map((scope) => [formatScope(scope), scope]))
  return { patientId: rows[0]?.patientId ?? null, scopes: [...distinct.values()] }
}

const latest = (dates: readonly Date[]): Date | null =>
  dates.length === 0 ? null : new Date(Math.max(...dates.map(Number)))

/** In the order in which the keys first occur. */
function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Iterable<readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups.values()
}
