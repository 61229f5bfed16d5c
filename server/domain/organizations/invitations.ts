/** Invitations by email, valid for seven days; owners and admins can renew or withdraw them (workflows §1). */
import type { Invitation, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { mayGrant, type OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { paths } from '../../contract/portal/paths.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import { type InvitationState, invitationWorkflow } from '../../contract/workflows/workflows.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import * as throttle from '../accounts/throttle.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { lockOrganization, requireRole } from './membership.ts'

const invitationDays = 7
const inviters = ['owner', 'admin'] as const

/**
 * @throws Problem `forbidden` (role; step-up to invite an owner or admin), `conflict` (a member already, or invited
 *   already), `rate_limited`
 */
export async function invite(
  core: Core,
  input: { organizationId: string; email: string; role: OrganizationRole },
  actor: Actor,
): Promise<{ id: string }> {
  const { prisma, clock } = core
  const { organizationId, role } = input
  const email = normalizeEmail(input.email)
  await checkMayInvite(prisma, organizationId, role, actor)
  if (governs(role)) requireStepUp(actor, clock())
  await countInvitation(core, actor, email)
  return prisma.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId) // the same address invited twice at once is one invitation
    await refuseMember(tx, organizationId, email)
    const now = clock()
    const open = await tx.invitation.findFirst({
      where: { organizationId, email, state: 'invited', expiresAt: { gt: now } },
    })
    if (open)
      throw new Problem('conflict', {
        message: 'This address has already been invited. Renew that invitation.',
        field: 'email',
      })
    // Replaces an expired or withdrawn invitation.
    const invitation = await tx.invitation.create({
      data: {
        organizationId,
        email,
        role,
        state: invitationWorkflow.next(null, 'invite', 'admin'),
        invitedById: actor.accountId,
        createdAt: now,
        expiresAt: invitationEnd(now),
      },
    })
    await send(core, tx, invitation, actor, { again: false })
    return { id: invitation.id }
  })
}

/** Renews an invitation for seven more days with a new link. Earlier links stop working. */
export async function renewInvitation(core: Core, { invitationId }: { invitationId: string }, actor: Actor) {
  const { clock, prisma } = core
  const found = await findForInviter(core, invitationId, actor)
  if (governs(found.role)) requireStepUp(actor, clock())
  await countInvitation(core, actor, found.email)
  await prisma.$transaction(async (tx) => {
    await lockOrganization(tx, found.organizationId)
    await refuseMember(tx, found.organizationId, found.email)
    const now = clock()
    const renewed = await move(tx, found, 'renew', {
      expiresAt: invitationEnd(now),
      invitedById: actor.accountId,
    })
    await send(core, tx, renewed, actor, { again: true })
  })
}

/** Withdraws an invitation; its link stops working. The invited person is notified if it was still open. */
export async function cancelInvitation(core: Core, { invitationId }: { invitationId: string }, actor: Actor) {
  const { prisma, clock, portalAudit, mail } = core
  const found = await findForInviter(core, invitationId, actor)
  await prisma.$transaction(async (tx) => {
    await lockOrganization(tx, found.organizationId)
    const wasOpen = found.state === 'invited' && found.expiresAt > clock()
    const cancelled = await move(tx, found, 'cancel', {})
    await linkTokens.withdraw(tx, { kind: 'accept_invitation', subjectId: cancelled.id, now: clock() })
    await audit(core, tx, cancelled, 'invitation.cancelled', portalAudit.by(actor))
    if (!wasOpen) return
    const organization = await tx.organization.findUniqueOrThrow({
      where: { id: cancelled.organizationId },
    })
    await mail.enqueue(tx, {
      template: 'invitation-cancelled',
      to: cancelled.email,
      props: { organizationName: organization.name },
      threadId: cancelled.id,
      correlationId: actor.correlationId,
    })
  })
}

/** The tick: expires invitations after seven days, each in its own transaction, and notifies the inviter. */
export async function expireInvitations(core: Core, now: Date): Promise<number> {
  const { prisma, portalAudit, mail } = core
  const due = await prisma.invitation.findMany({
    where: { state: 'invited', expiresAt: { lte: now } },
    include: { organization: true, invitedBy: true },
    orderBy: { expiresAt: 'asc' },
    take: 200,
  })
  let expired = 0
  for (const { organization, invitedBy, ...invitation } of due) {
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.invitation.updateMany({
        where: { id: invitation.id, state: 'invited', expiresAt: { lte: now } },
        data: { state: invitationWorkflow.next('invited', 'lapse', 'system') },
      })
      if (count === 0) return // renewed, accepted or withdrawn in the meantime
      expired += 1
      await audit(core, tx, invitation, 'invitation.expired', portalAudit.system())
      await mail.enqueue(tx, {
        template: 'invitation-expired',
        to: invitedBy.email,
        props: {
          name: invitedBy.name,
          invitedEmail: invitation.email,
          organizationName: organization.name,
          organizationSlug: organization.slug,
          expiredAt: invitation.expiresAt.toISOString(),
        },
        threadId: invitation.id,
      })
    })
  }
  return expired
}

async function send(
  core: Core,
  tx: Prisma.TransactionClient,
  invitation: Invitation,
  actor: Actor,
  { again }: { again: boolean },
) {
  const { clock, portalAudit, mail } = core
  const token = await linkTokens.issue(core, tx, {
    kind: 'accept_invitation',
    subjectId: invitation.id,
    expiresAt: invitation.expiresAt,
    now: clock(),
  })
  await audit(core, tx, invitation, again ? 'invitation.renewed' : 'invitation.sent', portalAudit.by(actor))
  const organization = await tx.organization.findUniqueOrThrow({ where: { id: invitation.organizationId } })
  const inviter = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
  await mail.enqueue(tx, {
    template: 'invitation',
    to: invitation.email,
    props: {
      organizationName: organization.name,
      invitedBy: inviter.name,
      role: invitation.role,
      expiresAt: invitation.expiresAt.toISOString(),
      again,
    },
    links: { acceptUrl: paths.acceptInvitation(token) },
    threadId: invitation.id,
    correlationId: actor.correlationId,
  })
}

async function audit(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  { id, organizationId, role }: Invitation,
  action: string,
  by: ReturnType<typeof portalAudit.system>,
) {
  await portalAudit.append(tx, {
    ...by,
    organizationId,
    action,
    subject: { kind: 'invitation', id },
    detail: { role },
  })
}

/** Makes the step of the workflow, if the invitation has not changed since it was read. */
async function move(
  tx: Prisma.TransactionClient,
  found: Invitation,
  event: 'renew' | 'cancel',
  data: Prisma.InvitationUncheckedUpdateManyInput,
): Promise<Invitation> {
  const state = invitationWorkflow.next(found.state as InvitationState, event, 'admin')
  const moved = await tx.invitation.updateManyAndReturn({
    where: { id: found.id, state: found.state, expiresAt: found.expiresAt },
    data: { ...data, state },
  })
  const [invitation] = moved
  if (!invitation)
    throw new Problem('conflict', { message: 'Someone else has just changed this invitation.' })
  return invitation
}

async function findForInviter({ prisma }: Core, invitationId: string, actor: Actor): Promise<Invitation> {
  const invitation = await prisma.invitation.findUnique({ where: { id: rowId(invitationId) } })
  if (!invitation) throw new Problem('not_found')
  await checkMayInvite(prisma, invitation.organizationId, invitation.role, actor)
  return invitation
}

async function countInvitation(core: Core, { accountId }: Actor, email: string): Promise<void> {
  await throttle.takeOrRefuse(core, [
    { rule: 'invitation', subject: [accountId] },
    { rule: 'invitationAddress', subject: [email] },
  ])
}

const invitationEnd = (now: Date): Date => new Date(now.getTime() + invitationDays * 86_400_000)

/** Inviting to one of these roles needs the same step-up as giving the role to a member. */
const governs = (role: OrganizationRole): boolean => role === 'owner' || role === 'admin'

async function checkMayInvite(
  db: Prisma.TransactionClient,
  organizationId: string,
  role: OrganizationRole,
  actor: Actor,
) {
  const actorRole = await requireRole(db, { organizationId, accountId: actor.accountId }, inviters)
  if (!mayGrant[actorRole].includes(role))
    throw new Problem('forbidden', { message: 'Only an owner can invite owners.' })
}

async function refuseMember(tx: Prisma.TransactionClient, organizationId: string, email: string) {
  const member = await tx.membership.findFirst({
    where: { organizationId, account: { realm: 'developer', email } },
  })
  if (member) throw new Problem('conflict', { message: 'This person is already a member.', field: 'email' })
}
