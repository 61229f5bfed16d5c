/** A key that was revoked, or that people have suspended, can't be renewed. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { type SuspensionCause, suspensionCauses } from '../../contract/workflows/production-key-workflow.ts'

/** Suspensions that people decide. The other causes are checked on the renewal's own agreements and sponsor. */
const decidedByPeople = ['ops', 'practice', 'sponsorship_ended'] as const satisfies readonly SuspensionCause[]

/**
 * @param renewsId the renewed request; null if the request is not a renewal
 * @throws Problem `conflict` if the renewed key was revoked, or is suspended by people
 */
export async function requireGoesOn(tx: Prisma.TransactionClient, renewsId: string | null): Promise<void> {
  if (renewsId === null) return
  const renewed = await tx.productionKeyRequest.findUniqueOrThrow({
    where: { id: renewsId },
    select: {
      state: true,
      suspensions: { where: { cause: { in: [...decidedByPeople] }, endedAt: null }, orderBy: { at: 'asc' } },
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
