/** The question in front of what only our own people may do. */
import type { Prisma, StaffRole } from '../../prisma/generated/client/client.ts'
import { Problem } from '../contract/http/problems.ts'

/**
 * @returns the signed-in person's address and role
 * @throws Problem `forbidden` for everybody who is not of the staff in one of these roles
 */
export async function requireStaff(
  db: Prisma.TransactionClient,
  { accountId }: { accountId: string },
  roles: readonly StaffRole[],
): Promise<{ email: string; role: StaffRole }> {
  const account = await db.account.findUnique({ where: { id: accountId } })
  const role = account?.realm === 'staff' && account.disabledAt === null ? account.staffRole : null
  if (!account || !role || !roles.includes(role)) {
    const whose = roles.map((each) => (each === 'ops' ? 'operations' : 'reviewers')).join(' and ')
    throw new Problem('forbidden', { message: `This page is for ${whose} of our staff.` })
  }
  return { email: account.email, role }
}
