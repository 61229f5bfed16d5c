/** The members of an organization and their roles. The last owner must stay. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  mayGrant,
  type OrganizationRole,
  organizationRoles,
} from '../../contract/portal/organization-roles.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findRole, lockOrganization, requireRole } from './membership.ts'

type Member = { organizationId: string; memberAccountId: string }

/**
 * @throws Problem `forbidden` (only an owner gives or removes the role of owner; step-up), `conflict` (the last owner),
 *   `not_found` (either person is not a member)
 */
export async function changeRole(
  core: Core,
  { role, ...member }: Member & { role: OrganizationRole },
  actor: Actor,
): Promise<void> {
  const { prisma, portalAudit } = core
  await prisma.$transaction(async (tx) => {
    const { organizationId, memberAccountId } = member
    const before = await checkMayManage(core, tx, member, actor)
    const actorRole = await requireRole(tx, { organizationId, accountId: actor.accountId }, organizationRoles)
    if (!mayGrant[actorRole].includes(role))
      throw new Problem('forbidden', { message: 'Only an owner can make someone an owner.' })
    if (before === role) return
    if (before === 'owner') await refuseLastOwner(tx, organizationId)
    await tx.membership.update({
      where: { organizationId_accountId: { organizationId, accountId: memberAccountId } },
      data: { role },
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'member.role_changed',
      subject: { kind: 'account', id: memberAccountId },
      detail: { before, after: role },
    })
  })
}

/** The member's keys stay with the organization. Members who remove themselves leave, which needs no step-up. */
export async function removeMember(core: Core, member: Member, actor: Actor): Promise<void> {
  const { prisma, portalAudit, mail } = core
  const { organizationId, memberAccountId } = member
  if (memberAccountId === actor.accountId) return leave(core, { organizationId }, actor)
  await prisma.$transaction(async (tx) => {
    const role = await checkMayManage(core, tx, member, actor)
    await end(tx, member, role)
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'member.removed',
      subject: { kind: 'account', id: memberAccountId },
      detail: { role },
    })
    const [organization, removed, remover] = [
      await tx.organization.findUniqueOrThrow({ where: { id: organizationId } }),
      await tx.account.findUniqueOrThrow({ where: { id: memberAccountId } }),
      await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } }),
    ]
    await mail.enqueue(tx, {
      template: 'member-removed',
      to: removed.email,
      props: { name: removed.name, organizationName: organization.name, by: remover.name },
      correlationId: actor.correlationId,
    })
  })
}

/** @throws Problem `conflict` for the last owner, `not_found` for a non-member */
export async function leave(
  { prisma, portalAudit }: Core,
  { organizationId }: { organizationId: string },
  actor: Actor,
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await requireRole(tx, { organizationId, accountId: actor.accountId }, organizationRoles)
    await lockOrganization(tx, organizationId)
    const role = await requireRole(tx, { organizationId, accountId: actor.accountId }, organizationRoles)
    await end(tx, { organizationId, memberAccountId: actor.accountId }, role)
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'member.left',
      subject: { kind: 'account', id: actor.accountId },
      detail: { role },
    })
  })
}

async function end(
  tx: Prisma.TransactionClient,
  { organizationId, memberAccountId }: Member,
  role: OrganizationRole,
) {
  if (role === 'owner') await refuseLastOwner(tx, organizationId)
  await tx.membership.delete({
    where: { organizationId_accountId: { organizationId, accountId: memberAccountId } },
  })
}

/** Locks the organization, so that the roles it reads stay until the transaction ends. @returns the member's role */
async function checkMayManage({ clock }: Core, tx: Prisma.TransactionClient, member: Member, actor: Actor) {
  const { organizationId, memberAccountId } = member
  await requireRole(tx, { organizationId, accountId: actor.accountId }, ['owner', 'admin'])
  await lockOrganization(tx, organizationId)
  const actorRole = await requireRole(tx, { organizationId, accountId: actor.accountId }, ['owner', 'admin'])
  const memberRole = await findRole(tx, { organizationId, accountId: memberAccountId })
  if (!memberRole) throw new Problem('not_found')
  if (!mayGrant[actorRole].includes(memberRole))
    throw new Problem('forbidden', { message: 'Only an owner can change an owner.' })
  requireStepUp(actor, clock())
  return memberRole
}

async function refuseLastOwner(tx: Prisma.TransactionClient, organizationId: string): Promise<void> {
  const owners = await tx.membership.count({
    where: { organizationId, role: 'owner', account: { disabledAt: null } },
  })
  if (owners > 1) return
  throw new Problem('conflict', {
    message: 'An organization needs an owner. Make someone else an owner first.',
  })
}
