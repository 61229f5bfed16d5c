/** The security profile of an organization. Every submitted request stores a copy of it. */
import { Problem } from '../../contract/http/problems.ts'
import { type SecurityProfile, securityProfile } from '../../contract/workflows/security-questions.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { everyMember, requireRole } from '../organizations/membership.ts'
import { checkTexts } from '../text-scan/check-text.ts'

/** Null if there is none yet. @throws Problem `not_found` unless the reader is a member */
export async function get({ prisma }: Core, organizationId: string, { accountId }: Pick<Actor, 'accountId'>) {
  await requireRole(prisma, { organizationId, accountId }, everyMember)
  const row = await prisma.securityProfile.findUnique({ where: { organizationId } })
  if (!row) return null
  const by = await prisma.account.findUnique({ where: { id: row.updatedById }, select: { name: true } })
  const { version, updatedAt } = row
  return { answers: securityProfile.parse(row.answers), version, updatedAt, updatedBy: by?.name ?? '' }
}

/**
 * @param input.version the version that the form shows; 0 for a new profile
 * @throws Problem `not_found`, `forbidden`, `conflict` (another person saved meanwhile), `validation` (a secret in it)
 */
export async function save(
  { prisma, clock, portalAudit }: Core,
  { organizationId, version, answers }: { organizationId: string; version: number; answers: SecurityProfile },
  actor: Actor,
): Promise<{ version: number }> {
  const stored = await prisma.securityProfile.findUnique({ where: { organizationId } })
  checkTexts(answers, actor, securityProfile.safeParse(stored?.answers).data)
  return prisma.$transaction(async (tx) => {
    await requireRole(tx, { organizationId, accountId: actor.accountId }, ['admin', 'owner'])
    const data = { answers, updatedById: actor.accountId, updatedAt: clock() }
    const { count } =
      version === 0
        ? await tx.securityProfile.createMany({ data: [{ organizationId, ...data }], skipDuplicates: true })
        : await tx.securityProfile.updateMany({
            where: { organizationId, version },
            data: { ...data, version: { increment: 1 } },
          })
    if (count === 0)
      throw new Problem('conflict', {
        message: 'Someone else saved the profile in the meantime. Reload the page.',
      })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'security_profile.saved',
      subject: { kind: 'organization', id: organizationId },
      detail: { version: version + 1 },
    })
    return { version: version + 1 }
  })
}
