/** Grants of people: listed by app, and revoked for one app at a time. */

import { type Client, type Grant, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { formatScope, readScopes } from '../../contract/smart/scopes.ts'
import { unregisteredApps } from '../../contract/smart/unregistered-apps.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { revokePersonGrants } from './revoke-grant.ts'

/** Grants that are not revoked and have a live token. Others give no access that could be revoked. */
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
 * Leaves out the apps of launches without an account: a stranger decided for a demonstration patient, and these grants
 * expire soon.
 */
export const registeredAppWhere = {
  NOT: { clientId: { startsWith: unregisteredApps.prefix } },
} as const satisfies Prisma.GrantWhereInput

/** Both conditions above, for a grant `g` in SQL. */
export function liveGrantSql(now: Date): Prisma.Sql {
  return Prisma.sql`
    g.revoked_at IS NULL AND g.activated_at IS NOT NULL
    AND NOT starts_with(g.client_id, ${unregisteredApps.prefix})
    AND (EXISTS (SELECT 1 FROM portal.access_token t
                  WHERE t.grant_id = g.id AND t.revoked_at IS NULL AND t.expires_at > ${now})
      OR EXISTS (SELECT 1 FROM portal.refresh_token t
                  WHERE t.grant_id = g.id AND t.rotated_at IS NULL AND t.expires_at > ${now}))`
}

/** The apps of an account's live grants, the most recently allowed first. */
export async function listForAccount(
  { clock, prisma }: Core,
  accountId: string,
  filter?: Readonly<{ clientId: string; practiceId: string }>,
): Promise<readonly AllowedApp[]> {
  const now = clock()
  const rows = await prisma.grant.findMany({
    where: { accountId, ...filter, ...liveGrantWhere(now), ...registeredAppWhere },
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
 * Revokes every grant of the same person for the same app at the same practice, with unexchanged codes, tokens and
 * refresh tokens. The person and the practice's admins may do it. A second call changes nothing.
 * @throws Problem `not_found` if there is no such grant, or the actor may not revoke it
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
    // A backend system's grant is revoked through the practice's authorization, which records the reason.
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

/** An app that a person has allowed at a practice, once or more often. */
export type AllowedApp = ReturnType<typeof toAllowedApp>

/** @param rows the live grants of one app, person and practice, the newest first; at least one */
function toAllowedApp(rows: readonly LiveGrant[]) {
  const [newest] = rows as readonly [LiveGrant, ...LiveGrant[]]
  const { client, practice } = newest
  const used = rows.flatMap(({ accessTokens }) => accessTokens.map(({ createdAt }) => createdAt))
  return {
    /** The newest grant. Revoking it revokes all of them. */
    grantId: newest.id,
    client: {
      clientId: client.id,
      name: client.name,
      organizationName: client.organization?.name ?? null,
    },
    practice,
    /** The most recently allowed first. */
    records: [...groupBy(rows, ({ patientId }) => patientId ?? '')].map(toRecord),
    /** Null if the app was allowed only once. */
    firstGrantedAt: rows.length > 1 ? (rows.at(-1)?.createdAt ?? null) : null,
    grantedAt: newest.createdAt,
    /** When the last token was issued. */
    lastUsedAt: latest(used),
    /** Whether it has a refresh token. */
    offline: rows.some(({ refreshTokens }) => refreshTokens.length > 0),
    /** When its last token expires. */
    endsAt: latest(
      rows.flatMap(({ accessTokens, refreshTokens }) =>
        [...accessTokens, ...refreshTokens].map(({ expiresAt }) => expiresAt),
      ),
    ),
  }
}

/** The scopes of an app for one patient's record, or for no particular record. */
export type AllowedRecord = ReturnType<typeof toRecord>

function toRecord(rows: readonly LiveGrant[]) {
  const scopes = rows.flatMap(({ scope }) => readScopes(scope))
  const distinct = new Map(scopes.map((scope) => [formatScope(scope), scope]))
  return { patientId: rows[0]?.patientId ?? null, scopes: [...distinct.values()] }
}

const latest = (dates: readonly Date[]): Date | null =>
  dates.length === 0 ? null : new Date(Math.max(...dates.map(Number)))

/** Groups rows, in the order in which the keys first occur. */
function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Iterable<readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups.values()
}
