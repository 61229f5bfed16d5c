/** The question in front of everything inside an organization: is this account a member, and what may it do? */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId, uuidPattern } from '../../contract/http/uuid.ts'
import { type OrganizationRole, roleRead } from '../../contract/portal/organization-roles.ts'
import type { OrganizationActor } from '../../contract/workflows/workflows.ts'
import { createTurnShare } from '../../store/pool.ts'

export { organizationRoles as everyMember } from '../../contract/portal/organization-roles.ts'

export type Member = {
  organizationId: string
  accountId: string
  /** As the page's request has read it with its session; left out, it is read now. */
  [roleRead]?: OrganizationRole
}

/** The member's role, null for everybody else (an unknown organization included). */
export async function findRole(db: Prisma.TransactionClient, member: Member) {
  const { organizationId, accountId, [roleRead]: role } = member
  if (role) return role
  if (!uuidPattern.test(organizationId) || !uuidPattern.test(accountId)) return null
  return askOnce(db, `${organizationId} ${accountId}`, async () => {
    const row = await db.membership.findUnique({
      where: { organizationId_accountId: { organizationId, accountId }, account: { disabledAt: null } },
      select: { role: true },
    })
    return row?.role ?? null
  })
}

/** The parts of a page check the same role. Those that do so in the same turn share a statement. */
const askOnce = createTurnShare<OrganizationRole | null>()

/**
 * The member's role, when it is one of those allowed.
 * @throws Problem `not_found` for a non-member (as for an organization that is not there), `forbidden` for a
 *   member whose role does not suffice
 */
export async function requireRole(
  db: Prisma.TransactionClient,
  member: Member,
  allowed: readonly OrganizationRole[],
): Promise<OrganizationRole> {
  const role = await findRole(db, member)
  if (!role) throw new Problem('not_found')
  if (!allowed.includes(role)) {
    throw new Problem('forbidden', {
      message: `Your role in this organization (${role}) does not allow this.`,
    })
  }
  return role
}

/** Who acts on a request of an organization, in the words of its workflow. */
export type OrganizationParty = Readonly<{
  kind: OrganizationActor
  accountId: string | null
  name: string
  email: string
}>

/** A job or a tick. */
export const systemParty: OrganizationParty = {
  kind: 'system',
  accountId: null,
  name: 'Sandpiper',
  email: '',
}

/** @throws Problem `not_found` for no account, and for a disabled one */
export async function findPerson(db: Prisma.TransactionClient, accountId: string) {
  const account = await db.account.findUnique({ where: { id: rowId(accountId) } })
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { name, email, realm, staffRole } = account
  return { accountId, name, email, realm, staffRole: realm === 'staff' ? staffRole : null }
}

/** @throws Problem `not_found` for everybody who is neither of the organization nor of the staff */
export async function findOrganizationParty(
  db: Prisma.TransactionClient,
  { organizationId }: Readonly<{ organizationId: string }>,
  actor: Readonly<{ accountId: string }>,
): Promise<OrganizationParty> {
  const { accountId, name, email, staffRole } = await findPerson(db, actor.accountId)
  const kind = staffRole ?? (await findRole(db, { organizationId, accountId }))
  if (!kind) throw new Problem('not_found')
  return { kind, accountId, name, email }
}

/** Serialises changes to who belongs to an organization: two owners leaving at once cannot both go. */
export async function lockOrganization(tx: Prisma.TransactionClient, organizationId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM portal.organization WHERE id = ${organizationId}::uuid FOR UPDATE`
}

/** Who gets the email about a key or an app: its maker while a member, else the organization's owners. */
export async function findMakerOrOwners(
  db: Prisma.TransactionClient,
  { organizationId, createdById }: { organizationId: string | null; createdById: string },
): Promise<{ id: string; name: string; email: string }[]> {
  if (organizationId === null) return []
  const members = await db.membership.findMany({
    where: {
      organizationId,
      account: { disabledAt: null },
      OR: [{ accountId: createdById }, { role: 'owner' }],
    },
    select: { account: { select: { id: true, name: true, email: true } } },
  })
  const accounts = members.map(({ account }) => account)
  const maker = accounts.filter(({ id }) => id === createdById)
  return maker.length > 0 ? maker : accounts
}

/** Accounts of an organization's members in these roles, without disabled ones. */
export async function findMembers(
  db: Prisma.TransactionClient,
  organizationId: string | null,
  roles: readonly OrganizationRole[],
): Promise<{ id: string; name: string; email: string }[]> {
  if (organizationId === null) return []
  const members = await db.membership.findMany({
    where: { organizationId, role: { in: [...roles] }, account: { disabledAt: null } },
    select: { account: { select: { id: true, name: true, email: true } } },
    orderBy: { accountId: 'asc' },
  })
  return members.map(({ account }) => account)
}
