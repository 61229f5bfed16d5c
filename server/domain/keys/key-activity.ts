/** What a key did, for the members of its organization: pages of it, the newest as they come, whole files, sources. */
import type { ActivityEntry, ActivityFilter, Source } from '../../audit/activity-log.ts'
import { activityFileRowsMax } from '../../contract/key-life.ts'
import type { KeyDependencies } from './keys.ts'
import { getOwnedKey } from './owned-key.ts'

type Reader = { keyId: string; accountId: string }
const pageRows = 200
/** Two processes commit out of order; who follows looks so far back. */
const lookBackMs = 20_000
const newestMax = 100

export type Follower = {
  /** Requests that were not handed out yet, oldest first. @throws Problem when the reader may no longer see the key */
  next(): Promise<(ActivityEntry & { id: string })[]>
}

export function createKeyActivity({ prisma, clock, activityLog }: KeyDependencies) {
  /**
   * One page, newest first.
   * @throws Problem `not_found` for a key of another organization
   */
  async function activity({ keyId, accountId, ...filter }: Reader & ActivityFilter) {
    await getOwnedKey(prisma, { keyId, accountId }, 'see')
    return activityLog.page({ keyId, ...filter })
  }

  /** What claimed the key's prefix and was not the key: mistyped, cut off, guessed. Newest first. */
  async function attempts({ keyId, accountId, limit }: Reader & { limit: number }) {
    const { prefix } = await getOwnedKey(prisma, { keyId, accountId }, 'see')
    return activityLog.unattributed({ claimedPrefix: prefix, limit })
  }

  /** Follows a key's requests from now on. Whether the reader may is asked each time. */
  async function follow({ keyId, accountId }: Reader): Promise<Follower> {
    await getOwnedKey(prisma, { keyId, accountId }, 'see')
    const start = clock()
    const seen = new Map<string, Date>()
    const known = await activityLog.since({ keyId, from: back(start), limit: newestMax })
    for (const { id, at } of known) seen.set(id, at)
    return {
      async next() {
        await getOwnedKey(prisma, { keyId, accountId }, 'see')
        const from = back(clock())
        const rows = await activityLog.since({ keyId, from, limit: newestMax })
        const fresh = rows.filter(({ id }) => !seen.has(id))
        for (const { id, at } of fresh) seen.set(id, at)
        for (const [id, at] of seen) if (at < back(from)) seen.delete(id)
        return fresh
      },
    }
  }

  /** Every request that fits, newest first, page by page, as many as a file holds. */
  async function* activityFile({
    keyId,
    accountId,
    ...filter
  }: Reader & Omit<ActivityFilter, 'before' | 'limit'>): AsyncGenerator<ActivityEntry[]> {
    await getOwnedKey(prisma, { keyId, accountId }, 'see')
    let before: string | undefined
    for (let given = 0; given < activityFileRowsMax; given += pageRows) {
      const { rows, next } = await activityLog.page({ keyId, ...filter, before, limit: pageRows })
      yield rows
      if (next === null) return
      before = next
    }
  }

  /** Whether a rotated key is still used, and from where, since its successor was made. */
  async function graceUse({ keyId, accountId }: Reader): Promise<Source[]> {
    const { rotatedAt } = await getOwnedKey(prisma, { keyId, accountId }, 'see')
    return rotatedAt === null ? [] : activityLog.sources({ keyId, since: rotatedAt })
  }

  return { activity, attempts, follow, activityFile, graceUse }
}

function back(from: Date): Date {
  return new Date(from.getTime() - lookBackMs)
}
