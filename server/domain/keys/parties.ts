/** Who acts on a request for a sandbox key, in the words of its workflow. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { SandboxKeyActor } from '../../contract/workflows/sandbox-key-workflow.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'

export type Party = Readonly<{ kind: SandboxKeyActor; accountId: string | null; email: string }>

export const system: Party = { kind: 'system', accountId: null, email: '' }

/** @throws Problem `not_found` for everybody who is neither of the organization nor of the staff */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId }: Readonly<{ organizationId: string }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const account = uuidPattern.test(accountId)
    ? await db.account.findUnique({ where: { id: accountId } })
    : null
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { email } = account
  if (account.realm === 'staff' && account.staffRole) return { kind: account.staffRole, accountId, email }
  const role = await findRole(db, { organizationId, accountId })
  if (!role) throw new Problem('not_found')
  return { kind: role, accountId, email }
}

/** Why a reviewer may not decide on a request; null when nothing is in the way. */
export async function findConflict(
  db: Prisma.TransactionClient,
  { organizationId }: Readonly<{ organizationId: string }>,
  { email }: Readonly<{ email: string }>,
): Promise<string | null> {
  const own = await db.membership.count({ where: { organizationId, account: { email } } })
  return own > 0 ? 'You belong to this organization, so a colleague must decide.' : null
}
