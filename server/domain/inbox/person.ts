/** Who reads an inbox: the roles of a person, and what they reach. */
import type { InboxRole } from '../../contract/workflows/inbox-steps.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { Reach } from './subjects.ts'

export type Reader = Pick<Actor, 'accountId'>

/** `of` is the organization or practice in which the person has the role. */
type Role = Readonly<{ realm: InboxRole['realm']; role: string; of: string | null }>

/** On our staff, in organizations, or at practices. A disabled account has none. */
export async function rolesOfPerson(
  { prisma }: Pick<Core, 'prisma'>,
  { accountId }: Reader,
): Promise<readonly Role[]> {
  const account = await prisma.account.findUnique({
    where: { id: accountId, disabledAt: null },
    select: {
      realm: true,
      staffRole: true,
      memberships: { select: { organizationId: true, role: true } },
      practiceRoles: { select: { practiceId: true, role: true } },
    },
  })
  if (account?.realm === 'staff')
    return account.staffRole ? [{ realm: 'staff', role: account.staffRole, of: null }] : []
  if (account?.realm === 'developer')
    return account.memberships.map(({ organizationId, role }) => ({
      realm: 'developer',
      role,
      of: organizationId,
    }))
  if (account?.realm === 'practice')
    return account.practiceRoles.map(({ practiceId, role }) => ({ realm: 'practice', role, of: practiceId }))
  return []
}

/** The realm whose subjects concern these roles. A person's roles all belong to one realm. */
export function reachOf(roles: readonly Role[]): Reach {
  const ids = roles.flatMap(({ of }) => of ?? [])
  switch (roles[0]?.realm) {
    case 'developer':
      return { realm: 'developer', organizationIds: ids }
    case 'practice':
      return { realm: 'practice', practiceIds: ids }
    default:
      return { realm: 'staff' }
  }
}
