/** Finds out, before anything is stored, what refers to nothing, and what refers to that in turn. */
import type pg from 'pg'

/** The key names neither something of the load that is not refused, nor something of the practice. */
const isDead = (key: string) => `NOT EXISTS (
    SELECT FROM import_key k LEFT JOIN import_source t USING (n) WHERE k.key = ${key} AND t.reason IS NULL
  ) AND NOT EXISTS (SELECT FROM import_outside o WHERE o.key = ${key})`

/** Of those with an expected target `settle` has judged. */
const isDangling = `r.expected IS NULL AND ${isDead('r.key')} AND (r.exact IS NULL OR (${isDead('r.exact')}))`

/** Of the references alone that name what the round before refused. */
const isAffected = `r.ctid IN (
    SELECT a.ctid FROM import_reference a JOIN import_fresh f ON a.key = f.key
    UNION SELECT b.ctid FROM import_reference b JOIN import_fresh f ON b.exact = f.key)`

/** @returns how many sources of the ledger were refused */
export async function refuseDangling(client: pg.PoolClient): Promise<number> {
  let refused = await refuseWhere(client, isDangling, 1)
  let sum = refused
  if (refused > 0) {
    await client.query(`
      CREATE INDEX ON import_reference (key);
      CREATE INDEX ON import_reference (exact) WHERE exact IS NOT NULL;
      CREATE INDEX ON import_key (n);
      CREATE TEMP TABLE import_fresh (key text COLLATE "C")`)
  }
  for (let round = 1; refused > 0; round += 1) {
    await client.query('TRUNCATE import_fresh')
    await client.query(
      `INSERT INTO import_fresh SELECT DISTINCT k.key FROM import_key k JOIN import_source s USING (n)
       WHERE s.round = $1`,
      [round],
    )
    await client.query('ANALYZE import_fresh')
    refused = await refuseWhere(client, `${isAffected} AND ${isDangling}`, round + 1)
    sum += refused
  }
  return sum
}

async function refuseWhere(client: pg.PoolClient, condition: string, round: number): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE import_source s SET round = $1, reason = 'refers to nothing: ' || left(dead.key, 120)
     FROM (SELECT DISTINCT ON (r.n) r.n, coalesce(r.exact, r.key) AS key FROM import_reference r
           WHERE ${condition} ORDER BY r.n, r.key) dead
     WHERE s.n = dead.n AND s.reason IS NULL`,
    [round],
  )
  return rowCount ?? 0
}
