/**
 * What there is to back up, read from the database itself: every table of our schemas, whichever release made it. A row
 * is a line of JSON whose values are PostgreSQL's own texts, so that nothing is lost on the way: a JSON null and no
 * value at all, `-infinity`, numbers beyond those of JavaScript.
 */
import pg from 'pg'

/** The job queue is not among them: its tables belong to its package, its waiting jobs are carried over by jobs.ts. */
export const SCHEMAS = ['portal', 'clinical', 'log'] as const

export interface StoredTable {
  /** `portal.account` */
  readonly name: string
  /** Of one table for each of its partitions, which are not listed. */
  readonly partitioned: boolean
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** COPY gives the rows as lines, in an order that is the same on every server. */
  readonly copyLines: string
  /** The same for some of the rows. @param condition of SQL on `t`, made of this program's own values */
  readonly copyPart: (condition: string) => string
  /** Takes one parameter: an array of such lines as JSON. */
  readonly insertLines: string
}

type Row = {
  schema: string
  table: string
  partitioned: boolean
  columns: { name: string; type: string }[]
  key: { name: string; text: boolean }[] | null
}

const quoted = pg.escapeIdentifier

/** The text of a value must not depend on the settings of the connection. */
export const SAME_TEXTS = `SET LOCAL search_path = pg_catalog; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = ISO;
  SET LOCAL IntervalStyle = postgres; SET LOCAL bytea_output = hex; SET LOCAL extra_float_digits = 1;
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0`

export async function listTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<Row>(
    `SELECT n.nspname AS schema, c.relname AS table, c.relkind = 'p' AS partitioned,
       (SELECT json_agg(json_build_object('name', a.attname,
                'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       coalesce(
         (SELECT json_agg(json_build_object('name', a.attname, 'text', a.attcollation <> 0) ORDER BY k.place)
          FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, place), pg_attribute a
          WHERE i.indrelid = c.oid AND i.indisprimary AND k.place <= i.indnkeyatts
            AND a.attrelid = c.oid AND a.attnum = k.attnum),
         -- A table of partitions has no key of its own, but the columns by which it is parted, and a number.
         (SELECT json_agg(json_build_object('name', a.attname, 'text', a.attcollation <> 0) ORDER BY a.attidentity, a.attnum)
          FROM pg_partitioned_table p, pg_attribute a
          WHERE p.partrelid = c.oid AND a.attrelid = c.oid
            AND (a.attnum = ANY (p.partattrs::int2[]) OR a.attidentity <> ''))) AS key
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1, 2`,
    [SCHEMAS],
  )
  return rows.map(toTable)
}

/** Columns with the value that every row has in a backup, which holds the bytes of all documents itself. */
const sameInBackups: Readonly<Record<string, string>> = { 'clinical.binary.stored_in': `'database'::text` }

function toTable({ schema, table, partitioned, columns, key }: Row): StoredTable {
  const target = `${quoted(schema)}.${quoted(table)}`
  const names = columns.map(({ name }) => quoted(name))
  const texts = columns.map(({ name }) => {
    const value = sameInBackups[`${schema}.${table}.${name}`] ?? `t.${quoted(name)}::text`
    return `${value} AS ${quoted(name)}`
  })
  const order = key?.map(({ name, text }) => `t.${quoted(name)}${text ? ' COLLATE "C"' : ''}`) ?? [
    `row_to_json(r)::text COLLATE "C"`,
  ]
  const copyPart = (condition: string) =>
    `COPY (SELECT row_to_json(r)::text FROM ${target} t CROSS JOIN LATERAL (SELECT ${texts.join(', ')}) r ` +
    `WHERE ${condition} ORDER BY ${order.join(', ')}) TO STDOUT`
  const values = columns.map(({ name, type }) => `r.${quoted(name)}::${type}`)
  return {
    name: `${schema}.${table}`,
    partitioned,
    columns,
    copyLines: copyPart('true'),
    copyPart,
    insertLines:
      `INSERT INTO ${target} (${names.join(', ')}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} ` +
      `FROM json_to_recordset($1::json) AS r(${names.map((name) => `${name} text`).join(', ')})`,
  }
}

/** `portal.account`, quoted for a statement. */
export function quotedTable(name: string): string {
  return name.split('.').map(quoted).join('.')
}

/** What numbers the rows: the last number given out; null: none yet. */
export async function listSequences(client: pg.ClientBase): Promise<{ name: string; last: string | null }[]> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value::text AS last
     FROM pg_sequences WHERE schemaname = ANY ($1) ORDER BY 1`,
    [SCHEMAS],
  )
  return rows
}

/** The migrations that made the tables, by name. Empty: none ever did. */
export async function listMigrations(client: pg.ClientBase): Promise<{ name: string; checksum: string }[]> {
  const { rows: history } = await client.query<{ name: string | null }>(
    `SELECT n.nspname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = '_prisma_migrations' AND n.nspname = 'public'`,
  )
  if (history.length === 0) return []
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM public."_prisma_migrations"
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  )
  return rows
}

/** Tables with triggers of ours: they would write to other tables, or change a row, as it is loaded. */
export async function listTriggered(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE NOT t.tgisinternal AND n.nspname = ANY ($1) ORDER BY 1`,
    [SCHEMAS],
  )
  return rows.map(({ name }) => name)
}

/** Foreign keys, each with the statements that take it away and put it back. */
export async function listForeignKeys(client: pg.ClientBase): Promise<{ drop: string; add: string }[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %I.%I DROP CONSTRAINT %I', n.nspname, c.relname, f.conname) AS drop,
       format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, f.conname,
         pg_get_constraintdef(f.oid)) AS add
     FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE f.contype = 'f' AND n.nspname = ANY ($1) ORDER BY n.nspname, c.relname, f.conname`,
    [SCHEMAS],
  )
  return rows
}
