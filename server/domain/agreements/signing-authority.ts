/** Who may sign for a side: owners of the organization, admins and signatories of the practice, as long as they are. */
import type { AgreementSignatory, Prisma } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import type { Signatory } from './agreement-types.ts'

type Parties = { organizationId: string; practiceId: string | null }

/** @throws Problem `conflict` for a person who may not sign for the side */
export async function checkSignatory(
  tx: Prisma.TransactionClient,
  of: { organizationId: string; practiceId: string | null },
  { side, accountId, legalName }: Signatory,
): Promise<void> {
  const may =
    side === 'developer'
      ? await tx.membership.count({
          where: {
            organizationId: of.organizationId,
            accountId,
            role: 'owner',
            account: { disabledAt: null },
          },
        })
      : await tx.practiceMembership.count({
          where: {
            practiceId: of.practiceId ?? '',
            accountId,
            role: { in: ['admin', 'signatory'] },
            account: { disabledAt: null },
          },
        })
  if (may === 0)
    throw new Problem('conflict', {
      field: `${side}Signatory`,
      message: `${legalName} may not sign for the ${side}. The signatory must be an owner of the organization, or an admin or signatory of the practice.`,
    })
}

/** Whether somebody who is named may sign for the side still. */
export async function maySign(
  db: Prisma.TransactionClient,
  of: Parties,
  {
    side,
    accountId,
    legalName,
    title,
  }: Pick<AgreementSignatory, 'side' | 'accountId' | 'legalName' | 'title'>,
): Promise<boolean> {
  if ((side !== 'developer' && side !== 'practice') || accountId === null) return false
  try {
    await checkSignatory(db, of, { side, accountId, legalName, title })
    return true
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    return false
  }
}

/** Who could be named for a side. */
export async function findSigners(
  db: Prisma.TransactionClient,
  { organizationId, practiceId }: Parties,
  side: 'developer' | 'practice',
): Promise<readonly { accountId: string; name: string }[]> {
  const account = { select: { id: true, name: true } } as const
  const rows =
    side === 'developer'
      ? await db.membership.findMany({
          where: { organizationId, role: 'owner', account: { disabledAt: null } },
          select: { account },
        })
      : await db.practiceMembership.findMany({
          where: {
            practiceId: practiceId ?? '',
            role: { in: ['admin', 'signatory'] },
            account: { disabledAt: null },
          },
          select: { account },
        })
  const found = new Map(rows.map(({ account: { id, name } }) => [id, name]))
  return [...found].map(([accountId, name]) => ({ accountId, name }))
}
