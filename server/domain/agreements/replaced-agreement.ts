/** What an agreement is to take the place of. Whoever ended that one has not agreed to the next. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import { executedStates } from '../../contract/agreement-workflow.ts'
import { Problem } from '../../contract/problems.ts'

/** Somebody gave notice of it, or ended it; an agreement whose term ran out was ended by nobody. */
export function wasEnded({ state, endReason }: Pick<Agreement, 'state' | 'endReason'>): boolean {
  if (state === 'terminated') return true
  return executedStates.some((each) => each === state) && endReason !== null
}

/**
 * Signatures given before an end, or by the policy, would bring back what somebody ended.
 * @throws Problem `conflict`
 */
export async function refuseReplacingEnded(
  tx: Prisma.TransactionClient,
  { replacesId }: Pick<Agreement, 'replacesId'>,
): Promise<void> {
  if (replacesId === null) return
  const replaced = await tx.agreement.findUniqueOrThrow({ where: { id: replacesId } })
  if (wasEnded(replaced))
    throw new Problem('conflict', {
      message: 'What this takes the place of was ended, or notice of it was given. Withdraw this one.',
    })
}
