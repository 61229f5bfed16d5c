/** The question in front of everything inside a practice: does this account work there, and as what? */
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { createTurnShare } from '../../store/pool.ts'

export type PracticeRole = 'admin' | 'signatory' | 'clinician'

/** The parts of a page ask the same. Those that do so in the same turn share a statement. */
const askRoles = createTurnShare<{ role: PracticeRole }[]>()

/**
 * @param allowed any role, when left out
 * @throws Problem `not_found` for a person who does not work there (as for a practice that is not there),
 *   `forbidden` for a person whose roles do not suffice
 */
export async function requirePracticeRole(
  db: Prisma.TransactionClient | PrismaClient,
  { practiceId, accountId }: { practiceId: string; accountId: string },
  allowed?: readonly PracticeRole[],
): Promise<void> {
  if (!uuidPattern.test(practiceId) || !uuidPattern.test(accountId)) throw new Problem('not_found')
  const rows = await askRoles(db, `${practiceId} ${accountId}`, () =>
    db.practiceMembership.findMany({
      where: { practiceId, accountId, account: { disabledAt: null, realm: 'practice' } },
      select: { role: true },
    }),
  )
  if (rows.length === 0) throw new Problem('not_found')
  if (allowed && !rows.some(({ role }) => allowed.includes(role)))
    throw new Problem('forbidden', { message: 'Your role in this practice doesn’t allow this.' })
}

/** Of a person with several roles the one that may do most: an admin may do all that a signatory may. */
export async function findHighestRole(
  db: Prisma.TransactionClient,
  where: { practiceId: string; accountId: string },
): Promise<PracticeRole | undefined> {
  const rows = await db.practiceMembership.findMany({ where, select: { role: true } })
  return (['admin', 'signatory', 'clinician'] as const).find((each) => rows.some(({ role }) => role === each))
}

/** Accounts of a practice's people in these roles, each once, without disabled ones. */
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
