/** Roles of people in a practice. */
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { createTurnShare } from '../../store/pool.ts'

export type PracticeRole = 'admin' | 'signatory' | 'clinician'

/** The parts of a page check the same role. Checks in the same turn share a query. */
const readRoles = createTurnShare<{ role: PracticeRole }[]>()

/**
 * @param allowed any role by default
 * @throws Problem `not_found` unless the person works there (as for an unknown practice), `forbidden` if none of their
 *   roles is allowed
 */
export async function requirePracticeRole(
  db: Prisma.TransactionClient | PrismaClient,
  { practiceId, accountId }: { practiceId: string; accountId: string },
  allowed?: readonly PracticeRole[],
): Promise<void> {
  if (!uuidPattern.test(practiceId) || !uuidPattern.test(accountId)) throw new Problem('not_found')
  const rows = await readRoles(db, `${practiceId} ${accountId}`, () =>
    db.practiceMembership.findMany({
      where: { practiceId, accountId, account: { disabledAt: null, realm: 'practice' } },
      select: { role: true },
    }),
  )
  if (rows.length === 0) throw new Problem('not_found')
  if (allowed && !rows.some(({ role }) => allowed.includes(role)))
    throw new Problem('forbidden', { message: 'Your role in this practice doesn’t allow this.' })
}

/** The person's role with the most rights: an admin may do everything that a signatory may. */
export async function findHighestRole(
  db: Prisma.TransactionClient,
  where: { practiceId: string; accountId: string },
): Promise<PracticeRole | undefined> {
  const rows = await db.practiceMembership.findMany({ where, select: { role: true } })
  return (['admin', 'signatory', 'clinician'] as const).find((name) => rows.some(({ role }) => role === name))
}

/** The enabled accounts with these roles in a practice, each once. */
export async function findPracticePeople(
  db: Prisma.TransactionClient,
  practiceId: string | null,
  roles: readonly PracticeRole[],
): Promise<{ id: string; name: string; email: string }[]> {
  if (practiceId === null) return []
  const people = await db.practiceMembership.findMany({
    where: { practiceId, role: { in: [...roles] }, account: { disabledAt: null } },
    select: { account: { select: { id: true, name: true, email: true } } },
    orderBy: [{ role: 'desc' }, { accountId: 'asc' }],
  })
  return [...new Map(people.map(({ account }) => [account.id, account])).values()]
}
