/**
 * The ledger of an import: which resource each source becomes, the keys by which others refer to it, and its own references.
 * It uses temporary tables of one connection, so that memory stays constant and a killed import leaves nothing behind.
 */

import type pg from 'pg'
import { type FhirType, fhirTypeNumbers, fhirTypeOf } from '../../server/contract/fhir/registry.ts'
import { copyIn, copyLine } from '../../server/store/copy.ts'

export type Task = 'load' | 'update' | 'nothing'

export interface ReferenceKeys {
  /** The keys of its target, see `keysOf`. */
  readonly keys: readonly string[]
  /** The `Type/id` of the same reference in the stored resource that seems equal. */
  readonly expected?: string
}

export interface Entry {
  readonly file: number
  readonly position: number
  readonly type: FhirType
  /** The id in the store. */
  readonly id: string
  /** The id at the source. */
  readonly origin: string
  /** The hash of the text, to recognize the same resource. */
  readonly hash: string
  readonly task: Task
  /** See `Plan`. */
  readonly spareId: string | null
  readonly keys: readonly string[]
  readonly references: readonly ReferenceKeys[]
}

export interface Target {
  readonly type: FhirType
  readonly id: string
}

export interface Planned extends Target {
  readonly origin: string
  readonly hash: string
  readonly task: Task
  /** The reason of a refusal. */
  readonly reason: string | null
}

/** The number for all resources of unsupported types. */
const unstored = 0

/** The number for all resources that are refused before they get one. */
export const refusedNumber = -1

export async function openLedger(client: pg.PoolClient) {
  // The tables grow, so a plan from when they were small would scan them for every batch.
  await client.query(`
    SET statement_timeout = 0;
    SET maintenance_work_mem = '128MB';
    SET work_mem = '64MB';
    SET temp_buffers = '128MB';
    SET enable_seqscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    CREATE TEMP TABLE import_source (n int PRIMARY KEY, file int, position int, type smallint, id text COLLATE "C",
      origin text COLLATE "C", hash text, task text, spare_id text, reason text, round int);
    INSERT INTO import_source (n, reason) VALUES (${refusedNumber}, 'refused');
    CREATE UNIQUE INDEX ON import_source (type, origin);
    CREATE TEMP TABLE import_key (key text COLLATE "C", file int, n int);
    CREATE TEMP TABLE import_reference (n int, key text COLLATE "C", exact text COLLATE "C", expected text);
    CREATE TEMP TABLE import_outside (key text COLLATE "C" PRIMARY KEY, type smallint, id text)`)
  let last = unstored

  let latest: Promise<unknown> = Promise.resolve()
  /** Runs the queries of several batches one after the other on the connection. */
  function inTurn<Row extends pg.QueryResultRow>(question: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const answer = latest.then(() => client.query<Row>(question))
    latest = answer.catch(() => {})
    return answer
  }

  /** @returns by `Type/origin`, the sources that the ledger already has */
  async function findTaken(
    sources: readonly { readonly type: FhirType; readonly origin: string }[],
  ): Promise<Map<string, { hash: string; n: number }>> {
    const { rows } = await client.query<{ type: number; origin: string; hash: string; n: number }>({
      name: 'ledger:taken',
      text: `SELECT s.type, s.origin, s.hash, s.n
             FROM unnest($1::smallint[], $2::text[]) AS w (type, origin) CROSS JOIN LATERAL (
               SELECT * FROM import_source WHERE (type, origin) = (w.type, w.origin) LIMIT 1) s`,
      values: [sources.map(({ type }) => fhirTypeNumbers[type]), sources.map(({ origin }) => origin)],
    })
    return new Map(rows.map((row) => [`${fhirTypeOf(row.type)}/${row.origin}`, row]))
  }

  /** The number of the next source. */
  function nextNumber(): number {
    last += 1
    return last
  }

  async function add(entries: readonly (Entry & { n: number })[]): Promise<void> {
    if (entries.length === 0) return
    const sources = entries.map(({ n, file, position, type, id, origin, hash, task, spareId }) =>
      copyLine([n, file, position, fhirTypeNumbers[type], id, origin, hash, task, spareId]),
    )
    await copyIn(
      client,
      'import_source (n, file, position, type, id, origin, hash, task, spare_id)',
      sources.join(''),
    )
    await addKeys(entries)
    const references = entries.flatMap(({ n, references }) =>
      references.map(({ keys: [key = '', exact = null], expected = null }) =>
        copyLine([n, key, exact, expected]),
      ),
    )
    if (references.length > 0) {
      await copyIn(client, 'import_reference (n, key, exact, expected)', references.join(''))
    }
  }

  /** Adds keys of sources. Keys without a number belong to resources of unsupported types. */
  async function addKeys(entries: readonly { keys: readonly string[]; file: number; n?: number }[]) {
    const lines = entries.flatMap(({ keys, file, n = unstored }) =>
      keys.map((key) => copyLine([key, file, n])),
    )
    if (lines.length > 0) await copyIn(client, 'import_key (key, file, n)', lines.join(''))
  }

  /** Ends the first pass. The ledger can be queried afterwards. */
  async function close(): Promise<void> {
    await client.query(`
      CREATE INDEX ON import_key (key);
      CREATE UNIQUE INDEX ON import_source (file, position);
      ANALYZE import_source; ANALYZE import_key; ANALYZE import_reference;
      RESET enable_seqscan; RESET enable_hashjoin; RESET enable_mergejoin`)
  }

  /** Yields pages of referenced keys that no source has. */
  async function* openKeys(): AsyncGenerator<string[], void> {
    await client.query(`
      CREATE TEMP TABLE import_open (key text COLLATE "C" PRIMARY KEY);
      INSERT INTO import_open SELECT DISTINCT r.key FROM import_reference r
      WHERE NOT EXISTS (SELECT FROM import_key k WHERE k.key = r.key)`)
    for (let after = ''; ; ) {
      const { rows } = await client.query<{ key: string }>(
        'SELECT key FROM import_open WHERE key > $1 ORDER BY key LIMIT 5000',
        [after],
      )
      if (rows.length === 0) return
      yield rows.map(({ key }) => key)
      after = rows.at(-1)?.key ?? ''
    }
  }

  /** Adds keys of resources that the practice already has. */
  async function addOutside(found: ReadonlyMap<string, Target>): Promise<void> {
    const lines = [...found].map(([key, { type, id }]) => copyLine([key, fhirTypeNumbers[type], id]))
    if (lines.length > 0) await copyIn(client, 'import_outside (key, type, id)', lines.join(''))
  }

  /** @returns the number of sources to store, and the first refused one */
  async function summary() {
    const pending = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM import_source WHERE reason IS NULL AND task <> 'nothing'`,
    )
    const refused = await client.query<{ file: number; position: number; reason: string }>(
      `SELECT file, position, reason FROM import_source WHERE reason IS NOT NULL AND n <> ${refusedNumber}
       ORDER BY file, position LIMIT 1`,
    )
    return { pending: pending.rows[0]?.count ?? 0, refused: refused.rows[0] ?? null }
  }

  /** @returns the files with sources to store or report */
  async function busyFiles(): Promise<ReadonlySet<number>> {
    const { rows } = await client.query<{ file: number }>(
      `SELECT DISTINCT file FROM import_source 
       WHERE n <> ${refusedNumber} AND (reason IS NOT NULL OR task <> 'nothing')`,
    )
    return new Set(rows.map(({ file }) => file))
  }

  /** @returns the planned tasks by position */
  async function findPlanned(file: number, positions: readonly number[]): Promise<Map<number, Planned>> {
    const { rows } = await inTurn<Omit<Planned, 'type'> & { position: number; type: number }>({
      name: 'ledger:planned',
      text: `SELECT position, type, id, origin, hash, task, reason FROM import_source
             WHERE file = $1 AND position = ANY ($2::int[])`,
      values: [file, positions],
    })
    return new Map(rows.map(({ position, type, ...row }) => [position, { ...row, type: fhirTypeOf(type) }]))
  }

  /**
   * Finds the resource of each key: the first one in the same file (a `urn:uuid` is local to its Bundle), or else the first
   * in any file, or else one that the practice already had. Null for a resource of an unsupported type.
   */
  async function resolve(file: number, keys: readonly string[]): Promise<Map<string, Target | null>> {
    const { rows } = await inTurn<{ key: string; type: number | null; id: string | null }>({
      name: 'ledger:resolve',
      text: `SELECT w.key, coalesce(inside.type, outside.type) AS type, coalesce(inside.id, outside.id) AS id
             FROM unnest($2::text[]) AS w (key)
             LEFT JOIN LATERAL (
               SELECT k.n, s.type, s.id FROM import_key k LEFT JOIN import_source s USING (n)
               WHERE k.key = w.key AND s.reason IS NULL ORDER BY (k.file <> $1), k.n LIMIT 1
             ) inside ON true
             LEFT JOIN import_outside outside ON outside.key = w.key
             WHERE inside.n IS NOT NULL OR outside.key IS NOT NULL`,
      values: [file, keys],
    })
    return new Map(
      rows.map(({ key, type, id }) => [
        key,
        type === null || id === null ? null : { type: fhirTypeOf(type), id },
      ]),
    )
  }

  return {
    findTaken,
    nextNumber,
    add,
    addKeys,
    close,
    openKeys,
    addOutside,
    settle: () => settle(client),
    refuseDangling: () => refuseDangling(client),
    summary,
    busyFiles,
    findPlanned,
    resolve,
  }
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>

const types = Object.entries(fhirTypeNumbers).map(([name, number]) => `(${number}, '${name}')`)

/** SQL for the resource of a key, with the precedence of `resolve`. */
const addressOf = (key: string) => `coalesce(
    (SELECT t.name || '/' || s.id FROM import_key k JOIN import_source s USING (n) JOIN types t ON t.type = s.type
     WHERE k.key = ${key} AND s.reason IS NULL ORDER BY (k.file <> f.file), k.n LIMIT 1),
    (SELECT t.name || '/' || o.id FROM import_outside o JOIN types t ON t.type = o.type WHERE o.key = ${key}))`

const moved = `WITH types (type, name) AS (VALUES ${types.join()}), moved AS (
    SELECT DISTINCT ON (r.n) r.n, r.expected FROM import_reference r JOIN import_source f USING (n)
    WHERE r.expected IS NOT NULL
      AND coalesce(${addressOf('r.exact')}, ${addressOf('r.key')}) IS DISTINCT FROM r.expected
    ORDER BY r.n, r.expected)`

/**
 * Corrects sources that seemed equal to a stored resource but have references to other resources: they are loaded under
 * their spare id, or refused if an earlier import had stored them.
 * @returns the number of refused sources by type
 */
async function settle(client: pg.PoolClient): Promise<{ type: FhirType; count: number }[]> {
  const counts = new Map<number, number>()
  for (;;) {
    // Each change may affect sources that refer to it, so this repeats until nothing changes.
    const { rows } = await client.query<{ type: number }>(
      `${moved}, unexpected AS (
         UPDATE import_reference r SET expected = NULL FROM moved m WHERE r.n = m.n)
       UPDATE import_source s SET
         id = coalesce(s.spare_id, s.id),
         task = CASE WHEN s.spare_id IS NULL THEN s.task ELSE 'load' END,
         reason = CASE WHEN s.spare_id IS NULL
           THEN 'was imported before and referred to ' || left(m.expected, 120) || ' of this practice' END
       FROM moved m WHERE s.n = m.n
       RETURNING s.type`,
    )
    if (rows.length === 0) break
    for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return [...counts].map(([type, count]) => ({ type: fhirTypeOf(type), count }))
}

/** SQL: the key belongs to no accepted source and to no resource of the practice. */
const isDead = (key: string) => `NOT EXISTS (
    SELECT FROM import_key k LEFT JOIN import_source t USING (n) WHERE k.key = ${key} AND t.reason IS NULL
  ) AND NOT EXISTS (SELECT FROM import_outside o WHERE o.key = ${key})`

/** SQL for a dangling reference. `settle` has already checked references with an expected target. */
const isDangling = `r.expected IS NULL AND ${isDead('r.key')} AND (r.exact IS NULL OR (${isDead('r.exact')}))`

/** SQL for references to sources that the previous round refused. */
const isAffected = `r.ctid IN (
    SELECT a.ctid FROM import_reference a JOIN import_fresh f ON a.key = f.key
    UNION SELECT b.ctid FROM import_reference b JOIN import_fresh f ON b.exact = f.key)`

/** @returns the number of refused sources */
async function refuseDangling(client: pg.PoolClient): Promise<number> {
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
