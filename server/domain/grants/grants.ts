/** The grants people gave: listed for them, ended by them. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/problems.ts'
import { readScopes } from '../../contract/scopes.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Grants } from './grant-types.ts'
import { revokeGrant } from './revoke-grant.ts'

type Dependencies = { prisma: PrismaClient; clock: () => Date; portalAudit: PortalAudit }

export function createGrants({ prisma, clock, portalAudit }: Dependencies): Grants {
  const listForAccount: Grants['listForAccount'] = async (accountId) => {
    const now = clock()
    const rows = await prisma.grant.findMany({
      where: { accountId, revokedAt: null, activatedAt: { not: null } },
      include: {
        client: { include: { organization: { select: { name: true } } } },
        practice: { select: { id: true, slug: true, name: true } },
        accessTokens: { orderBy: { createdAt: 'desc' }, take: 1 },
        refreshTokens: { where: { rotatedAt: null, expiresAt: { gt: now } }, take: 1 },
      },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    })
    return rows.flatMap((row) => {
      const { client } = row
      const [access] = row.accessTokens
      const [refresh] = row.refreshTokens
      const endsAt = refresh?.expiresAt ?? access?.expiresAt ?? null
      // Over by itself: nothing is left to take away.
      if (endsAt === null || endsAt <= now) return []
      return [
        {
          grantId: row.id,
          client: {
            clientId: client.id,
            name: client.name,
            homepage: client.homepage,
            logoUrl: client.logoUrl,
            organizationName: client.organization?.name ?? null,
          },
          practice: row.practice,
          audience: row.audience,
          scopes: readScopes(row.scope),
          patientId: row.patientId,
          grantedAt: row.createdAt,
          lastUsedAt: access?.createdAt ?? null,
          offline: refresh !== undefined,
          endsAt,
        },
      ]
    })
  }

  const revoke: Grants['revoke'] = async (grantId, actor) => {
    if (!uuidPattern.test(grantId)) throw new Problem('not_found')
    return prisma.$transaction(async (tx) => {
      const administers = {
        staff: {
          some: { accountId: actor.accountId, role: { in: ['admin' as const, 'signatory' as const] } },
        },
      }
      const grant = await tx.grant.findFirst({
        where: { id: grantId, OR: [{ accountId: actor.accountId }, { practice: administers }] },
      })
      // A backend system's grant ends with the practice's authorization of it, which knows why.
      if (!grant || grant.audience === 'backend') throw new Problem('not_found')
      const ended = await revokeGrant(tx, portalAudit, {
        grantId,
        practiceId: grant.practiceId,
        clientId: grant.clientId,
        reason: grant.accountId === actor.accountId ? 'person' : 'practice',
        by: portalAudit.by(actor),
        now: clock(),
      })
      return { kind: ended ? ('revoked' as const) : ('already_ended' as const) }
    })
  }

  return { listForAccount, revoke }
}
