/** A practice's open requests, and its list of access. */

import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { firstPage, type PageAsk, readPage, searchWhere } from '../../contract/portal/paging.ts'
import { productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from './practice-role.ts'

export { file, read } from './practice-access.ts'

const dayMs = 86_400_000

const named = ({ q }: PageAsk) =>
  searchWhere<Prisma.ProductionKeyRequestWhereInput>(q, (like) => [
    { name: like },
    { organization: { name: like } },
  ])

/**
 * Requests that wait for an admin's answer, ordered by their due date.
 * @throws Problem `not_found` unless the person works at the practice, `forbidden` for clinicians
 */
export async function requests(
  { prisma }: Core,
  practiceId: string,
  { accountId }: Pick<Actor, 'accountId'>,
  ask: PageAsk = firstPage,
) {
  await requirePracticeRole(prisma, { practiceId, accountId }, ['admin', 'signatory'])
  const where: Prisma.ProductionKeyRequestWhereInput = {
    practiceId,
    state: { in: ['sponsor_invited', 'renewal_invited'] },
    ...named(ask),
  }
  const listed = await readPage(
    ask,
    () => prisma.productionKeyRequest.count({ where }),
    (window) =>
      prisma.productionKeyRequest.findMany({
        where,
        include: { organization: { select: { name: true } }, requestedBy: { select: { name: true } } },
        orderBy: [{ invitedAt: 'asc' }, { id: 'asc' }],
        ...window,
      }),
  )
  return {
    ...listed,
    rows: listed.rows.map((row) => ({
      requestId: row.id,
      name: row.name,
      organizationName: row.organization.name,
      requestedBy: row.requestedBy.name,
      level: row.level,
      renewal: row.renewsId !== null,
      answerBy: new Date((row.invitedAt ?? row.createdAt).getTime() + productionKeyTimes.sponsorDays * dayMs),
    })),
  }
}
