/** The calls of keys and apps, for members of their organization: as pages, as a stream, as files, and their sources. */

import type { ActivityEntry, ActivityFilter, Callers, Source } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { Problem } from '../../contract/http/problems.ts'
import { activityFileRowsMax } from '../../contract/keys/key-life.ts'
import { createTurnShare } from '../../store/pool.ts'
import type { Core } from '../core.ts'
import { everyMember, type Member, requireRole } from '../organizations/membership.ts'
import { getOwnedKey } from './owned-key.ts'

type KeyReader = { keyId: string; organizationId?: string; accountId: string }
/** A reader of one key's calls, of one app's, or of all calls of an organization. */
type Reader = KeyReader | (Member & { clientId?: string | undefined })

const pageRows = 200
/** Processes commit rows out of order, so the stream looks this far back. */
const lookBackMs = 20_000
/** The newest keys and apps of an organization whose calls are listed together. */
const callersMax = 200

/** Lists the newest keys and apps of an organization, whose names the log shows. */
export async function listCallers({ prisma }: Core, member: Member) {
  const { organizationId } = member
  await requireRole(prisma, member, everyMember)
  const callers = await findCallers(
    prisma,
    organizationId,
    () => prisma.$queryRaw<{ id: string; name: string; prefix: string | null }[]>`
    SELECT id, name, prefix FROM (
      (SELECT id::text, name, prefix, created_at FROM portal.api_key
        WHERE organization_id = ${organizationId}::uuid AND NOT explorer ORDER BY created_at DESC, id LIMIT ${callersMax})
      UNION ALL
      (SELECT id, name, NULL, created_at FROM portal.client
        WHERE organization_id = ${organizationId}::uuid ORDER BY created_at DESC, id LIMIT ${callersMax})) caller
     ORDER BY created_at DESC, id`,
  )
  return {
    keys: callers.flatMap(({ prefix, ...key }) => (prefix === null ? [] : [{ ...key, prefix }])),
    apps: callers.filter(({ prefix }) => prefix === null),
  }
}

/** Requests of one page share a single query. */
const findCallers = createTurnShare<{ id: string; name: string; prefix: string | null }[]>()

/** @throws Problem `not_found` unless the key or app belongs to the reader's organization */
async function callersOf(core: Core, reader: Reader): Promise<Callers> {
  const { prisma } = core
  if ('keyId' in reader) {
    const { id, prefix, organizationId } = await getOwnedKey(prisma, reader, 'see')
    if (reader.organizationId !== undefined && reader.organizationId !== organizationId)
      throw new Problem('not_found')
    return { keyIds: [id], clientIds: [], claimedPrefixes: [prefix] }
  }
  const { organizationId, clientId } = reader
  if (clientId === undefined) {
    const { keys, apps } = await listCallers(core, reader)
    return {
      keyIds: keys.map(({ id }) => id),
      clientIds: apps.map(({ id }) => id),
      claimedPrefixes: keys.map(({ prefix }) => prefix),
    }
  }
  await requireRole(prisma, reader, everyMember)
  const app = await prisma.client.findFirst({ where: { id: clientId, organizationId }, select: { id: true } })
  if (!app) throw new Problem('not_found')
  return { keyIds: [], clientIds: [app.id], claimedPrefixes: [] }
}

/**
 * One page, the newest first. A key's page includes calls that sent its prefix with a wrong secret: mistyped, cut off or
 * guessed.
 * @throws Problem `not_found` for a key of another organization
 */
export async function activity(core: Core, { limit, before, ...reader }: Reader & ActivityFilter) {
  return activityLog.pageOf(core, { ...(await callersOf(core, reader)), ...filterOf(reader), limit, before })
}

/** The filters of a query, without its reader. */
function filterOf(query: Reader & Omit<ActivityFilter, 'limit' | 'before'>) {
  const { status, method, route, refusal, from, correlationId } = query
  return { status, method, route, refusal, from, correlationId }
}

/** Like `activity`, with a position from which `follow` goes on without a gap; null for an older page. */
export async function openLog(core: Core, { limit, before, ...reader }: Reader & ActivityFilter) {
  const callers = await callersOf(core, reader)
  // The position is read before the page. A call in between is in both, and the page shows it once.
  const position = before === undefined ? formatPosition(await readSince(core, callers, core.clock())) : null
  const page = await activityLog.pageOf(core, { ...callers, ...filterOf(reader), limit, before })
  return { ...page, position }
}

/** Reads the newest calls since shortly before a moment, and the position after them. */
async function readSince(core: Core, callers: Callers, since: Date) {
  const at = core.clock()
  const from = new Date(since.getTime() - lookBackMs)
  const rows = await activityLog.since(core, { ...callers, from, limit: seenMax })
  return { at, seen: rows.map(({ id }) => id), rows }
}

/**
 * Follows the calls, from now on or from a position. Each read checks again that the reader may see them.
 * @throws Problem `validation` for a malformed position
 */
export async function follow(core: Core, { after, ...reader }: Reader & { after?: string | undefined }) {
  const present = await readSince(core, await callersOf(core, reader), core.clock())
  const start = after === undefined ? present : parsePosition(after)
  if (start === null)
    throw new Problem('validation', { message: 'There is no activity from there.', field: 'after' })
  let position: ActivityPosition = start
  return {
    /**
     * Calls that were not returned yet, the oldest first, and the position after them.
     * @throws Problem when the reader may no longer see them
     */
    async next() {
      const { at, seen } = position
      const { rows, ...present } = await readSince(core, await callersOf(core, reader), at)
      position = present
      const known = new Set(seen)
      return { calls: rows.filter(({ id }) => !known.has(id)), position: formatPosition(position) }
    },
  }
}

/** Every matching call, the newest first, page by page, up to the size of a file. */
export async function* activityFile(
  core: Core,
  query: Reader & Omit<ActivityFilter, 'before' | 'limit'>,
): AsyncGenerator<ActivityEntry[]> {
  const callers = await callersOf(core, query)
  let before: string | undefined
  for (let count = 0; count < activityFileRowsMax; count += pageRows) {
    const filter = { ...filterOf(query), before, limit: pageRows }
    const { rows, next } = await activityLog.pageOf(core, { ...callers, ...filter })
    yield rows
    if (next === null) return
    before = next
  }
}

/** The sources that still use a rotated key, since its rotation. */
export async function graceUse(core: Core, { keyId, accountId }: KeyReader): Promise<Source[]> {
  const { prisma } = core
  const { rotatedAt } = await getOwnedKey(prisma, { keyId, accountId }, 'see')
  return rotatedAt === null ? [] : activityLog.sources(core, { keyId, since: rotatedAt })
}

/** A reader's position in a log: the cursor that the page sends back. */

type ActivityPosition = {
  at: Date
  /** Ids of the calls read from shortly before: rows commit out of order, so the time alone does not identify new ones. */
  seen: readonly string[]
}

const seenMax = 100
const form = new RegExp(`^[0-9a-z]{1,9}(?:\\.[0-9a-z]{1,12}){0,${seenMax}}$`)

function formatPosition({ at, seen }: ActivityPosition): string {
  const ids = seen.map(Number).sort((one, other) => one - other)
  const steps = ids.map((id, index) => id - (ids[index - 1] ?? 0))
  return [at.getTime(), ...steps].map((number) => number.toString(36)).join('.')
}

/** @returns null for a malformed position */
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
