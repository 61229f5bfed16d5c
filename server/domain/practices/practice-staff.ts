/** A practice's people: invitations by email, and roles. A practice always has an admin. */
import type { PracticeInvitation, Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor, PortalAudit } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { firstPage, type PageAsk, pageOf } from '../../contract/portal/paging.ts'
import { paths } from '../../contract/portal/paths.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import { withRetry } from '../../store/retry.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import * as throttle from '../accounts/throttle.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { recheckAllIn } from '../production-keys/suspensions.ts'
import { type PracticeRole, requirePracticeRole } from './practice-role.ts'
import { refuseSandboxAddress } from './standing-people.ts'

export { acceptAsKnown, acceptAsNew, findInvitation } from './invitation-answers.ts'

type Change = { practiceId: string; accountId: string; role: PracticeRole }

const invitationMs = 7 * 86_400_000
/** The inviter's id for an invitation by a command. */
const noAccountId = '00000000-0000-0000-0000-000000000000'

/** Pages of people and of open invitations; the search matches names and email addresses. @throws Problem `not_found`, `forbidden` (admins only) */
export async function list(
  { prisma, clock }: Core,
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
  const people = new Map<string, { accountId: string; name: string; email: string; roles: PracticeRole[] }>()
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
export async function invite(
  core: Core,
  input: { practiceId: string; email: string; role: PracticeRole },
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  const { practiceId, role } = input
  const email = normalizeEmail(input.email)
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  await throttle.takeOrRefuse(core, [
    { rule: 'invitation', subject: [actor.accountId] },
    { rule: 'invitationAddress', subject: [email] },
  ])
  await prisma.$transaction(async (tx) => {
    requireStepUp(actor, clock())
    const inviter = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    await inviteAs(core, tx, { practiceId, email, role }, { name: inviter.name, by: portalAudit.by(actor) })
  })
}

/**
 * Invites a person. The caller checks that the inviter may do this: a practice's admin, operations, `npm run admin`.
 * An earlier invitation of the same address is cancelled.
 * @throws Problem `conflict` if the person has that role already
 */
export async function inviteAs(
  core: Core,
  tx: Prisma.TransactionClient,
  { practiceId, email, role }: { practiceId: string; email: string; role: PracticeRole },
  { name: invitedBy, by }: { name: string; by: AuditActor },
  detail: Prisma.InputJsonObject = {},
): Promise<void> {
  const { clock } = core
  refuseSandboxAddress(email)
  const practice = await lockPractice(tx, practiceId)
  const now = clock()
  const has = await tx.practiceMembership.count({
    where: { practiceId, role, account: { realm: 'practice', email } },
  })
  if (has > 0)
    throw new Problem('conflict', { field: 'email', message: 'This person already has that role.' })
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
  await send(core, tx, { invitation, practiceName: practice.name, invitedBy, by, detail, now })
}

async function send(
  core: Core,
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
  const { mail } = core
  const { invitation, practiceName, invitedBy, by, detail, now } = input
  const token = await linkTokens.issue(core, tx, {
    kind: 'accept_practice_invitation',
    subjectId: invitation.id,
    expiresAt: invitation.expiresAt,
    now,
  })
  await audit(
    core,
    tx,
    invitation.practiceId,
    'practice_staff.invited',
    { ...detail, role: invitation.role },
    by,
  )
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

export async function cancel(
  core: Core,
  { practiceId, invitationId }: { practiceId: string; invitationId: string },
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
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
    await audit(core, tx, practiceId, 'practice_staff.invitation_cancelled', {}, portalAudit.by(actor))
  })
}

export async function give(core: Core, change: Change, actor: Actor): Promise<void> {
  await changeRole(core, change, actor, async (tx, now) => {
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
 * Removes a role; a person without a role no longer works there. Keys that they sponsor stop at once.
 * @throws Problem `conflict` for the last admin
 */
export async function take(core: Core, change: Change, actor: Actor): Promise<void> {
  await changeRole(core, change, actor, async (tx) => {
    const { practiceId, accountId, role } = change
    const admins = await tx.practiceMembership.count({
      where: { practiceId, role: 'admin', account: { disabledAt: null } },
    })
    if (role === 'admin' && admins <= 1)
      throw new Problem('conflict', {
        message: 'The practice needs an admin. Make someone else an admin first.',
      })
    const { count } = await tx.practiceMembership.deleteMany({ where: { practiceId, accountId, role } })
    if (count === 0) throw new Problem('not_found')
    return { done: true, given: false }
  })
}

async function changeRole(
  core: Core,
  { practiceId, accountId, role }: Change,
  actor: Actor,
  work: (tx: Prisma.TransactionClient, now: Date) => Promise<{ done: boolean; given: boolean }>,
): Promise<void> {
  const { prisma, clock, portalAudit, mail } = core
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
    await audit(core, tx, practiceId, action, { role, accountId }, portalAudit.by(actor))
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
    await recheckAllIn(core, tx, { practiceId }, 'system')
  })
}

async function audit(
  { portalAudit }: Core,
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

/** Serializes changes of roles, so that two admins can't both remove themselves at once. */
async function lockPractice(tx: Prisma.TransactionClient, practiceId: string): Promise<{ name: string }> {
  await tx.$queryRaw`SELECT 1 FROM portal.practice WHERE id = ${practiceId}::uuid FOR UPDATE`
  return tx.practice.findUniqueOrThrow({ where: { id: practiceId }, select: { name: true } })
}
