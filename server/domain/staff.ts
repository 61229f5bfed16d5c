/** Checks that a person is one of our staff. */
import type { Prisma, StaffRole } from '../../prisma/generated/client/client.ts'
import { Problem } from '../contract/http/problems.ts'

/**
 * @returns the person's email address and role
 * @throws Problem `forbidden` unless the person is staff with one of these roles
 */
export async function requireStaff(
  db: Prisma.TransactionClient,
  { accountId }: { accountId: string },
  roles: readonly StaffRole[],
): Promise<{ email: string; role: StaffRole }> {
  const account = await db.account.findUnique({ where: { id: accountId } })
  const role = account?.realm === 'staff' && account.disabledAt === null ? account.staffRole : null
  if (!account || !role || !roles.includes(role)) {
    const names = roles.map((name) => (name === 'ops' ? 'operations' : 'reviewers')).join(' and ')
    throw new Problem('forbidden', { message: `This page is for ${names} of our staff.` })
  }
  return { email: account.email, role }
}
