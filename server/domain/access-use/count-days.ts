/**
 * Counts the logs by practice, key or app, and UTC day. Finished days are stored; today is counted when it is read.
 * Counting a day again gives the same rows.
 */
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import type { Figures, SubjectKind, UseDay } from './figures.ts'

type Db = Pick<Core, 'prisma' | 'pool' | 'clock' | 'store'>

/** A day is stored this long after its end, because refusals are written shortly after their response. */
const settleMs = 3_600_000
const retentionMonths = 13
/** How far back the first run counts: as long as the activity log goes back. */
const firstDays = 366

const utcDay = (instant: Date) => instant.toISOString().slice(0, 10)
const midnight = (day: string) => new Date(`${day}T00:00:00Z`)

/**
 * $1 and $2: from, until; $3: the practice, or null for all. The log has indexes for the keys and apps of one practice;
 * an app belongs to a practice if it has a grant there. Rows are first grouped by hour, which reduces thousands of rows
 * to a few; everything else is computed from the groups.
 */
const countText = (one: boolean) => `
WITH calls AS MATERIALIZED (
  SELECT coalesce(k.practice_id, a.practice_id) AS practice_id,
         CASE WHEN a.key_id IS NULL THEN 'app' ELSE 'key' END AS kind,
         coalesce(k.production_request_id::text, a.key_id::text, a.client_id) AS id,
         (a.hour AT TIME ZONE 'UTC')::date AS day, a.hour, a.status, a.refusal, a.from_browser, a.network, a.n, a.last_at
    FROM (
      SELECT l.key_id, CASE WHEN l.key_id IS NULL THEN l.client_id END AS client_id,
             CASE WHEN l.key_id IS NULL THEN l.practice_id END AS practice_id,
             date_trunc('hour', l.at, 'UTC') AS hour, l.status, l.refusal, l.from_browser,
             CASE WHEN l.status <> 401 THEN network(set_masklen(l.ip, CASE family(l.ip) WHEN 4 THEN 24 ELSE 48 END)) END AS network,
             sum(l.count) AS n, max(l.at) AS last_at
        FROM ${
          one
            ? `(SELECT l.* FROM portal.api_key o JOIN log.activity l ON l.key_id = o.id
             WHERE o.practice_id = $3::uuid AND l.at >= $1 AND l.at < $2
            UNION ALL
            SELECT l.* FROM (SELECT DISTINCT client_id FROM portal."grant" WHERE practice_id = $3::uuid) o
              JOIN log.activity l ON l.client_id = o.client_id
             WHERE l.practice_id = $3::uuid AND l.key_id IS NULL AND l.at >= $1 AND l.at < $2)`
            : `(SELECT l.* FROM log.activity l WHERE $3::uuid IS NULL AND l.at >= $1 AND l.at < $2
              AND (l.key_id IS NOT NULL OR EXISTS (
                SELECT FROM portal."grant" g WHERE g.client_id = l.client_id AND g.practice_id = l.practice_id)))`
        } l
       WHERE l.environment = 'production'
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ) a
    LEFT JOIN portal.api_key k ON k.id = a.key_id
), accesses AS MATERIALIZED (
  SELECT p.practice_id, CASE WHEN p.client_id IS NULL THEN 'key' ELSE 'app' END AS kind,
         coalesce(k.production_request_id::text, p.client_id, p.principal_id) AS id,
         (p.hour AT TIME ZONE 'UTC')::date AS day, p.hour, p.resource_type, p.patient_id, p.patient_ids, p.export_id, p.n
    FROM (
      SELECT practice_id, client_id, principal_kind, CASE WHEN client_id IS NULL THEN principal_id END AS principal_id,
             date_trunc('hour', at, 'UTC') AS hour, resource_type, CASE WHEN patient_ids IS NULL THEN patient_id END AS patient_id,
             patient_ids, export_id, sum(count) AS n
        FROM log.phi_audit
       WHERE at >= $1 AND at < $2 AND ($3::uuid IS NULL OR practice_id = $3::uuid)
         AND outcome = 'served' AND (client_id IS NOT NULL OR principal_kind = 'api_key')
       GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) p
    LEFT JOIN portal.api_key k ON p.principal_kind = 'api_key' AND k.id::text = p.principal_id
), seen AS MATERIALIZED (
  SELECT practice_id, kind, id, day, hour, patient_id AS patient FROM accesses WHERE patient_id IS NOT NULL
  UNION
  SELECT practice_id, kind, id, day, hour, unnest(patient_ids) FROM accesses WHERE patient_ids IS NOT NULL
), people AS (
  SELECT practice_id, kind, id, day, count(*) AS patients
    FROM (
      SELECT practice_id, kind, id, day, patient FROM seen
      UNION
      SELECT a.practice_id, a.kind, a.id, a.day, unnest(e.patient_ids)
        FROM (SELECT DISTINCT practice_id, kind, id, day, export_id FROM accesses WHERE export_id IS NOT NULL) a
        JOIN log.export_patients e ON e.export_id = a.export_id
    ) p GROUP BY 1, 2, 3, 4
), peaks AS (
  SELECT practice_id, kind, id, day, max(patients) AS peak
    FROM (SELECT practice_id, kind, id, day, hour, count(*) AS patients FROM seen GROUP BY 1, 2, 3, 4, 5) h
   GROUP BY 1, 2, 3, 4
), types AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(resource_type, records) AS types
    FROM (SELECT practice_id, kind, id, day, resource_type, sum(n) AS records FROM accesses
           WHERE resource_type IS NOT NULL AND n > 0 GROUP BY 1, 2, 3, 4, 5) t GROUP BY 1, 2, 3, 4
), exports AS (
  SELECT practice_id, kind, id, day, count(DISTINCT export_id) AS exports
    FROM accesses GROUP BY 1, 2, 3, 4
), refusals AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(refusal, n) AS refusals
    FROM (SELECT practice_id, kind, id, day, refusal, sum(n) AS n FROM calls
           WHERE refusal IS NOT NULL AND status <> 404 GROUP BY 1, 2, 3, 4, 5) r GROUP BY 1, 2, 3, 4
), networks AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(network::text, n) AS networks
    FROM (SELECT practice_id, kind, id, day, network, sum(n) AS n FROM calls
           WHERE network IS NOT NULL GROUP BY 1, 2, 3, 4, 5) n GROUP BY 1, 2, 3, 4
), hours AS (
  SELECT practice_id, kind, id, day, jsonb_object_agg(extract(hour FROM hour AT TIME ZONE 'UTC')::int, n) AS hours
    FROM (SELECT practice_id, kind, id, day, hour, sum(n) AS n
            FROM calls WHERE status <> 401 GROUP BY 1, 2, 3, 4, 5) h GROUP BY 1, 2, 3, 4
), totals AS (
  SELECT practice_id, kind, id, day, sum(n) AS calls,
         coalesce(sum(n) FILTER (WHERE refusal IS NULL AND status <> 404), 0) AS served,
         coalesce(sum(n) FILTER (WHERE status = 404), 0) AS not_found,
         coalesce(sum(n) FILTER (WHERE from_browser AND status <> 401), 0) AS browser,
         max(last_at) FILTER (WHERE status <> 401) AS last_at
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

/** Counts the logs. @param input.practiceId null for all production practices, which takes minutes, so only jobs do it */
export async function countDays(
  { pool, store }: Pick<Db, 'pool' | 'store'>,
  { practiceId, from, until }: Readonly<{ practiceId: string | null; from: string; until: string }>,
): Promise<UseDay[]> {
  // The statement has a name, so that it is planned once: planning takes ten times as long as counting a day.
  const values = [midnight(from), midnight(addDays(until, 1)), practiceId]
  const { rows } =
    practiceId === null
      ? await store.runLong<Row>({ name: 'access-use:count', text: countText(false), values })
      : await pool.query<Row>({ name: 'access-use:count-one', text: countText(true), values })
  return rows.map(({ kind, id, ...row }) => ({ ...row, subject: { kind, id } }))
}

/** Stores finished days that are not stored yet. Concurrent runs write the same rows. @returns the number of days */
export async function keepDays(db: Db): Promise<number> {
  const { pool, clock } = db
  const last = addDays(utcDay(new Date(clock().getTime() - settleMs)), -1)
  const first = (await countedThrough(db)) ?? (await beforeFirst(db, last))
  let days = 0
  for (let day = addDays(first, 1); day <= last; day = addDays(day, 1)) {
    await replaceDay(db, day, await countDays(db, { practiceId: null, from: day, until: day }))
    await pool.query(
      `INSERT INTO portal.access_counted (id, through) VALUES (1, $1::date)
       ON CONFLICT (id) DO UPDATE SET through = greatest(portal.access_counted.through, excluded.through)`,
      [day],
    )
    days += 1
  }
  return days
}

/** Counts yesterday and today for all production practices, and stores them for pages that can't count in time. */
export async function countNow(db: Db): Promise<UseDay[]> {
  const today = utcDay(db.clock())
  const days = [addDays(today, -1), today]
  const through = await countedThrough(db)
  const rows = await countDays(db, { practiceId: null, from: days[0] ?? today, until: today })
  for (const day of days.filter((date) => through === null || date > through))
    await replaceDay(
      db,
      day,
      rows.filter((row) => row.day === day),
    )
  return rows
}

/** Replaces the stored rows of a day. */
async function replaceDay({ pool }: Db, day: string, rows: readonly UseDay[]): Promise<void> {
  await pool.query(
    `WITH input AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS i ("practiceId" uuid, kind text, id text, figures jsonb)
     ), gone AS (
       DELETE FROM portal.access_day d WHERE d.day = $1::date
         AND NOT EXISTS (SELECT 1 FROM input i
                          WHERE i."practiceId" = d.practice_id AND i.kind = d.subject_kind AND i.id = d.subject_id)
     )
     INSERT INTO portal.access_day (practice_id, subject_kind, subject_id, day, figures)
     SELECT "practiceId", kind, id, $1::date, figures FROM input ORDER BY 1, 2, 3
     ON CONFLICT (practice_id, subject_kind, subject_id, day) DO UPDATE SET figures = excluded.figures`,
    [
      day,
      JSON.stringify(rows.map(({ practiceId, subject, figures }) => ({ practiceId, ...subject, figures }))),
    ],
  )
}

/** Deletes old days. @returns the number of rows */
export async function forgetDays({ prisma }: Pick<Db, 'prisma'>, now: Date): Promise<number> {
  const day = new Date(now)
  day.setUTCMonth(day.getUTCMonth() - retentionMonths)
  return deleteInBatches((limit) => prisma.accessDay.deleteMany({ where: { day: { lt: day } }, limit }))
}

async function countedThrough({ prisma }: Db): Promise<string | null> {
  const row = await prisma.accessCounted.findUnique({ where: { id: 1 } })
  return row && utcDay(row.through)
}

/** The day before the logs begin, at most a year ago. */
async function beforeFirst({ pool }: Db, last: string): Promise<string> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'SELECT least((SELECT min(at) FROM log.activity), (SELECT min(at) FROM log.phi_audit)) AS at',
  )
  const [yearAgo, first] = [addDays(last, -firstDays), addDays(utcDay(rows[0]?.at ?? new Date(0)), -1)]
  return [yearAgo, first].sort().at(-1) ?? yearAgo
}

/** Finished days come from storage. Later ones are counted now; if that times out (57014), the job's last count is used. */
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
  const stored = rows.map((row) => ({
    practiceId,
    subject: { kind: row.subjectKind as SubjectKind, id: row.subjectId },
    day: utcDay(row.day),
    figures: row.figures as unknown as Figures,
  }))
  const next = through === null ? from : addDays(through, 1)
  const live = next > from ? next : from
  const past = stored.filter(({ day }) => day < live)
  if (live > until) return past
  const now = await countDays(db, { practiceId, from: live, until }).catch((thrown: unknown) => {
    if ((thrown as { code?: string }).code !== '57014') throw thrown
    return stored.filter(({ day }) => day >= live)
  })
  return [...past, ...now]
}
