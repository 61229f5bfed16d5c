/** A renewal lets an access go on. What was stopped for good, or by a person who has not let it go on, has no renewal. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type SuspensionCause, suspensionCauses } from '../../contract/workflows/production-key-workflow.ts'

/** What people decided; all else is held against the renewal's own agreements and sponsor. */
const decided = ['ops', 'practice', 'sponsorship_ended'] as const satisfies readonly SuspensionCause[]

/**
 * @param renewsId the request that is renewed; null where there is none
 * @throws Problem `conflict` when it was revoked, or suspended by people and not let go on
 */
export async function requireGoesOn(tx: Prisma.TransactionClient, renewsId: string | null): Promise<void> {
  if (renewsId === null) return
  const renewed = await tx.productionKeyRequest.findUniqueOrThrow({
    where: { id: renewsId },
    select: {
      state: true,
      suspensions: { where: { cause: { in: [...decided] }, endedAt: null }, orderBy: { at: 'asc' } },
    },
  })
  if (renewed.state === 'revoked')
    throw new Problem('conflict', { message: 'The key to be renewed was revoked. Submit a new request.' })
  const [open] = renewed.suspensions
  if (open)
    throw new Problem('conflict', {
      message: `The key to be renewed is suspended: ${suspensionCauses[open.cause as SuspensionCause].title}. Resolve this first.`,
    })
}
