/**
 * Lists and resets the two-step sign-in of other people. Operations may reset anyone's. Owners and practice admins may
 * reset that of colleagues who belong to no other organization or practice.
 */
import type { Account, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import { organizationRoles } from '../../contract/portal/organization-roles.ts'
import { type Realm, realms } from '../../contract/portal/realms.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireRole } from '../organizations/membership.ts'
import { requireStaff } from '../staff.ts'
import { checkText } from '../text-scan/check-text.ts'

const shown = {
  totpSecret: { select: { confirmedAt: true } },
  _count: { select: { recoveryCodes: { where: { usedAt: null } } } },
} as const

const proofRealms = (Object.keys(realms) as Realm[]).filter((realm) => realms[realm].mfa !== 'never')

/** The accounts with this address in every realm with two-step sign-in. @throws Problem `forbidden` unless for operations */
export async function findByAddress(core: Core, email: string, actor: Actor) {
  const { prisma } = core
  await requireStaff(prisma, actor, ['ops'])
  return list(core, { realm: { in: proofRealms }, email: normalizeEmail(email) }, actor)
}

/** Those of the accounts that work at a practice where the actor is an admin. */
export async function listColleagues(core: Core, accountIds: readonly string[], actor: Actor) {
  const practiceIds = await practicesOf(core.prisma, actor.accountId)
  const practiceRoles = { some: { practiceId: { in: practiceIds } } }
  return list(core, { id: { in: [...accountIds] }, realm: 'practice', practiceRoles }, actor)
}

/** Those of the accounts that are members of the organization, by name; for its members. */
export async function listMembers(
  core: Core,
  { organizationId, accountIds }: { organizationId: string; accountIds: readonly string[] },
  actor: Actor,
) {
  const { prisma } = core
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, organizationRoles)
  return list(core, { id: { in: [...accountIds] }, memberships: { some: { organizationId } } }, actor)
}

/** @throws Problem `not_found` unless it is the actor's own account, or the actor may reset it */
export async function get(core: Core, accountId: string, actor: Actor) {
  const { prisma } = core
  const account = await findManaged(prisma, accountId, actor)
  const [holder] = await list(core, { id: account.id }, actor)
  if (!holder) throw new Problem('not_found')
  return holder
}

/**
 * Removes the app and the recovery codes of an account and ends its sessions. The holder gets an email, and sets up a new
 * app at the next sign-in. Actors can't reset their own: a person who took over a session could keep the account.
 * @throws Problem `not_found` if the actor may not reset it, `forbidden` (step-up), `conflict` (one's own, not set up)
 */
export async function reset(
  { prisma, clock, sessions, portalAudit, mail }: Core,
  { accountId, reason }: { accountId: string; reason: string },
  actor: Actor,
): Promise<void> {
  checkText('reason', reason, actor)
  await prisma.$transaction(async (tx) => {
    const account = await findManaged(tx, accountId, actor)
    if (accountId === actor.accountId)
      throw new Problem('conflict', { message: 'Someone else must reset yours.' })
    requireStepUp(actor, clock())
    const { count } = await tx.totpSecret.deleteMany({ where: { accountId, confirmedAt: { not: null } } })
    if (count === 0) throw new Problem('conflict', { message: 'There is no two-step sign-in to reset.' })
    await tx.recoveryCode.deleteMany({ where: { accountId } })
    await sessions.endOthers({ accountId, keepSessionId: null }, tx)
    const { name: by } = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      action: 'second_factor.reset',
      subject: { kind: 'account', id: accountId },
      detail: { reason },
    })
    await mail.enqueue(tx, {
      template: 'second-factor-reset',
      to: account.email,
      props: {
        name: account.name,
        realm: account.realm as 'developer' | 'staff' | 'practice',
        at: clock().toISOString(),
        by,
        reason,
      },
      correlationId: actor.correlationId,
    })
  })
}

async function list({ prisma }: Core, where: Prisma.AccountWhereInput, actor: Actor) {
  const rows = await prisma.account.findMany({
    where: { ...where, disabledAt: null },
    include: shown,
    orderBy: [{ name: 'asc' }, { email: 'asc' }, { id: 'asc' }],
  })
  return Promise.all(
    rows.map(async ({ id, realm, name, email, staffRole, totpSecret, isDemo, _count }) => {
      const setUpAt = totpSecret?.confirmedAt ?? null
      return {
        accountId: id,
        realm,
        name,
        email,
        staffRole,
        /** When the app was set up; null if it is not set up. */
        setUpAt,
        recoveryCodesLeft: _count.recoveryCodes,
        isDemo,
        /** Whether the actor may reset it. */
        mayReset:
          setUpAt !== null && id !== actor.accountId && (await mayReset(prisma, { id, realm }, actor)),
      }
    }),
  )
}

/** @throws Problem `not_found` unless it is the actor's own account, or the actor may reset it */
async function findManaged(db: Prisma.TransactionClient, accountId: string, actor: Actor) {
  const account = await db.account.findFirst({
    where: { id: rowId(accountId), realm: { in: proofRealms }, disabledAt: null },
    select: { id: true, realm: true, name: true, email: true },
  })
  if (account && (account.id === actor.accountId || (await mayReset(db, account, actor)))) return account
  throw new Problem('not_found')
}

/**
 * Operations may reset anyone's. Owners and practice admins may reset that of people who belong only to their own
 * organizations or practices, so that they can't weaken the sign-in of a person who also works for others.
 */
async function mayReset(
  db: Prisma.TransactionClient,
  { id: accountId, realm }: Pick<Account, 'id' | 'realm'>,
  actor: Actor,
): Promise<boolean> {
  const self = await db.account.findFirst({ where: { id: actor.accountId, disabledAt: null } })
  if (self?.realm === 'staff') return self.staffRole === 'ops'
  if (self?.realm !== realm) return false
  if (realm === 'developer') {
    const rows = await db.membership.findMany({ where: { accountId }, select: { organizationId: true } })
    const owned = await db.membership.findMany({
      where: { accountId: self.id, role: 'owner' },
      select: { organizationId: true },
    })
    return isWithin(rows, owned, ({ organizationId }) => organizationId)
  }
  const rows = await db.practiceMembership.findMany({ where: { accountId }, select: { practiceId: true } })
  const managed = (await practicesOf(db, self.id)).map((practiceId) => ({ practiceId }))
  return isWithin(rows, managed, ({ practiceId }) => practiceId)
}

function isWithin<T>(memberships: readonly T[], managed: readonly T[], idOf: (row: T) => string): boolean {
  const ids = new Set(managed.map(idOf))
  return memberships.length > 0 && memberships.every((row) => ids.has(idOf(row)))
}

/** The practices where the account is an admin. */
async function practicesOf(db: Prisma.TransactionClient, accountId: string): Promise<string[]> {
  const rows = await db.practiceMembership.findMany({
    where: { accountId, role: 'admin', account: { realm: 'practice', disabledAt: null } },
    select: { practiceId: true },
  })
  return rows.map(({ practiceId }) => practiceId)
}
