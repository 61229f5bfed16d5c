/** The request's step for a rotation of its key. The successor uses the same agreements and ends with them. */
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { transitionIn } from './transition.ts'

type Rotation = { old: ApiKey; successor: ApiKey; oldEndsAt: Date; actor: Actor }

/** Runs in the rotation's own transaction. */
export async function followRotation(
  core: Core,
  tx: Prisma.TransactionClient,
  { old, successor, oldEndsAt, actor }: Rotation,
): Promise<void> {
  if (old.productionRequestId === null) return
  await transitionIn(core, tx, { requestId: old.productionRequestId }, 'rotate', actor, {
    effects: ({ now }) => ({
      detail: { prefix: old.prefix, successor: successor.prefix },
      emails: () => ({
        'production-rotated': {
          oldStart: old.prefix.slice(4),
          newStart: successor.prefix.slice(4),
          at: now.toISOString(),
          oldEndsAt: oldEndsAt.toISOString(),
        },
      }),
    }),
  })
}
