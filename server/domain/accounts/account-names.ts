/** Names of accounts. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'

/** The names by account id. Ids that are not those of an account are left out. */
export async function accountNames(
  { account }: Pick<Prisma.TransactionClient, 'account'>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const known = new Set(ids.flatMap((id) => (id && uuidPattern.test(id) ? [id] : [])))
  if (known.size === 0) return new Map()
  const rows = await account.findMany({ where: { id: { in: [...known] } }, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
