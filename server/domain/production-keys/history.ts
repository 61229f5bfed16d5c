/** What is known of an organization, for whoever is asked to vouch for it or decides on it. */
import type { PrismaClient, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { productionKeys } from './transition.ts'

type History = Readonly<{
  memberSince: Date
  domains: readonly string[]
  /** Requests to this practice before. */
  earlierHere: readonly { name: string; state: string; at: Date }[]
  /** Production keys that work now, at other practices. */
  worksElsewhere: number
  sandboxKeys: number
  /** Keys that somebody reported as leaked, ever. */
  leaks: number
  /** Ended by a practice or by us, ever. */
  revokedByOthers: number
  enabledApps: number
}>

export async function findHistory(
  prisma: PrismaClient,
  { id, organizationId, practiceId }: Pick<ProductionKeyRequest, 'id' | 'organizationId' | 'practiceId'>,
  now: Date,
): Promise<History> {
  const own = { organizationId }
  const requests = await prisma.productionKeyRequest.findMany({ where: own, select: { id: true } })
  const [organization, domains, earlier, worksElsewhere, sandboxKeys, leaks, revokedByOthers, enabledApps] =
    await Promise.all([
      prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }),
      prisma.organizationDomain.findMany({
        where: { ...own, verifiedAt: { not: null } },
        select: { domain: true },
        orderBy: { domain: 'asc' },
      }),
      prisma.productionKeyRequest.findMany({
        where: { ...own, practiceId, id: { not: id }, submittedAt: { not: null } },
        select: { name: true, state: true, updatedAt: true },
        orderBy: { updatedAt: 'desc' },
        take: 20,
      }),
      prisma.productionKeyRequest.count({
        where: { ...own, state: { in: ['active', 'rotating'] }, NOT: { practiceId } },
      }),
      prisma.apiKey.count({
        where: { ...own, environment: 'sandbox', explorer: false, revokedAt: null, expiresAt: { gt: now } },
      }),
      prisma.apiKey.count({ where: { ...own, leakedAt: { not: null } } }),
      prisma.workflowEvent.count({
        where: {
          subjectKind: productionKeys.kind,
          subjectId: { in: requests.map(({ id }) => id) },
          event: 'revoke',
          actorKind: { in: ['sponsor', 'ops'] },
        },
      }),
      prisma.registration.count({ where: { ...own, kind: 'app', state: 'enabled' } }),
    ])
  return {
    memberSince: organization.createdAt,
    domains: domains.map(({ domain }) => domain),
    earlierHere: earlier.map(({ name, state, updatedAt }) => ({ name, state, at: updatedAt })),
    worksElsewhere,
    sandboxKeys,
    leaks,
    revokedByOthers,
    enabledApps,
  }
}
