/** Daily caps and hours that a practice sets for a key. */
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
  /** Minutes after midnight; both or neither are set. */
  hoursFrom: number | null
  hoursUntil: number | null
  timeZone: string
  version: number
  reason: string
}>

/** @throws Problem `not_found` (also for a key of another practice), `forbidden` unless the reader is an admin there */
export async function read(core: Core, target: KeyOfPractice, { accountId }: Pick<Actor, 'accountId'>) {
  const { prisma, env } = core
  await requirePracticeRole(prisma, { practiceId: target.practiceId, accountId }, ['admin'])
  const row = await findKey(prisma, target)
  const changes = await readChanges<{ caps?: string[] }>(prisma, row.id, 'api_key.caps_changed')
  return {
    ...(await describeCaps(core, row.capId)),
    /** The zone of the installation's offices, for a key without caps. */
    defaultZone: env.BUSINESS_TZ,
    history: changes.map(({ detail: { caps = [] }, ...change }) => ({ ...change, caps })),
  }
}

/** The caps of a key, and its use today. */
export async function describeCaps({ prisma, pool, clock }: Core, capId: string | null) {
  const caps = toKeyCaps((capId && (await prisma.keyCap.findUnique({ where: { id: capId } }))) || null)
  if (caps === null) return { caps, today: null }
  const now = clock()
  const day = dateIn(caps.zone, now)
  const used = await readCapDay(pool, { capId: caps.id, day })
  return { caps, today: { ...used, resetsAt: new Date(endIn(caps.zone, day).getTime() + 1_000) } }
}

/**
 * Sets the caps from the next call on, for the key and the other key of a rotation, which share their use.
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

/** Deletes the use of past days. @returns the number of rows */
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

// The use of a capped key on one day. Each count is a single statement, so it is exact across processes: a second
// statement waits for the row of the day and then sees the first one's count.

type CapDay = Readonly<{ capId: string; day: string }>

type Database = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>

/** @returns the number of calls including this one; null if this one exceeds the cap, and is not counted */
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

/** @returns false if the patients who are new today exceed the cap; then none is counted */
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
