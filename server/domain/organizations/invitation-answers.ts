/** Invitations for the invited person: the state of the link, and accepting it. */
import type { Invitation } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { invitationWorkflow } from '../../contract/workflows/workflows.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { lockOrganization } from './membership.ts'

type EndedInvitation = { kind: 'expired' | 'used' | 'cancelled' | 'unknown' }

type LiveInvitation = {
  kind: 'live'
  organizationName: string
  role: OrganizationRole
  maskedEmail: string
}

/** The state of an invitation's link. Reading does not use up the link. */
export async function findInvitation(core: Core, token: string): Promise<LiveInvitation | EndedInvitation> {
  const { prisma } = core
  const found = await find(core, token)
  if (found.kind !== 'live') return found
  const { invitation } = found
  const organization = await prisma.organization.findUniqueOrThrow({
    where: { id: invitation.organizationId },
  })
  return {
    kind: 'live',
    organizationName: organization.name,
    role: invitation.role,
    maskedEmail: maskEmail(invitation.email),
  }
}

async function find(
  core: Core,
  token: string,
): Promise<{ kind: 'live'; invitation: Invitation } | EndedInvitation> {
  const { prisma } = core
  const link = await linkTokens.check(core, token, 'accept_invitation')
  if (link.kind === 'unknown' || !link.link.subjectId) return { kind: 'unknown' }
  const invitation = await prisma.invitation.findUnique({ where: { id: link.link.subjectId } })
  if (!invitation) return { kind: 'unknown' }
  if (invitation.state === 'cancelled') return { kind: 'cancelled' }
  if (invitation.state === 'accepted') return { kind: 'used' }
  if (link.kind !== 'live' || invitation.state !== 'invited') return { kind: 'expired' }
  return { kind: 'live', invitation }
}

/**
 * Joins the organization. Of two concurrent requests one joins, the other finds the link used. A person who is a
 * member already keeps their role.
 */
export async function acceptInvitation(
  core: Core,
  { token }: { token: string },
  actor: Actor,
): Promise<
  | { kind: 'joined'; organizationId: string }
  | { kind: 'other_account'; maskedEmail: string }
  | EndedInvitation
> {
  const { prisma, clock, portalAudit, mail } = core
  const found = await find(core, token)
  if (found.kind !== 'live') return found
  const account = await prisma.account.findUniqueOrThrow({ where: { id: actor.accountId } })
  if (account.realm !== 'developer' || account.email !== found.invitation.email) {
    return { kind: 'other_account', maskedEmail: maskEmail(found.invitation.email) }
  }
  if (!account.emailVerifiedAt || account.disabledAt) throw new Problem('forbidden')
  const joined = await prisma.$transaction(async (tx) => {
    const { organizationId, id, role } = found.invitation
    await lockOrganization(tx, organizationId)
    const now = clock()
    const moved = await tx.invitation.updateManyAndReturn({
      where: { id, state: 'invited', expiresAt: { gt: now } },
      data: { state: invitationWorkflow.next('invited', 'accept', 'invitee'), acceptedAt: now },
    })
    if (moved.length === 0) return null
    if ((await linkTokens.consume(core, tx, token, 'accept_invitation')).kind !== 'live')
      throw new Problem('conflict')
    await tx.membership.createMany({
      data: [{ organizationId, accountId: account.id, role, createdAt: now }],
      skipDuplicates: true,
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      organizationId,
      action: 'invitation.accepted',
      subject: { kind: 'invitation', id },
      detail: { role },
    })
    const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
    const inviter = await tx.account.findUniqueOrThrow({ where: { id: found.invitation.invitedById } })
    await mail.enqueue(tx, {
      template: 'invitation-accepted',
      to: inviter.email,
      props: {
        name: inviter.name,
        memberName: account.name,
        memberEmail: account.email,
        organizationName: organization.name,
        organizationSlug: organization.slug,
        role,
      },
      threadId: id,
      correlationId: actor.correlationId,
    })
    return { kind: 'joined' as const, organizationId }
  })
  if (joined) return joined
  const current = await find(core, token)
  return current.kind === 'live' ? { kind: 'expired' } : current
}
