/** Who acts on a registration, in the words of its workflow. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { OrganizationActor } from '../../contract/workflows/workflows.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'

export type Party = Readonly<{
  kind: OrganizationActor
  accountId: string | null
  name: string
  email: string
}>

export const system: Party = { kind: 'system', accountId: null, name: 'Sandpiper', email: '' }

/** @throws Problem `not_found` for everybody who is neither of the organization nor of the staff */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId }: Pick<Registration, 'organizationId'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const account = await db.account.findUnique({ where: { id: rowId(accountId) } })
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { name, email } = account
  if (account.realm === 'staff' && account.staffRole)
    return { kind: account.staffRole, accountId, name, email }
  const role = await findRole(db, { organizationId, accountId })
  if (!role) throw new Problem('not_found')
  return { kind: role, accountId, name, email }
}

/**
 * The row, for members of its organization and for staff.
 * @throws Problem `not_found`
 */
export async function findOwn(
  db: Prisma.TransactionClient,
  registrationId: string,
  actor: Pick<Actor, 'accountId'>,
): Promise<Registration> {
  const row = await findRow(db, registrationId)
  if (!row) throw new Problem('not_found')
  await findParty(db, row, actor)
  return row
}

export async function findRow(db: Prisma.TransactionClient, id: string): Promise<Registration | null> {
  return db.registration.findUnique({ where: { id: rowId(id) } })
}

/** Why a reviewer may not have to do with a request; null when nothing is in the way. */
export async function findConflict(
  db: Prisma.TransactionClient,
  { organizationId, excludedIds }: Pick<Registration, 'organizationId' | 'excludedIds'>,
  { accountId, email }: Pick<Party, 'accountId' | 'email'>,
): Promise<string | null> {
  if (accountId !== null && excludedIds.includes(accountId))
    return 'You decided on this before the appeal, so a colleague must decide now.'
  const own = await db.membership.count({ where: { organizationId, account: { email } } })
  return own > 0 ? 'You belong to this organization, so a colleague must decide.' : null
}
