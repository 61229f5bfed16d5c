/**
 * Whether credentials are good, decided on the tables that say so, without the rows that the triggers keep. Written
 * apart from the view portal.live_source, so that a mistake there shows.
 */
import type pg from 'pg'
import {
  appStoppedSql,
  clientAtPracticeSql,
  explorerGrantSql,
  explorerSessionSql,
  keyStoppedSql,
  personAtPracticeSql,
} from '../../server/store/liveness.ts'

/** Of portal.api_key `k`. */
const keySql = `EXISTS (
  SELECT 1 FROM portal.practice p
  WHERE p.id = k.practice_id AND k.revoked_at IS NULL AND k.suspended_at IS NULL AND k.expires_at > $1
    AND (k.papers_until IS NULL OR k.papers_until > $1) AND p.state = 'active' AND ${explorerSessionSql('k', '$1')}
    AND NOT ${keyStoppedSql})`

/** Of portal.access_token `t`. */
const tokenSql = `EXISTS (
  SELECT 1 FROM portal."grant" g
    JOIN portal.client c ON c.id = g.client_id JOIN portal.practice p ON p.id = g.practice_id
    LEFT JOIN portal.account a ON a.id = g.account_id
  WHERE g.id = t.grant_id AND t.expires_at > $1
    AND t.revoked_at IS NULL AND g.revoked_at IS NULL AND a.disabled_at IS NULL
    AND c.suspended_at IS NULL AND c.removed_at IS NULL AND ${clientAtPracticeSql}
    AND ${personAtPracticeSql} AND ${explorerGrantSql('$1')}
    AND p.state = 'active' AND p.fhir_enabled AND g.audience = ANY (p.fhir_audiences)
    AND NOT ${appStoppedSql})`

const wantedSql = `
  SELECT k.id, p.dataset_id, p.id AS practice_id, 'version ' || k.version AS believed, ${keySql} AS good
    FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
  UNION ALL
  SELECT t.id, p.dataset_id, p.id, 'types ' || array_to_string(p.fhir_types, ','), ${tokenSql}
    FROM portal.access_token t JOIN portal."grant" g ON g.id = t.grant_id
    JOIN portal.practice p ON p.id = g.practice_id`

/** @returns ids of credentials whose row is missing, too many or wrong at the instant; nobody's row counts, too */
export async function findWrong(db: Pick<pg.Pool, 'query'>, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'live-oracle',
    text: `WITH wanted AS (${wantedSql.replaceAll('$1', '$1::timestamptz')})
      SELECT coalesce(w.id, l.credential) AS id FROM wanted w FULL JOIN clinical.live l ON l.credential = w.id
      WHERE w.id IS NULL OR l.credential IS NULL OR (l.good_until > $1) IS DISTINCT FROM w.good
        OR (l.dataset_id, l.practice_id, l.believed) IS DISTINCT FROM (w.dataset_id, w.practice_id, w.believed)`,
    values: [now],
  })
  return rows.map(({ id }) => id)
}

/** @returns ids of all that are good at the instant */
export async function listGood(db: Pick<pg.Pool, 'query'>, now: Date): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT credential AS id FROM clinical.live WHERE good_until > $1',
    [now],
  )
  return new Set(rows.map(({ id }) => id))
}
