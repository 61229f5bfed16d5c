/** Who acts on an agreement, in the words of its workflow, and for which side; and what they have to prove. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { AgreementActor } from '../../contract/agreement-workflow.ts'
import type { SigningSide } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import { realms } from '../../contract/realms.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'
import { requireSecondFactor } from '../registrations/parties.ts'

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
    const kind = (['signatory', 'admin', 'clinician'] as const).find((each) =>
      roles.some(({ role }) => role === each),
    )
    if (kind) return { kind: `practice_${kind}`, side: 'practice', accountId, realm: 'practice' }
  }
  const role = account.realm === 'developer' ? await findRole(db, { organizationId, accountId }) : null
  if (!role) throw new Problem('not_found')
  return { kind: role, side: 'developer', accountId, realm: 'developer' }
}

/**
 * The one place that says what a signature, or anything as grave, asks for: the password at most ten minutes old, and
 * the second factor where the realm has one.
 * @throws Problem `forbidden` on `stepUp`
 */
export async function requireProof(
  db: Prisma.TransactionClient,
  sessions: Pick<Sessions, 'isStepUpFresh'>,
  of: { actor: Actor; realm: AgreementParty['realm'] },
): Promise<void> {
  if (!sessions.isStepUpFresh(of.actor))
    throw new Problem('forbidden', { message: 'Confirm your password first.', field: 'stepUp' })
  if (of.realm !== null && realms[of.realm].secondFactor) await requireSecondFactor(db, of.actor)
}
