/** The practices a person works at, for the pages of their console. */
import type { Core } from '../core.ts'
import type { PracticeRole } from './practice-role.ts'

type OwnPractice = Readonly<{ id: string; slug: string; name: string; roles: readonly PracticeRole[] }>

/** The people who may decide for the practice: grant systems, revoke them. */
export const decidingRoles: readonly PracticeRole[] = ['admin', 'signatory']

/** By name. Empty for an account of another sign-in page. */
export async function listForAccount({ prisma }: Core, accountId: string): Promise<readonly OwnPractice[]> {
  const rows = await prisma.practiceMembership.findMany({
    where: { accountId, account: { realm: 'practice', disabledAt: null } },
    include: { practice: { select: { id: true, slug: true, name: true } } },
    orderBy: [{ practice: { name: 'asc' } }, { role: 'asc' }],
  })
  const practices = new Map<string, OwnPractice>()
  for (const { practice, role } of rows) {
    const roles = [...(practices.get(practice.id)?.roles ?? []), role]
    practices.set(practice.id, { ...practice, roles })
  }
  return [...practices.values()]
}
