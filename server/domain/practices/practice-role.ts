/** The question in front of everything inside a practice: does this account work there, and as what? */
import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'

export type PracticeRole = 'admin' | 'signatory' | 'clinician'

/**
 * @param allowed any role, when left out
 * @throws Problem `not_found` for somebody who does not work there (as for a practice that is not there),
 *   `forbidden` for somebody whose roles do not suffice
 */
export async function requirePracticeRole(
  db: Prisma.TransactionClient | PrismaClient,
  { practiceId, accountId }: { practiceId: string; accountId: string },
  allowed?: readonly PracticeRole[],
): Promise<void> {
  if (!uuidPattern.test(practiceId) || !uuidPattern.test(accountId)) throw new Problem('not_found')
  const rows = await db.practiceMembership.findMany({
    where: { practiceId, accountId, account: { disabledAt: null, realm: 'practice' } },
    select: { role: true },
  })
  if (rows.length === 0) throw new Problem('not_found')
  if (allowed && !rows.some(({ role }) => allowed.includes(role)))
    throw new Problem('forbidden', { message: 'Your role in this practice doesn’t allow this.' })
}
