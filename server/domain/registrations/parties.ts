/** Reads registrations for people who may see them. */
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { Actor } from '../actor.ts'
import { findOrganizationParty } from '../organizations/membership.ts'

/**
 * Finds a registration, for members of its organization and for staff.
 * @throws Problem `not_found`
 */
export async function findOwn(
  db: Prisma.TransactionClient,
  registrationId: string,
  actor: Pick<Actor, 'accountId'>,
): Promise<Registration> {
  const row = await findRow(db, registrationId)
  if (!row) throw new Problem('not_found')
  await findOrganizationParty(db, row, actor)
  return row
}

export async function findRow(db: Prisma.TransactionClient, id: string): Promise<Registration | null> {
  return db.registration.findUnique({ where: { id: rowId(id) } })
}
