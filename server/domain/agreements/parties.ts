/** Who acts on an agreement, in the words of its workflow, and for which side. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { AgreementActor } from '../../contract/workflows/agreement-workflow.ts'
import type { SigningSide } from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'

export type AgreementParty = Readonly<{
  kind: AgreementActor
  side: SigningSide | null
  accountId: string | null
  realm: 'developer' | 'staff' | 'practice' | null
}>

export const systemParty: AgreementParty = { kind: 'system', side: null, accountId: null, realm: null }

/** @throws Problem `not_found` for everybody who is of neither side nor of the staff */
export async function findAgreementParty(
  db: Prisma.TransactionClient,
  { organizationId, practiceId }: Pick<Agreement, 'organizationId' | 'practiceId'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<AgreementParty> {
  const account = uuidPattern.test(accountId)
    ? await db.account.findUnique({ where: { id: accountId } })
    : null
  if (!account || account.disabledAt) throw new Problem('not_found')
  if (account.realm === 'staff' && account.staffRole)
    return { kind: account.staffRole, side: 'service', accountId, realm: 'staff' }
  if (account.realm === 'practice' && practiceId !== null) {
    const roles = await db.practiceMembership.findMany({ where: { practiceId, accountId } })
    // Of a person with several roles the one that may do more: an admin may do all that a signatory may.
    const kind = (['admin', 'signatory', 'clinician'] as const).find((each) =>
      roles.some(({ role }) => role === each),
    )
    if (kind) return { kind: `practice_${kind}`, side: 'practice', accountId, realm: 'practice' }
  }
  const role = account.realm === 'developer' ? await findRole(db, { organizationId, accountId }) : null
  if (!role) throw new Problem('not_found')
  return { kind: role, side: 'developer', accountId, realm: 'developer' }
}
