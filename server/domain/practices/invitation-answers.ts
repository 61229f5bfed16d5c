/** Answers to invitations to work for a practice. The link in the email proves the address. */
import type { PracticeInvitation, Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findPasswordFault } from '../../contract/portal/password-rules.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor, Context } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import type { PracticeRole } from './practice-role.ts'

type InvitationView =
  | { kind: 'new' | 'known'; practiceName: string; role: PracticeRole; maskedEmail: string }
  | { kind: 'expired' | 'used' | 'unknown' }

/** The state of an invitation's link. Reading does not use up the link. */
export async function findInvitation(core: Core, token: string): Promise<InvitationView> {
  const { prisma } = core
  const found = await find(core, token)
  if (found.kind !== 'live') return found
  const { invitation } = found
  const practice = await prisma.practice.findUniqueOrThrow({ where: { id: invitation.practiceId } })
  const account = await prisma.account.findUnique({
    where: { realm_email: { realm: 'practice', email: invitation.email } },
  })
  return {
    kind: account ? 'known' : 'new',
    practiceName: practice.name,
    role: invitation.role,
    maskedEmail: maskEmail(invitation.email),
  }
}

async function find(
  core: Core,
  token: string,
): Promise<{ kind: 'live'; invitation: PracticeInvitation } | { kind: 'expired' | 'used' | 'unknown' }> {
  const { prisma, clock } = core
  const link = await linkTokens.check(core, token, 'accept_practice_invitation')
  if (link.kind === 'unknown' || !link.link.subjectId) return { kind: 'unknown' }
  const invitation = await prisma.practiceInvitation.findUnique({ where: { id: link.link.subjectId } })
  if (!invitation) return { kind: 'unknown' }
  if (invitation.state === 'accepted') return { kind: 'used' }
  if (link.kind !== 'live' || invitation.state !== 'invited' || invitation.expiresAt <= clock())
    return { kind: 'expired' }
  return { kind: 'live', invitation }
}

/**
 * Creates an account for a new person, who chooses a password, and accepts the invitation.
 * @throws Problem `validation` (password), `conflict` (an account exists: sign in and open the link again)
 */
export async function acceptAsNew(
  core: Core,
  { token, name, password }: { token: string; name: string; password: string },
  context: Context,
): Promise<InvitationView | { kind: 'accepted' }> {
  const { passwords, portalAudit } = core
  const found = await find(core, token)
  if (found.kind !== 'live') return found
  const { email } = found.invitation
  const fault = findPasswordFault(password, email)
  if (fault) throw new Problem('validation', { field: 'password', message: fault })
  const passwordHash = await passwords.hash(password)
  try {
    return await accept(core, token, found.invitation, async (tx, now) => {
      const account = await tx.account.create({
        data: { realm: 'practice', email, name, passwordHash, emailVerifiedAt: now, createdAt: now },
      })
      return { accountId: account.id, by: portalAudit.by({ ...context, accountId: account.id }) }
    })
  } catch (thrown) {
    if (!isUniqueViolation(thrown)) throw thrown
    throw new Problem('conflict', {
      message: 'This address already has an account. Sign in, then open the link again.',
    })
  }
}

/** Accepts the invitation for a person with an account of the practices' sign-in page. */
export async function acceptAsKnown(
  core: Core,
  { token }: { token: string },
  actor: Actor,
): Promise<InvitationView | { kind: 'accepted' } | { kind: 'other_account'; maskedEmail: string }> {
  const { prisma, portalAudit } = core
  const found = await find(core, token)
  if (found.kind !== 'live') return found
  const account = await prisma.account.findUniqueOrThrow({ where: { id: actor.accountId } })
  if (account.realm !== 'practice' || account.email !== found.invitation.email || account.disabledAt)
    return { kind: 'other_account', maskedEmail: maskEmail(found.invitation.email) }
  return accept(core, token, found.invitation, async () => ({
    accountId: account.id,
    by: portalAudit.by(actor),
  }))
}

async function accept(
  core: Core,
  token: string,
  { id, practiceId, role }: PracticeInvitation,
  findMember: (
    tx: Prisma.TransactionClient,
    now: Date,
  ) => Promise<{ accountId: string; by: ReturnType<PortalAudit['system']> }>,
): Promise<{ kind: 'accepted' } | { kind: 'used' }> {
  const { prisma, clock, portalAudit } = core
  return prisma.$transaction(async (tx) => {
    const now = clock()
    const taken = await linkTokens.consume(core, tx, token, 'accept_practice_invitation')
    const moved = await tx.practiceInvitation.updateMany({
      where: { id, state: 'invited' },
      data: { state: 'accepted', acceptedAt: now },
    })
    if (taken.kind !== 'live' || moved.count === 0) return { kind: 'used' as const }
    const { accountId, by } = await findMember(tx, now)
    await tx.practiceMembership.createMany({
      data: [{ practiceId, accountId, role, createdAt: now }],
      skipDuplicates: true,
    })
    await portalAudit.append(tx, {
      ...by,
      practiceId,
      action: 'practice_staff.joined',
      subject: { kind: 'practice', id: practiceId },
      detail: { role, accountId },
    })
    return { kind: 'accepted' as const }
  })
}
