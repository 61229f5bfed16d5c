/** Who acts on the authorization of a backend system, in the words of its workflow. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { SystemAuthorizationActor } from '../../contract/workflows/system-authorization-workflow.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'

export type Party = Readonly<{ kind: SystemAuthorizationActor; accountId: string | null }>

export const system: Party = { kind: 'system', accountId: null }

/** @throws Problem `not_found` for everybody who is neither of the organization, nor of the practice, nor of the staff */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId }: Readonly<{ organizationId: string | null; practiceId: string }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const account = uuidPattern.test(accountId)
    ? await db.account.findUnique({ where: { id: accountId } })
    : null
  if (!account || account.disabledAt) throw new Problem('not_found')
  if (account.realm === 'staff' && account.staffRole) return { kind: account.staffRole, accountId }
  if (account.realm === 'practice') {
    const roles = await db.practiceMembership.findMany({ where: { practiceId, accountId } })
    const kind = (['admin', 'signatory', 'clinician'] as const).find((each) =>
      roles.some(({ role }) => role === each),
    )
    if (kind) return { kind: `practice_${kind}`, accountId }
  }
  const isDeveloper = account.realm === 'developer' && organizationId !== null
  const role = isDeveloper ? await findRole(db, { organizationId, accountId }) : null
  if (!role) throw new Problem('not_found')
  return { kind: role, accountId }
}
