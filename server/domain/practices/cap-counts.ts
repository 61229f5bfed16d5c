/**
 * What a capped key has used of a day. One statement each, and exact with several processes: a second one waits for the
 * row of the day and then sees what the first has counted.
 */
import type pg from 'pg'

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

export async function readCapDay(
  db: Database,
  { capId, day }: CapDay,
): Promise<{ calls: number; patients: number }> {
  const { rows } = await db.query<{ calls: number; patients: number }>({
    name: 'caps:read-day',
    text: 'SELECT calls, patients FROM portal.key_cap_day WHERE cap_id = $1 AND day = $2::date',
    values: [capId, day],
  })
  return rows[0] ?? { calls: 0, patients: 0 }
}
