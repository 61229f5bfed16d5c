/** The practices where a person works, for the practice console. */
import type { Core } from '../core.ts'
import type { PracticeRole } from './practice-role.ts'

type OwnPractice = Readonly<{ id: string; slug: string; name: string; roles: readonly PracticeRole[] }>

/** The roles that may grant and revoke access of backend systems. */
export const decidingRoles: readonly PracticeRole[] = ['admin', 'signatory']

/** Sorted by name. Empty for an account of another sign-in page. */
export async function listForAccount({ prisma }: Core, accountId: string): Promise<readonly OwnPractice[]> {
  return prisma.$queryRaw<OwnPractice[]>`
    SELECT p.id, p.slug, p.name, array_agg(m.role::text ORDER BY m.role) AS roles
      FROM portal.practice_membership m
      JOIN portal.account a ON a.id = m.account_id AND a.realm = 'practice' AND a.disabled_at IS NULL
      JOIN portal.practice p ON p.id = m.practice_id
     WHERE m.account_id = ${accountId}::uuid
     GROUP BY p.id ORDER BY p.name, p.id`
}
