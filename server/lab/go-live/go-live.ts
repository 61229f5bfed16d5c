/** The go-live report of an organization, for its members. */
import * as activityLog from '../../audit/activity-log.ts'
import { goLiveBounds } from '../../contract/lab/go-live-checks.ts'
import { organizationRoles } from '../../contract/portal/organization-roles.ts'
import type { Core } from '../../domain/core.ts'
import { requireRole } from '../../domain/organizations/membership.ts'
import { type GoLiveReport, goLiveReport } from './report.ts'

/** @throws Problem `not_found` for who is no member */
export async function report(
  core: Core,
  asker: {
    organizationId: string
    accountId: string
  },
): Promise<GoLiveReport & { since: Date; until: Date; cut: boolean }> {
  const { prisma, clock } = core
  await requireRole(prisma, asker, organizationRoles)
  const { organizationId } = asker
  const until = clock()
  const since = new Date(until.getTime() - goLiveBounds.days * 86_400_000)
  const [keys, clients] = await Promise.all([
    prisma.apiKey.findMany({
      // A call from the explorer is not one of the organization's own software.
      where: { organizationId, explorer: false },
      select: { id: true, name: true, expiresAt: true, rotatedAt: true, revokedAt: true },
      orderBy: { id: 'asc' },
    }),
    prisma.client.findMany({ where: { organizationId }, select: { id: true }, orderBy: { id: 'asc' } }),
  ])
  const limit = goLiveBounds.rowsMax
  const rows = await activityLog.conduct(core, {
    keyIds: keys.map(({ id }) => id),
    clientIds: clients.map(({ id }) => id),
    since,
    limit,
  })
  const living = keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > until)
  const lives = living.map(({ rotatedAt, ...key }) => ({ ...key, rotated: rotatedAt !== null }))
  return { ...goLiveReport(rows, lives, until), since, until, cut: rows.length === limit }
}
