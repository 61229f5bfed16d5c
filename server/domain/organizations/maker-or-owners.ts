import type { Prisma } from '../../../prisma/generated/client/client.ts'

/** Who gets the email about a key or an app: its maker while a member, else the organization's owners. */
export async function findMakerOrOwners(
  db: Prisma.TransactionClient,
  { organizationId, createdById }: { organizationId: string | null; createdById: string },
): Promise<{ id: string; name: string; email: string }[]> {
  if (organizationId === null) return []
  const members = await db.membership.findMany({
    where: {
      organizationId,
      account: { disabledAt: null },
      OR: [{ accountId: createdById }, { role: 'owner' }],
    },
    select: { account: { select: { id: true, name: true, email: true } } },
  })
  const accounts = members.map(({ account }) => account)
  const maker = accounts.filter(({ id }) => id === createdById)
  return maker.length > 0 ? maker : accounts
}
