/**
 * The one place that says what a person has to prove beyond a session before a step that binds: their second factor
 * where their front door asks for one, and that they are there now.
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { requireSecondFactor } from '../registrations/parties.ts'

/** @throws Problem `forbidden`; its field is `stepUp` when the password is to be given again */
export async function provePresence(
  tx: Prisma.TransactionClient,
  { sessions }: { sessions: Pick<Sessions, 'isStepUpFresh'> },
  { actor, staff, fresh }: { actor: Actor; staff: boolean; fresh: boolean },
): Promise<void> {
  if (staff) await requireSecondFactor(tx, actor)
  if (fresh && !sessions.isStepUpFresh(actor))
    throw new Problem('forbidden', { message: 'Confirm your password first.', field: 'stepUp' })
}
