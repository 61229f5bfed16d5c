/** Who acts on a production request, in the words of its workflow. */
import type { Prisma, ProductionKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { ProductionKeyParty } from '../../contract/workflows/production-key-workflow.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'

export type Party = Readonly<{
  kind: ProductionKeyParty
  accountId: string | null
  name: string
  email: string
}>

type Whose = Pick<ProductionKeyRequest, 'organizationId' | 'practiceId' | 'submittedAt'>

/** A job or a tick, or the documents telling of a step of theirs. */
export function processParty(kind: 'system' | 'documents'): Party {
  return { kind, accountId: null, name: 'Sandpiper', email: '' }
}

/**
 * A practice sees a request from its submission on.
 * @throws Problem `not_found` for everybody who is neither of the organization, nor of the practice, nor of the staff
 */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId, submittedAt }: Whose,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const account = uuidPattern.test(accountId)
    ? await db.account.findUnique({ where: { id: accountId } })
    : null
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { name, email } = account
  const person = { accountId, name, email }
  if (account.realm === 'staff' && account.staffRole) return { kind: account.staffRole, ...person }
  if (account.realm === 'practice' && practiceId !== null && submittedAt !== null) {
    const kind = await findPracticeParty(db, { practiceId, accountId })
    if (kind) return { kind, ...person }
  }
  const role = await findRole(db, { organizationId, accountId })
  if (!role) throw new Problem('not_found')
  return { kind: role, ...person }
}

async function findPracticeParty(
  db: Prisma.TransactionClient,
  where: { practiceId: string; accountId: string },
): Promise<'sponsor' | 'signatory' | 'clinician' | null> {
  const roles = (await db.practiceMembership.findMany({ where, select: { role: true } })).map(
    ({ role }) => role,
  )
  if (roles.includes('admin')) return 'sponsor'
  if (roles.includes('signatory')) return 'signatory'
  return roles.includes('clinician') ? 'clinician' : null
}

/** Why a reviewer may not have to do with a request; null when nothing is in the way. */
export async function findConflict(
  db: Prisma.TransactionClient,
  {
    organizationId,
    practiceId,
    excludedIds,
  }: Pick<ProductionKeyRequest, 'organizationId' | 'practiceId' | 'excludedIds'>,
  { accountId, email }: Pick<Party, 'accountId' | 'email'>,
): Promise<string | null> {
  if (accountId !== null && excludedIds.includes(accountId))
    return 'You decided on this before the appeal, so a colleague must decide now.'
  if ((await db.membership.count({ where: { organizationId, account: { email } } })) > 0)
    return 'You belong to this organization, so a colleague must decide.'
  const own =
    practiceId === null ? 0 : await db.practiceMembership.count({ where: { practiceId, account: { email } } })
  return own > 0 ? 'You work at this practice, so a colleague must decide.' : null
}
