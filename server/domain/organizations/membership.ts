/** Membership in an organization: every function for members first checks the account's role. */
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
  /** The role, if the page's request has read it with its session; otherwise it is read. */
  [roleRead]?: OrganizationRole
}

/** The member's role; null if the account is not a member, or the organization is unknown. */
export async function findRole(db: Prisma.TransactionClient, member: Member) {
  const { organizationId, accountId, [roleRead]: role } = member
  if (role) return role
  if (!uuidPattern.test(organizationId) || !uuidPattern.test(accountId)) return null
  return shareRoleQuery(db, `${organizationId} ${accountId}`, async () => {
    const row = await db.membership.findUnique({
      where: { organizationId_accountId: { organizationId, accountId }, account: { disabledAt: null } },
      select: { role: true },
    })
    return row?.role ?? null
  })
}

/** The parts of a page check the same role. Checks in the same turn share a query. */
const shareRoleQuery = createTurnShare<OrganizationRole | null>()

/**
 * The member's role, if it is one of the allowed ones.
 * @throws Problem `not_found` for a non-member (as for an unknown organization), `forbidden` for a member with another
 *   role
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

/** The person or job that makes a step in a workflow of an organization. */
export type OrganizationParty = Readonly<{
  kind: OrganizationActor
  accountId: string | null
  name: string
  email: string
}>

/** The party of a step that a job or a tick makes. */
export const systemParty: OrganizationParty = {
  kind: 'system',
  accountId: null,
  name: 'Sandpiper',
  email: '',
}

/** @throws Problem `not_found` if there is no such account, or it is disabled */
export async function findPerson(db: Prisma.TransactionClient, accountId: string) {
  const account = await db.account.findUnique({ where: { id: rowId(accountId) } })
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { name, email, realm, staffRole } = account
  return { accountId, name, email, realm, staffRole: realm === 'staff' ? staffRole : null }
}

/** @throws Problem `not_found` unless the actor is a member of the organization or of our staff */
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

/** Serializes changes of members, so that two owners can't both leave at once. */
export async function lockOrganization(tx: Prisma.TransactionClient, organizationId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM portal.organization WHERE id = ${organizationId}::uuid FOR UPDATE`
}

/** The recipients of emails about a key or an app: its creator if still a member, else the organization's owners. */
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
  const creator = accounts.filter(({ id }) => id === createdById)
  return creator.length > 0 ? creator : accounts
}

/** The enabled accounts of members with these roles. */
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
