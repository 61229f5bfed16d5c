/**
 * Counts the logs by practice, key or app, and UTC day. Days that are over are kept; today is counted when it is asked
 * for. Counting a day again gives the same rows.
 */
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import type { Figures, SubjectKind, UseDay } from './figures.ts'

type Db = Pick<Core, 'prisma' | 'pool' | 'clock'>

/** A day is counted for good this long after its end: refusals are written a moment after their response. */
const settleMs = 3_600_000
const keptMonths = 13
/** How far back the first run looks: as long as the activity log is kept. */
const firstDays = 366

const utcDay = (instant: Date) => instant.toISOString().slice(0, 10)
const midnight = (day: string) => new Date(`${day}T00:00:00Z`)

/** $1 and $2: from, until; $3: the practice, or null for all. The keys and apps of a practice have indexes in the log. */
const countText = (one: boolean) => `
WITH calls AS MATERIALIZED (
  SELECT coalesce(k.practice_id, a.practice_id) AS practice_id,
         CASE WHEN a.key_id IS NULL THEN 'app' ELSE 'key' END AS kind,
         coalesce(k.production_request_id::text, a.key_id::text, a.client_id) AS id,
         (a.at AT TIME ZONE 'UTC')::date AS day, a.at, a.status, a.refusal, a.from_browser, a.count,
         CASE WHEN a.status <> 401 THEN
           host(network(set_masklen(a.ip, CASE family(a.ip) WHEN 4 THEN 24 ELSE 48 END))) ||
             CASE family(a.ip) WHEN 4 THEN '/24' ELSE '/48' END END AS network
    FROM ${
      one
        ? `(SELECT l.* FROM portal.api_key o JOIN log.activity l ON l.key_id = o.id
             WHERE o.practice_id = $3::uuid AND l.at >= $1 AND l.at < $2
            UNION ALL
            SELECT l.* FROM (SELECT DISTINCT client_id FROM portal."grant" WHERE practice_id = $3::uuid) o
              JOIN log.activity l ON l.client_id = o.client_id
             WHERE l.practice_id = $3::uuid AND l.key_id IS NULL AND l.at >= $1 AND l.at < $2)`
        : `(SELECT l.* FROM log.activity l WHERE $3::uuid IS NULL AND l.at >= $1 AND l.at < $2
              AND (l.key_id IS NOT NULL OR (l.client_id IS NOT NULL AND l.practice_id IS NOT NULL)))`
    } a
    LEFT JOIN portal.api_key k ON k.id = a.key_id
   WHERE a.environment = 'production'
), accesses AS MATERIALIZED (
  SELECT p.practice_id, CASE WHEN p.client_id IS NULL THEN 'key' ELSE 'app' END AS kind,
         coalesce(k.production_request_id::text, p.client_id, p.principal_id) AS id,
         (p.at AT TIME ZONE 'UTC')::date AS day, p.at, p.resource_type, p.count, p.export_id,
         coalesce(p.patient_ids, CASE WHEN p.patient_id IS NOT NULL THEN ARRAY[p.patient_id] END) AS patient_ids
    FROM log.phi_audit p
    LEFT JOIN portal.api_key k ON p.principal_kind = 'api_key' AND k.id::text = p.principal_id
   WHERE p.at >= $1 AND p.at < $2 AND ($3::uuid IS NULL OR p.practice_id = $3::uuid)
     AND p.outcome = 'served' AND (p.client_id IS NOT NULL OR p.principal_kind = 'api_key')
), people AS (
  SELECT practice_id, kind, id, day, count(DISTINCT patient) AS patients
    FROM (
      SELECT a.practice_id, a.kind, a.id, a.day, unnest(a.patient_ids) AS patient FROM accesses a
      UNION ALL
      SELECT a.practice_id, a.kind, a.id, a.day, unnest(e.patient_ids)
        FROM (SELECT DISTINCT practice_id, kind, id, day, export_id FROM accesses WHERE export_id IS NOT NULL) a
        JOIN log.export_patients e ON e.export_id = a.export_id
    ) p GROUP BY 1, 2, 3, 4
), peaks AS (
  SELECT practice_id, kind, id, day, max(patients) AS peak
    FROM (
      SELECT practice_id, kind, id, day, date_trunc('hour', at, 'UTC') AS hour, count(DISTINCT patient) AS patients
        FROM accesses, unnest(patient_ids) AS patient GROUP BY 1, 2, 3, 4, 5
    ) h GROUP BY 1, 2, 3, 4
), types AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(resource_type, records) AS types
    FROM (SELECT practice_id, kind, id, day, resource_type, sum(count) AS records FROM accesses
           WHERE resource_type IS NOT NULL AND count > 0 GROUP BY 1, 2, 3, 4, 5) t GROUP BY 1, 2, 3, 4
), exports AS (
  SELECT practice_id, kind, id, day, count(DISTINCT export_id) AS exports
    FROM accesses GROUP BY 1, 2, 3, 4
), refusals AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(refusal, n) AS refusals
    FROM (SELECT practice_id, kind, id, day, refusal, sum(count) AS n FROM calls
           WHERE refusal IS NOT NULL AND status <> 404 GROUP BY 1, 2, 3, 4, 5) r GROUP BY 1, 2, 3, 4
), networks AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(network, n) AS networks
    FROM (SELECT practice_id, kind, id, day, network, sum(count) AS n FROM calls
           WHERE network IS NOT NULL GROUP BY 1, 2, 3, 4, 5) n GROUP BY 1, 2, 3, 4
), hours AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(hour, n) AS hours
    FROM (SELECT practice_id, kind, id, day, extract(hour FROM at AT TIME ZONE 'UTC')::int AS hour, sum(count) AS n
            FROM calls WHERE status <> 401 GROUP BY 1, 2, 3, 4, 5) h GROUP BY 1, 2, 3, 4
), totals AS (
  SELECT practice_id, kind, id, day, sum(count) AS calls,
         coalesce(sum(count) FILTER (WHERE refusal IS NULL AND status <> 404), 0) AS served,
         coalesce(sum(count) FILTER (WHERE status = 404), 0) AS not_found,
         coalesce(sum(count) FILTER (WHERE from_browser AND status <> 401), 0) AS browser,
         max(at) FILTER (WHERE status <> 401) AS last_at
    FROM calls GROUP BY 1, 2, 3, 4
)
SELECT practice_id AS "practiceId", kind, id, day::text AS day, jsonb_build_object(
    'calls', coalesce(calls, 0), 'served', coalesce(served, 0), 'notFound', coalesce(not_found, 0),
    'refusals', coalesce(refusals, '{}'), 'networks', coalesce(networks, '{}'),
    'browserCalls', coalesce(browser, 0), 'hours', coalesce(hours, '{}'), 'types', coalesce(types, '{}'),
    'patients', coalesce(patients, 0), 'peakPatients', coalesce(peak, 0), 'exports', coalesce(exports, 0),
    'lastAt', to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS figures
  FROM totals
  FULL JOIN exports USING (practice_id, kind, id, day)
  LEFT JOIN people USING (practice_id, kind, id, day)
  LEFT JOIN peaks USING (practice_id, kind, id, day)
  LEFT JOIN types USING (practice_id, kind, id, day)
  LEFT JOIN refusals USING (practice_id, kind, id, day)
  LEFT JOIN networks USING (practice_id, kind, id, day)
  LEFT JOIN hours USING (practice_id, kind, id, day)
 WHERE practice_id IN (SELECT p.id FROM portal.practice p WHERE p.environment = 'production')
 ORDER BY practice_id, kind, id, day`

type Row = Readonly<{ practiceId: string; kind: SubjectKind; id: string; day: string; figures: Figures }>

/** From the logs. @param practiceId null: every production practice */
export async function countDays(
  { pool }: Pick<Db, 'pool'>,
  { practiceId, from, until }: Readonly<{ practiceId: string | null; from: string; until: string }>,
): Promise<UseDay[]> {
  const { rows } = await pool.query<Row>(countText(practiceId !== null), [
    midnight(from),
    midnight(addDays(until, 1)),
    practiceId,
  ])
  return rows.map(({ kind, id, ...row }) => ({ ...row, subject: { kind, id } }))
}

/** Keeps the days that are over and not kept yet. Two at once write the same. @returns how many days */
export async function keepDays(db: Db): Promise<number> {
  const { pool, clock } = db
  const last = addDays(utcDay(new Date(clock().getTime() - settleMs)), -1)
  const first = (await countedThrough(db)) ?? addDays(last, -firstDays)
  let days = 0
  for (let day = addDays(first, 1); day <= last; day = addDays(day, 1)) {
    const rows = await countDays(db, { practiceId: null, from: day, until: day })
    await pool.query(
      `WITH input AS (
         SELECT * FROM jsonb_to_recordset($2::jsonb) AS i ("practiceId" uuid, kind text, id text, figures jsonb)
       ), gone AS (
         DELETE FROM portal.access_day d WHERE d.day = $1::date
           AND NOT EXISTS (SELECT 1 FROM input i
                            WHERE i."practiceId" = d.practice_id AND i.kind = d.subject_kind AND i.id = d.subject_id)
       ), kept AS (
         INSERT INTO portal.access_day (practice_id, subject_kind, subject_id, day, figures)
         SELECT "practiceId", kind, id, $1::date, figures FROM input ORDER BY 1, 2, 3
         ON CONFLICT (practice_id, subject_kind, subject_id, day) DO UPDATE SET figures = excluded.figures
       )
       INSERT INTO portal.access_counted (id, through) VALUES (1, $1::date)
       ON CONFLICT (id) DO UPDATE SET through = greatest(portal.access_counted.through, excluded.through)`,
      [
        day,
        JSON.stringify(rows.map(({ practiceId, subject, figures }) => ({ practiceId, ...subject, figures }))),
      ],
    )
    days += 1
  }
  return days
}

/** @returns rows */
export async function forgetDays({ prisma }: Pick<Db, 'prisma'>, now: Date): Promise<number> {
  const day = new Date(now)
  day.setUTCMonth(day.getUTCMonth() - keptMonths)
  return deleteInBatches((limit) => prisma.accessDay.deleteMany({ where: { day: { lt: day } }, limit }))
}

async function countedThrough({ prisma }: Db): Promise<string | null> {
  const row = await prisma.accessCounted.findUnique({ where: { id: 1 } })
  return row && utcDay(row.through)
}

/** Kept days as they are, and the others counted now. Both ends are included. */
export async function readDays(
  db: Db,
  practiceId: string,
  { from, until }: Readonly<{ from: string; until: string }>,
): Promise<UseDay[]> {
  const through = await countedThrough(db)
  const rows = await db.prisma.accessDay.findMany({
    where: { practiceId, day: { gte: midnight(from), lte: midnight(until) } },
    orderBy: [{ subjectKind: 'asc' }, { subjectId: 'asc' }, { day: 'asc' }],
  })
  const kept = rows
    .map((row) => ({
      practiceId,
      subject: { kind: row.subjectKind as SubjectKind, id: row.subjectId },
      day: utcDay(row.day),
      figures: row.figures as unknown as Figures,
    }))
    .filter(({ day }) => through !== null && day <= through)
  const next = through === null ? from : addDays(through, 1)
  const live = next > from ? next : from
  return live > until ? kept : [...kept, ...(await countDays(db, { practiceId, from: live, until }))]
}
