/** Who works in the portal for a practice: invited by mail, given roles, and taken out again. One admin always stays. */
import type { PracticeInvitation, Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { AuditActor, PortalAudit } from '../../audit/portal-audit.ts'
import type { Passwords } from '../../auth/password.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { firstPage, type PageAsk, pageOf } from '../../contract/portal/paging.ts'
import { findPasswordFault } from '../../contract/portal/password-rules.ts'
import { paths } from '../../contract/portal/paths.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import type { Mail } from '../../mail/mail.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { withRetry } from '../../store/with-retry.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor, Context } from '../actor.ts'
import type { LinkTokens, Throttle } from '../bound.ts'
import type { ProductionKeys } from '../production-keys/production-keys.ts'
import { type PracticeRole, requirePracticeRole } from './practice-role.ts'
import { refuseSandboxAddress } from './standing-people.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  linkTokens: LinkTokens
  passwords: Pick<Passwords, 'hash'>
  throttle: Throttle
  /** Keys whose sponsor goes stop in the same transaction. */
  productionKeys: Pick<ProductionKeys, 'recheckAllIn'>
}

type Change = { practiceId: string; accountId: string; role: PracticeRole }
type InvitationView =
  | { kind: 'new' | 'known'; practiceName: string; role: PracticeRole; maskedEmail: string }
  | { kind: 'expired' | 'used' | 'unknown' }

const invitationMs = 7 * 86_400_000
/** The inviter, where a command and no account invites. */
const noAccountId = '00000000-0000-0000-0000-000000000000'

export function createPracticeStaff(dependencies: Dependencies) {
  const { prisma, clock, mail, portalAudit, linkTokens, passwords, throttle, productionKeys } = dependencies

  /** People and open invitations, each in pages; searched by name and address. @throws Problem `not_found`, `forbidden` (admins only) */
  async function list(
    practiceId: string,
    { accountId }: Pick<Actor, 'accountId'>,
    asks: { people: PageAsk; invitations: PageAsk } = { people: firstPage, invitations: firstPage },
  ) {
    await requirePracticeRole(prisma, { practiceId, accountId }, ['admin'])
    const [rows, invitations] = await Promise.all([
      prisma.practiceMembership.findMany({
        where: { practiceId, account: { disabledAt: null } },
        include: { account: { select: { id: true, name: true, email: true } } },
        orderBy: [{ account: { name: 'asc' } }, { role: 'asc' }],
      }),
      prisma.practiceInvitation.findMany({
        where: { practiceId, state: 'invited' },
        orderBy: { createdAt: 'desc' },
      }),
    ])
    const people = new Map<
      string,
      { accountId: string; name: string; email: string; roles: PracticeRole[] }
    >()
    for (const { account, role } of rows) {
      const known = people.get(account.id)
      if (known) known.roles.push(role)
      else
        people.set(account.id, {
          accountId: account.id,
          name: account.name,
          email: account.email,
          roles: [role],
        })
    }
    const now = clock()
    return {
      people: pageOf(asks.people, [...people.values()], ({ name, email }) => [name, email]),
      invitations: pageOf(
        asks.invitations,
        invitations.map(({ id, email, role, expiresAt }) => ({
          id,
          email,
          role,
          expiresAt,
          over: expiresAt <= now,
        })),
        ({ email }) => [email],
      ),
    }
  }

  /** @throws Problem `conflict` (works there in that role, or invited already), `rate_limited`, `forbidden` */
  async function invite(
    input: { practiceId: string; email: string; role: PracticeRole },
    actor: Actor,
  ): Promise<void> {
    const { practiceId, role } = input
    const email = normalizeEmail(input.email)
    await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
    const throttled = await throttle.take([
      { rule: 'invitation', subject: [actor.accountId] },
      { rule: 'invitationAddress', subject: [email] },
    ])
    if (throttled) throw new Problem('rate_limited', { retryAfterSeconds: throttled.retryAfterSeconds })
    await prisma.$transaction(async (tx) => {
      requireStepUp(actor, clock())
      const inviter = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
      await inviteAs(tx, { practiceId, email, role }, { name: inviter.name, by: portalAudit.by(actor) })
    })
  }

  /**
   * For callers who have checked that the inviter may do this: the practice's admin, operations, `npm run admin`.
   * An earlier invitation of the same address ends.
   * @throws Problem `conflict` when the person has that role already
   */
  async function inviteAs(
    tx: Prisma.TransactionClient,
    { practiceId, email, role }: { practiceId: string; email: string; role: PracticeRole },
    { name: invitedBy, by }: { name: string; by: AuditActor },
    detail: Prisma.InputJsonObject = {},
  ): Promise<void> {
    refuseSandboxAddress(email)
    const practice = await lockPractice(tx, practiceId)
    const now = clock()
    const has = await tx.practiceMembership.count({
      where: { practiceId, role, account: { realm: 'practice', email } },
    })
    if (has > 0)
      throw new Problem('conflict', { field: 'email', message: 'This person has that role already.' })
    await tx.practiceInvitation.updateMany({
      where: { practiceId, email, state: 'invited' },
      data: { state: 'cancelled' },
    })
    const invitation = await tx.practiceInvitation.create({
      data: {
        practiceId,
        email,
        role,
        state: 'invited',
        invitedById: by.actorId ?? noAccountId,
        createdAt: now,
        expiresAt: new Date(now.getTime() + invitationMs),
      },
    })
    await send(tx, { invitation, practiceName: practice.name, invitedBy, by, detail, now })
  }

  async function send(
    tx: Prisma.TransactionClient,
    input: {
      invitation: PracticeInvitation
      practiceName: string
      invitedBy: string
      by: AuditActor
      detail: Prisma.InputJsonObject
      now: Date
    },
  ): Promise<void> {
    const { invitation, practiceName, invitedBy, by, detail, now } = input
    const token = await linkTokens.issue(tx, {
      kind: 'accept_practice_invitation',
      subjectId: invitation.id,
      expiresAt: invitation.expiresAt,
      now,
    })
    await audit(tx, invitation.practiceId, 'practice_staff.invited', { ...detail, role: invitation.role }, by)
    await mail.enqueue(tx, {
      template: 'practice-invitation',
      to: invitation.email,
      props: {
        practiceName,
        invitedBy,
        role: invitation.role,
        expiresAt: invitation.expiresAt.toISOString(),
      },
      links: { acceptUrl: paths.acceptPracticeInvitation(token) },
      threadId: invitation.id,
      correlationId: by.correlationId ?? undefined,
    })
  }

  async function cancel(
    { practiceId, invitationId }: { practiceId: string; invitationId: string },
    actor: Actor,
  ): Promise<void> {
    await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
    if (!uuidPattern.test(invitationId)) throw new Problem('not_found')
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.practiceInvitation.updateMany({
        where: { id: invitationId, practiceId, state: 'invited' },
        data: { state: 'cancelled' },
      })
      if (count === 0) throw new Problem('not_found')
      await linkTokens.withdraw(tx, {
        kind: 'accept_practice_invitation',
        subjectId: invitationId,
        now: clock(),
      })
      await audit(tx, practiceId, 'practice_staff.invitation_cancelled', {}, portalAudit.by(actor))
    })
  }

  async function give(change: Change, actor: Actor): Promise<void> {
    await changeRole(change, actor, async (tx, now) => {
      const { practiceId, accountId, role } = change
      const here = await tx.practiceMembership.count({ where: { practiceId, accountId } })
      if (here === 0) throw new Problem('not_found')
      const { count } = await tx.practiceMembership.createMany({
        data: [{ practiceId, accountId, role, createdAt: now }],
        skipDuplicates: true,
      })
      return { done: count > 0, given: true }
    })
  }

  /**
   * Takes a role away; with the last one the person is out. Keys that they vouched for stop at once.
   * @throws Problem `conflict` for the last admin
   */
  async function take(change: Change, actor: Actor): Promise<void> {
    await changeRole(change, actor, async (tx) => {
      const { practiceId, accountId, role } = change
      const admins = await tx.practiceMembership.count({
        where: { practiceId, role: 'admin', account: { disabledAt: null } },
      })
      if (role === 'admin' && admins <= 1)
        throw new Problem('conflict', { message: 'The practice needs an admin. Name another first.' })
      const { count } = await tx.practiceMembership.deleteMany({ where: { practiceId, accountId, role } })
      if (count === 0) throw new Problem('not_found')
      return { done: true, given: false }
    })
  }

  async function changeRole(
    { practiceId, accountId, role }: Change,
    actor: Actor,
    work: (tx: Prisma.TransactionClient, now: Date) => Promise<{ done: boolean; given: boolean }>,
  ): Promise<void> {
    await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
    if (!uuidPattern.test(accountId)) throw new Problem('not_found')
    await withRetry(prisma, async (tx) => {
      const practice = await lockPractice(tx, practiceId)
      await requirePracticeRole(tx, { practiceId, accountId: actor.accountId }, ['admin'])
      requireStepUp(actor, clock())
      const now = clock()
      const { done, given } = await work(tx, now)
      if (!done) return
      const action = given ? 'practice_staff.role_given' : 'practice_staff.role_taken'
      await audit(tx, practiceId, action, { role, accountId }, portalAudit.by(actor))
      const [person, by] = await Promise.all(
        [accountId, actor.accountId].map((id) => tx.account.findUniqueOrThrow({ where: { id } })),
      )
      if (person && by)
        await mail.enqueue(tx, {
          template: 'practice-role-changed',
          to: person.email,
          props: {
            name: person.name,
            practiceName: practice.name,
            role,
            given,
            by: by.name,
            at: now.toISOString(),
          },
          correlationId: actor.correlationId,
        })
      await productionKeys.recheckAllIn(tx, { practiceId }, 'system')
    })
  }

  /** What stands behind an invitation's link. Reading uses nothing up. */
  async function findInvitation(token: string): Promise<InvitationView> {
    const found = await find(token)
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
    token: string,
  ): Promise<{ kind: 'live'; invitation: PracticeInvitation } | { kind: 'expired' | 'used' | 'unknown' }> {
    const link = await linkTokens.check(token, 'accept_practice_invitation')
    if (link.kind === 'unknown' || !link.link.subjectId) return { kind: 'unknown' }
    const invitation = await prisma.practiceInvitation.findUnique({ where: { id: link.link.subjectId } })
    if (!invitation) return { kind: 'unknown' }
    if (invitation.state === 'accepted') return { kind: 'used' }
    if (link.kind !== 'live' || invitation.state !== 'invited' || invitation.expiresAt <= clock())
      return { kind: 'expired' }
    return { kind: 'live', invitation }
  }

  /**
   * Somebody new: the mail's link is the proof of the address, the password is chosen here.
   * @throws Problem `validation` (password), `conflict` (an account exists: sign in and open the link again)
   */
  async function acceptAsNew(
    { token, name, password }: { token: string; name: string; password: string },
    context: Context,
  ): Promise<InvitationView | { kind: 'accepted' }> {
    const found = await find(token)
    if (found.kind !== 'live') return found
    const { email } = found.invitation
    const fault = findPasswordFault(password, email)
    if (fault) throw new Problem('validation', { field: 'password', message: fault })
    const passwordHash = await passwords.hash(password)
    try {
      return await accept(token, found.invitation, async (tx, now) => {
        const account = await tx.account.create({
          data: { realm: 'practice', email, name, passwordHash, emailVerifiedAt: now, createdAt: now },
        })
        return { accountId: account.id, by: portalAudit.by({ ...context, accountId: account.id }) }
      })
    } catch (thrown) {
      if (!isUniqueViolation(thrown)) throw thrown
      throw new Problem('conflict', {
        message: 'There is an account for this address. Sign in, then open the link again.',
      })
    }
  }

  /** Somebody who has an account at the practices' sign-in page. */
  async function acceptAsKnown(
    { token }: { token: string },
    actor: Actor,
  ): Promise<InvitationView | { kind: 'accepted' } | { kind: 'other_account'; maskedEmail: string }> {
    const found = await find(token)
    if (found.kind !== 'live') return found
    const account = await prisma.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    if (account.realm !== 'practice' || account.email !== found.invitation.email || account.disabledAt)
      return { kind: 'other_account', maskedEmail: maskEmail(found.invitation.email) }
    return accept(token, found.invitation, async () => ({ accountId: account.id, by: portalAudit.by(actor) }))
  }

  async function accept(
    token: string,
    { id, practiceId, role }: PracticeInvitation,
    whose: (
      tx: Prisma.TransactionClient,
      now: Date,
    ) => Promise<{ accountId: string; by: ReturnType<PortalAudit['system']> }>,
  ): Promise<{ kind: 'accepted' } | { kind: 'used' }> {
    return prisma.$transaction(async (tx) => {
      const now = clock()
      const taken = await linkTokens.consume(tx, token, 'accept_practice_invitation')
      const moved = await tx.practiceInvitation.updateMany({
        where: { id, state: 'invited' },
        data: { state: 'accepted', acceptedAt: now },
      })
      if (taken.kind !== 'live' || moved.count === 0) return { kind: 'used' as const }
      const { accountId, by } = await whose(tx, now)
      await tx.practiceMembership.createMany({
        data: [{ practiceId, accountId, role, createdAt: now }],
        skipDuplicates: true,
      })
      await audit(tx, practiceId, 'practice_staff.joined', { role, accountId }, by)
      return { kind: 'accepted' as const }
    })
  }

  async function audit(
    tx: Prisma.TransactionClient,
    practiceId: string,
    action: string,
    detail: Prisma.InputJsonObject,
    by: ReturnType<PortalAudit['system']>,
  ): Promise<void> {
    await portalAudit.append(tx, {
      ...by,
      practiceId,
      action,
      subject: { kind: 'practice', id: practiceId },
      detail,
    })
  }

  return { list, invite, inviteAs, cancel, give, take, findInvitation, acceptAsNew, acceptAsKnown }
}

export type PracticeStaff = ReturnType<typeof createPracticeStaff>

/** Serialises changes to who works there: two admins leaving at once cannot both go. */
async function lockPractice(tx: Prisma.TransactionClient, practiceId: string): Promise<{ name: string }> {
  await tx.$queryRaw`SELECT 1 FROM portal.practice WHERE id = ${practiceId}::uuid FOR UPDATE`
  return tx.practice.findUniqueOrThrow({ where: { id: practiceId }, select: { name: true } })
}
