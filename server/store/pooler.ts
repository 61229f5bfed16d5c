/**
 * Detects a pooler such as PgBouncer between us and PostgreSQL, and checks that statements work through it. A pooler does
 * not identify itself, so the checks test its behavior.
 */
import { randomInt, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { statementMs } from './pool.ts'

/** A setting leads to an unusable pooler, or to a pooler where none may be. The message says what to do. */
export class PoolerError extends Error {
  override name = 'PoolerError'
}

const page = 'docs/operations/postgresql.md describes it under PgBouncer'
/** First half of a lock that proves that two connections reach the same database. The second half is random. */
const sameDatabaseLockClass = 727_073_705

/** At login a pooler reports an invented process id. A proxy that only forwards bytes is no pooler. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { processID } = client as unknown as { processID: number }
  return (await backendOf(client)) !== processID
}

/** @throws PoolerError */
export async function refusePooler(setting: string, client: pg.Client): Promise<void> {
  if (await isPooled(client))
    throw new PoolerError(
      `${setting} leads to a connection pooler (PgBouncer), which lends its connections for one transaction. ` +
        `What it is used for needs connections that last: set it to the address of PostgreSQL itself; ${page}.`,
    )
}

/**
 * @param client a connection through the pooler
 * @throws PoolerError with the first reason why requests would fail
 */
export async function provePooler(client: pg.Client): Promise<void> {
  await proveTransactions(client)
  await proveStatementNames(client)
  const { rows } = await client.query<{ isStandby: boolean; limitMs: number }>(
    `SELECT pg_is_in_recovery() AS "isStandby", setting::int AS "limitMs"
     FROM pg_settings WHERE name = 'statement_timeout'`,
  )
  const [{ isStandby, limitMs } = { isStandby: false, limitMs: 0 }] = rows
  if (isStandby)
    refuse('leads to a standby, which takes no writes', "point the pooler's database at the primary")
  if (limitMs < 1 || limitMs > statementMs)
    refuse(
      `lets statements run ${limitMs === 0 ? 'without end' : `for ${limitMs} ms`}: the pooler does not pass a limit on`,
      `set connect_query='SET statement_timeout = ${statementMs}' for its database`,
    )
}

/**
 * @param direct a connection to PostgreSQL itself
 * @throws PoolerError if the two settings lead to different databases or use different users
 */
export async function proveSameDatabase(client: pg.Client, direct: pg.Client): Promise<void> {
  const lock = [sameDatabaseLockClass, randomInt(2 ** 31)]
  await direct.query('SELECT pg_advisory_lock($1::int, $2::int)', lock)
  const { rows } = await client.query<{ isSame: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 2
         AND l.classid::bigint = $1::bigint AND l.objid::bigint = $2::bigint
     ) AS "isSame"`,
    lock,
  )
  await direct.query('SELECT pg_advisory_unlock($1::int, $2::int)', lock)
  if (!rows[0]?.isSame)
    throw new PoolerError(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases: set both to the same one, the second ' +
        'without the pooler.',
    )
  const [user, directUser] = [await userOf(client), await userOf(direct)]
  if (user !== directUser)
    throw new PoolerError(
      `DATABASE_URL connects as ${user} and DATABASE_DIRECT_URL as ${directUser}: name the same user in both.`,
    )
}

async function proveTransactions(client: pg.Client): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query('COMMIT')
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('statement pooling')) throw error
    refuse('leads to a pooler that takes no transactions', 'set pool_mode = transaction')
  }
}

/** A pooler that supports prepared statements renames them. One that keeps our name does not support them. */
async function proveStatementNames(client: pg.Client): Promise<void> {
  const name = `sandpiper_probe_${randomUUID()}`
  await client.query('BEGIN')
  await client.query({ name, text: 'SELECT 1' })
  const { rowCount } = await client.query('SELECT 1 FROM pg_prepared_statements WHERE name = $1', [name])
  if (rowCount !== 0) await client.query(`DEALLOCATE ${client.escapeIdentifier(name)}`)
  await client.query('COMMIT')
  if (rowCount === 0) return
  refuse(
    'leads to a pooler that does not keep prepared statements',
    'use PgBouncer 1.21 or newer, with pool_mode = transaction and max_prepared_statements = 1000',
  )
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

async function userOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>('SELECT current_user::text AS name')
  return rows[0]?.name
}

function refuse(reason: string, fix: string): never {
  throw new PoolerError(`DATABASE_URL ${reason}: ${fix}; ${page}.`)
}
