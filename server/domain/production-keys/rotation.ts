/** A rotation of a production key, as its request sees it: the successor stands on the same papers and ends with them. */
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import type { Actor } from '../actor.ts'
import { findCorrespondents } from './correspondents.ts'
import type { Walk } from './walk.ts'

type Rotated = { old: ApiKey; successor: ApiKey; oldEndsAt: Date; actor: Actor }

export type FollowRotation = (tx: Prisma.TransactionClient, rotated: Rotated) => Promise<void>

export function createFollowRotation({ walk }: { walk: Pick<Walk, 'stepIn'> }): FollowRotation {
  return async function followRotation(tx, { old, successor, oldEndsAt, actor }) {
    if (old.productionRequestId === null) return
    await walk.stepIn(tx, { requestId: old.productionRequestId }, 'rotate', actor, ({ now }) => ({
      detail: { prefix: old.prefix, successor: successor.prefix },
      mails: async (row) => {
        const to = await findCorrespondents(tx, row)
        return to.toPractice('production-rotated', {
          oldStart: old.prefix.slice(4),
          newStart: successor.prefix.slice(4),
          at: now.toISOString(),
          oldEndsAt: oldEndsAt.toISOString(),
        })
      },
    }))
  }
}
