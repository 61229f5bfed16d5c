/** How much a practice lets a key do a day, and at which hours: shown, set and removed. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { Problem } from '../../contract/http/problems.ts'
import { capDaysKept, capSentences, type KeyCaps, toKeyCaps } from '../../contract/keys/key-caps.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Actor } from '../actor.ts'
import { dateIn, endIn } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { changeKey, findKey, type KeyOfPractice, readChanges, relatedKeys } from './practice-keys.ts'
import { requirePracticeRole } from './practice-role.ts'

type CapsInput = Readonly<{
  callsPerDay: number | null
  patientsPerDay: number | null
  /** Minutes after midnight, both or neither. */
  hoursFrom: number | null
  hoursUntil: number | null
  timeZone: string
  version: number
  reason: string
}>

/** @throws Problem `not_found` (also for a key of another practice), `forbidden` for who is no admin there */
export async function read(core: Core, target: KeyOfPractice, { accountId }: Pick<Actor, 'accountId'>) {
  const { prisma, env } = core
  await requirePracticeRole(prisma, { practiceId: target.practiceId, accountId }, ['admin'])
  const row = await findKey(prisma, target)
  const changes = await readChanges<{ caps?: string[] }>(prisma, row.id, 'api_key.caps_changed')
  return {
    ...(await describeCaps(core, row.capId)),
    /** Chosen where none was: the zone of the installation's offices. */
    defaultZone: env.BUSINESS_TZ,
    history: changes.map(({ detail: { caps = [] }, ...change }) => ({ ...change, caps })),
  }
}

/** What a key is capped to, and what it has used today. */
export async function describeCaps({ prisma, pool, clock }: Core, capId: string | null) {
  const caps = toKeyCaps((capId && (await prisma.keyCap.findUnique({ where: { id: capId } }))) || null)
  if (caps === null) return { caps, today: null }
  const now = clock()
  const day = dateIn(caps.zone, now)
  const used = await readCapDay(pool, { capId: caps.id, day })
  return { caps, today: { ...used, resetsAt: new Date(endIn(caps.zone, day).getTime() + 1_000) } }
}

/**
 * Holds on the next request of the key and of what it was rotated from or to, in every process. They share what they
 * use.
 * @throws Problem as `changeKey`, and `conflict` (nothing to change)
 */
export function set(core: Core, input: KeyOfPractice & CapsInput, actor: Actor): Promise<void> {
  const { callsPerDay, patientsPerDay, hoursFrom, hoursUntil, timeZone: zone } = input
  const limits = { callsPerDay, patientsPerDay, hoursFrom, hoursUntil }
  return changeKey(core, input, actor, async (tx, row) => {
    const before = toKeyCaps(
      (row.capId && (await tx.keyCap.findUnique({ where: { id: row.capId } }))) || null,
    )
    const id = row.capId ?? randomUUID()
    const after = toKeyCaps({ id, ...limits, zone })
    if (same(before, after))
      throw new Problem('conflict', { message: 'Nothing is different. Change a cap first.' })
    await tx.keyCap.upsert({
      where: { id },
      create: { id, practiceId: row.practiceId, ...limits, zone },
      update: { ...limits, zone },
    })
    await tx.apiKey.updateMany({
      where: { OR: [{ id: { in: await relatedKeys(tx, row) } }, { capId: id }] },
      data: { capId: id, version: { increment: 1 } },
    })
    const caps = after === null ? [] : [...capSentences(after)]
    return { action: 'api_key.caps_changed', detail: { caps }, template: 'key-caps', props: { caps } }
  })
}

/** Forgets what was used on days that are over. @returns rows */
export async function forgetOldDays({ prisma }: Core, now: Date): Promise<number> {
  const day = { lt: new Date(now.getTime() - capDaysKept * 86_400_000) }
  const patients = await deleteInBatches((limit) =>
    prisma.keyCapPatient.deleteMany({ where: { day }, limit }),
  )
  const days = await deleteInBatches((limit) => prisma.keyCapDay.deleteMany({ where: { day }, limit }))
  return patients + days
}

function same(one: KeyCaps | null, other: KeyCaps | null): boolean {
  return JSON.stringify(one && capSentences(one)) === JSON.stringify(other && capSentences(other))
}

// What a capped key has used of a day. One statement each, and exact with several processes: a second one waits for the
// row of the day and then sees what the first has counted.

type CapDay = Readonly<{ capId: string; day: string }>

type Database = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>

/** @returns how many calls were made with this one; null: it would be one too many, and is not counted */
export async function takeCall(db: Database, { capId, day }: CapDay, most: number): Promise<number | null> {
  const { rows } = await db.query<{ calls: number }>({
    name: 'caps:take-call',
    text: `INSERT INTO portal.key_cap_day AS d (cap_id, day, calls) VALUES ($1, $2::date, 1)
      ON CONFLICT (cap_id, day) DO UPDATE SET calls = d.calls + 1 WHERE d.calls < $3
      RETURNING d.calls`,
    values: [capId, day, most],
  })
  return rows[0]?.calls ?? null
}

/** @returns false: some of them are new today and would be too many; then none is counted */
export async function takePatients(
  db: Database,
  { capId, day }: CapDay,
  patientIds: readonly string[],
  most: number,
): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>({
    name: 'caps:take-patients',
    text: 'SELECT portal.take_patients($1, $2::date, $3::text[], $4) AS taken',
    values: [capId, day, patientIds, most],
  })
  return rows[0]?.taken === true
}

export async function readCapDay(db: Database, { capId, day }: CapDay) {
  const { rows } = await db.query<{ calls: number; patients: number }>({
    name: 'caps:read-day',
    text: 'SELECT calls, patients FROM portal.key_cap_day WHERE cap_id = $1 AND day = $2::date',
    values: [capId, day],
  })
  return rows[0] ?? { calls: 0, patients: 0 }
}
