/** Rows in the logs, and the partitions where they are. */
import type pg from 'pg'
import type { TestDatabase } from './database.ts'

export const logPractice = '0190a0a0-0000-7000-8000-000000000002'
export const logKey = '0190a0a0-0000-7000-8000-000000000003'

type Log = 'activity' | 'phi_audit'
export const logs: readonly Log[] = ['activity', 'phi_audit']

const statements: Record<Log, string> = {
  activity: `INSERT INTO log.activity (at, door, environment, key_id, method, route, status, correlation_id, duration_ms)
    SELECT at, 'rest', 'sandbox', '${logKey}', 'GET', '/patients', 200, gen_random_uuid(), 1
    FROM unnest($1::timestamptz[]) at, generate_series(1, $2::int)`,
  phi_audit: `INSERT INTO log.phi_audit (at, practice_id, principal_kind, principal_id, action, count, purpose, outcome, correlation_id)
    SELECT at, '${logPractice}', 'api_key', 'k', 'read', 1, 'care', 'served', gen_random_uuid()
    FROM unnest($1::timestamptz[]) at, generate_series(1, $2::int)`,
}

/** By the server's role, to the table as a whole, as a release does that knows no partitions. */
export async function insertLogRows(
  { pool }: Pick<TestDatabase, 'pool'>,
  log: Log,
  times: readonly (string | Date)[],
  copies = 1,
): Promise<void> {
  await pool.query(statements[log], [times, copies])
}

/** `before`, `mmxxvii_i`, `later`, in the order of time. */
export async function listPartitions(owner: pg.Pool, log: Log): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass
     ORDER BY inhrelid::regclass::text NOT LIKE '%_before', inhrelid::regclass::text LIKE '%_later', log.bound_of(inhrelid)`,
    [`log.${log}`],
  )
  return rows.map(({ name }) => name.replace(`log.${log}_`, ''))
}

/** The partition of each row, in the order of ids. */
async function placesOfRows(owner: pg.Pool, log: Log): Promise<string[]> {
  const { rows } = await owner.query<{ place: string }>(
    `SELECT tableoid::regclass::text AS place FROM log.${log} ORDER BY id`,
  )
  return rows.map(({ place }) => place.replace(`log.${log}_`, ''))
}

/** What tests of the logs do with a database that they choose later. */
export function logTools(database: () => TestDatabase) {
  return {
    asOwner: <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      database()
        .ownerPool.query<Row>(sql, values)
        .then(({ rows }) => rows),
    insert: (log: Log, ...times: (string | Date)[]) => insertLogRows(database(), log, times),
    places: (log: Log) => placesOfRows(database().ownerPool, log),
  }
}

const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']

/** `mmxxvii_i`, so many months from the present one, within 2001 to 2099. */
export function monthName(months: number): string {
  const start = monthStart(months)
  const [tens, ones] = [Math.floor((start.getUTCFullYear() % 100) / 10), start.getUTCFullYear() % 10]
  const year = `${['', 'x', 'xx', 'xxx', 'xl', 'l', 'lx', 'lxx', 'lxxx', 'xc'][tens]}${ones === 0 ? '' : roman[ones - 1]}`
  return `mm${year}_${roman[start.getUTCMonth()]}`
}

export function monthStart(months: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
}

/** The empty log, with partitions for the months between. */
export async function shapeLog(owner: pg.Pool, log: Log, from: number, until: number): Promise<void> {
  for (const each of await listPartitions(owner, log)) await owner.query(`DROP TABLE log.${log}_${each}`)
  const bound = (months: number) => `'${monthStart(months).toISOString()}'`
  const add = (name: string, bounds: string) =>
    owner.query('SELECT log.add_partition($1, $2, $3)', [log, `${log}_${name}`, bounds])
  await add('before', `(MINVALUE) TO (${bound(from)})`)
  for (let month = from; month < until; month++)
    await add(monthName(month), `(${bound(month)}) TO (${bound(month + 1)})`)
  await add('later', `(${bound(until)}) TO (MAXVALUE)`)
}
