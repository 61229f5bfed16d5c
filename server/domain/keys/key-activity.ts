/** What a key did, for the members of its organization: pages of it, the newest as they come, whole files, sources. */

import type { ActivityEntry, ActivityFilter, Source } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { Problem } from '../../contract/http/problems.ts'
import { activityFileRowsMax } from '../../contract/keys/key-life.ts'
import type { Core } from '../core.ts'
import { getOwnedKey } from './owned-key.ts'

type Reader = { keyId: string; accountId: string }
const pageRows = 200
/** Two processes commit out of order; who follows looks so far back. */
const lookBackMs = 20_000

type LoggedCall = ActivityEntry & { id: string }

type Follower = {
  /**
   * Requests that were not handed out yet, oldest first, and the position after them.
   * @throws Problem when the reader may no longer see the key
   */
  next(): Promise<{ calls: LoggedCall[]; position: string }>
}

/**
 * One page, newest first.
 * @throws Problem `not_found` for a key of another organization
 */
export async function activity(core: Core, { keyId, accountId, ...filter }: Reader & ActivityFilter) {
  const { prisma } = core
  await getOwnedKey(prisma, { keyId, accountId }, 'see')
  return activityLog.page(core, { keyId, ...filter })
}

/** What claimed the key's prefix and was not the key: mistyped, cut off, guessed. Newest first. */
export async function attempts(core: Core, { keyId, accountId, ...filter }: Reader & ActivityFilter) {
  const { prisma } = core
  const { prefix } = await getOwnedKey(prisma, { keyId, accountId }, 'see')
  return activityLog.unattributed(core, { claimedPrefix: prefix, ...filter })
}

/** How far the log of a key has come, for `follow` to go on from: what a page shows and what it follows leave no gap. */
export async function activityPosition(core: Core, { keyId, accountId }: Reader): Promise<string> {
  const { prisma, clock } = core
  await getOwnedKey(prisma, { keyId, accountId }, 'see')
  return formatPosition(await look(core, keyId, clock()))
}

/** The newest requests of about the time since a moment, and the position that they make. */
async function look(
  core: Core,
  keyId: string,
  since: Date,
): Promise<ActivityPosition & { rows: LoggedCall[] }> {
  const { clock } = core
  const at = clock()
  const from = new Date(since.getTime() - lookBackMs)
  const rows = await activityLog.since(core, { keyId, from, limit: seenMax })
  return { at, seen: rows.map(({ id }) => id), rows }
}

/**
 * Follows a key's requests, from now on or from a position. Whether the reader may is asked each time.
 * @throws Problem `validation` for a position that is none
 */
export async function follow(
  core: Core,
  { keyId, accountId, after }: Reader & { after?: string },
): Promise<Follower> {
  const { prisma, clock } = core
  await getOwnedKey(prisma, { keyId, accountId }, 'see')
  const start = after === undefined ? await look(core, keyId, clock()) : parsePosition(after)
  if (start === null)
    throw new Problem('validation', { message: 'There is no activity from there.', field: 'after' })
  let position: ActivityPosition = start
  return {
    async next() {
      await getOwnedKey(prisma, { keyId, accountId }, 'see')
      const { at, seen } = position
      const { rows, ...present } = await look(core, keyId, at)
      position = present
      const known = new Set(seen)
      return { calls: rows.filter(({ id }) => !known.has(id)), position: formatPosition(position) }
    },
  }
}

/** Every request that fits, newest first, page by page, as many as a file holds. */
export async function* activityFile(
  core: Core,
  { keyId, accountId, ...filter }: Reader & Omit<ActivityFilter, 'before' | 'limit'>,
): AsyncGenerator<ActivityEntry[]> {
  const { prisma } = core
  await getOwnedKey(prisma, { keyId, accountId }, 'see')
  let before: string | undefined
  for (let given = 0; given < activityFileRowsMax; given += pageRows) {
    const { rows, next } = await activityLog.page(core, { keyId, ...filter, before, limit: pageRows })
    yield rows
    if (next === null) return
    before = next
  }
}

/** Whether a rotated key is still used, and from where, since its successor was made. */
export async function graceUse(core: Core, { keyId, accountId }: Reader): Promise<Source[]> {
  const { prisma } = core
  const { rotatedAt } = await getOwnedKey(prisma, { keyId, accountId }, 'see')
  return rotatedAt === null ? [] : activityLog.sources(core, { keyId, since: rotatedAt })
}

/** A reader's position in the log of a key: the cursor that the page sends back. */

type ActivityPosition = {
  at: Date
  /** What was seen of the time shortly before: two processes commit out of order, so that time alone does not tell. */
  seen: readonly string[]
}

const seenMax = 100
const form = new RegExp(`^[0-9a-z]{1,9}(?:\\.[0-9a-z]{1,12}){0,${seenMax}}$`)

function formatPosition({ at, seen }: ActivityPosition): string {
  const ids = seen.map(Number).sort((one, other) => one - other)
  const steps = ids.map((id, index) => id - (ids[index - 1] ?? 0))
  return [at.getTime(), ...steps].map((number) => number.toString(36)).join('.')
}

/** @returns null for what was never a position */
function parsePosition(text: string): ActivityPosition | null {
  if (!form.test(text)) return null
  const [time = 0, ...steps] = text.split('.').map((part) => Number.parseInt(part, 36))
  let id = 0
  const seen = steps.map((step) => {
    id += step
    return `${id}`
  })
  return { at: new Date(time), seen }
}
