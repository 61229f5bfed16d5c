/** Whether connections to PostgreSQL are encrypted, and whether there are enough of them. */
import type pg from 'pg'
import type { Env } from '../env.ts'
import { connectionBudget } from '../start/connection-budget.ts'
import { withDatabaseClient } from '../store/database-client.ts'
import { parseDatabaseUrl } from '../store/database-url.ts'
import type { ServingUrls } from '../store/serving-urls.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Where the connection goes is known even when the busy server has no row about it. */
const transport = `SELECT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS ssl,
  inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1' AS local`

type Transport = { ssl: boolean; local: boolean }

/** @param pool to PostgreSQL itself */
export async function checkTransport(pool: pg.Pool, env: Env, { appUrl }: ServingUrls): Promise<Finding> {
  const name = 'database TLS'
  const direct = env.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const { rows } = await pool.query<Transport>(transport)
  const [{ ssl, local } = { ssl: false, local: false }] = rows
  if (!ssl && !local) return notEncrypted(env[direct] ?? '', direct)
  const address = parseDatabaseUrl(appUrl)
  if (address.pooled) {
    const isLocal = address.servers.every(({ host }) => host === 'localhost' || /^(\/|127\.|::1$)/.test(host))
    if (address.tls.mode === 'disable' && !isLocal) return notEncrypted(appUrl, 'DATABASE_URL')
    const behind = await withDatabaseClient(appUrl, (client) => client.query<Transport>(transport))
    if (!behind.rows[0]?.ssl && !behind.rows[0]?.local)
      return fault(
        name,
        'the pooler’s connection to PostgreSQL is not encrypted',
        'Set server_tls_sslmode = verify-full in pgbouncer.ini',
      )
  }
  return ok(name, ssl ? 'the connection is encrypted' : 'not encrypted, and on this machine')
}

function notEncrypted(url: string, setting: string): Finding {
  const hosts = parseDatabaseUrl(url).servers.map(({ host }) => host)
  return fault(
    'database TLS',
    `the connection to ${hosts.join(', ')} is not encrypted`,
    `Add sslmode=verify-full to ${setting}`,
  )
}

/** A process as this environment's, and a worker; others of the installation are not known here. */
export async function checkConnections(
  pool: Pick<pg.Pool, 'query'>,
  env: Env,
  { appUrl }: ServingUrls,
): Promise<Finding> {
  const { rows } = await pool.query<{ free: number }>(
    `SELECT least(
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true)::int, 0),
       nullif((SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user), -1),
       nullif((SELECT datconnlimit FROM pg_database WHERE datname = current_database()), -1)) AS free`,
  )
  const free = rows[0]?.free ?? 0
  const { pooled } = parseDatabaseUrl(appUrl)
  const roles = env.ROLE === 'worker' || env.ROLE === 'all' ? [env.ROLE] : [env.ROLE, 'worker' as const]
  const each = roles.map((role) => {
    const { requests, lasting } = connectionBudget({ ...env, ROLE: role })
    return { role, count: pooled ? lasting : requests + lasting }
  })
  const needed = each.reduce((sum, { count }) => sum + count, 0)
  const finding =
    `PostgreSQL lets this user open ${free}; ` +
    `${each.map(({ role, count }) => `a process with ROLE=${role} opens up to ${count}`).join(', ')}` +
    (pooled ? ', beside those of the pooler' : '')
  return needed > free
    ? warning(
        'database connections',
        finding,
        'Raise max_connections, lower DATABASE_POOL, or use PgBouncer: docs/operations/postgresql.md',
      )
    : ok('database connections', finding)
}
