/** A rotation of a production key, as its request sees it: the successor stands on the same agreements and ends with them. */
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import type { Actor } from '../actor.ts'
import { type Core, transitionIn } from './transition.ts'

type Rotated = { old: ApiKey; successor: ApiKey; oldEndsAt: Date; actor: Actor }

export type FollowRotation = (tx: Prisma.TransactionClient, rotated: Rotated) => Promise<void>

export function createFollowRotation(core: Core): FollowRotation {
  return async function followRotation(tx, { old, successor, oldEndsAt, actor }) {
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
}
