/** Checks the connections to PostgreSQL, object storage and the partitions of the logs. */
import type pg from 'pg'
import { writerConnections, writerThreads } from '../ccd/writers.ts'
import type { Env } from '../env.ts'
import { contentStorageOf, storageOf } from '../start/folders.ts'
import { withDatabaseClient } from '../store/database-client.ts'
import { parseDatabaseUrl } from '../store/database-url.ts'
import { findMonthEnds } from '../store/log-months.ts'
import { createS3Client, type S3Client } from '../store/s3-client.ts'
import type { ServingUrls } from '../store/serving-urls.ts'
import { createStore } from '../store/store.ts'
import { workerConnections } from '../store/worker-places.ts'
import { describeContents } from './move-documents-command.ts'
import { type Finding, fault, ok, warning } from './run-command.ts'

/** A busy server may have no row in pg_stat_ssl, but always knows its own address. */
const transport = `SELECT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS ssl,
  inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1' AS local`

type Transport = { ssl: boolean; local: boolean }

/** @param pool a pool without a pooler */
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

/**
 * Counts connections as docs/operations/postgresql.md does, for a process with this environment and a worker. Other
 * processes of the installation are unknown here. The `1` is the recorder's connection.
 */
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
  const processes = roles.map((role) => {
    const documents = role === 'worker' ? 0 : writerThreads * writerConnections
    const lasting = 1 + (role === 'worker' || role === 'all' ? workerConnections : 0)
    return { role, count: pooled ? lasting : env.DATABASE_POOL + documents + lasting }
  })
  const needed = processes.reduce((sum, { count }) => sum + count, 0)
  const finding =
    `PostgreSQL lets this user open ${free}; ` +
    `${processes.map(({ role, count }) => `a process with ROLE=${role} opens up to ${count}`).join(', ')}` +
    (pooled ? ', beside those of the pooler' : '')
  return needed > free
    ? warning(
        'database connections',
        finding,
        'Raise max_connections, lower DATABASE_POOL, or use PgBouncer: docs/operations/postgresql.md',
      )
    : ok('database connections', finding)
}

// Checks of object storage: the bucket for exports, and the places of documents.

const storagePage = 'docs/operations/object-storage.md'
/** The number of objects that are checked. */
const sampleRows = 20

export async function checkExportBucket(env: Env): Promise<Finding[]> {
  const name = 'export bucket'
  const storage = storageOf(env)
  if (storage.kind === 'folder') return []
  const { bucket } = storage.settings
  const reason = await findReason(createS3Client(storage.settings))
  return [
    reason === null
      ? ok(name, `${bucket} answers`)
      : fault(name, `${bucket}: ${reason}`, `Check the variables S3_*: ${storagePage}`),
  ]
}

export async function checkDocuments(pool: pg.Pool, env: Env): Promise<Finding> {
  const name = 'documents'
  const contents = contentStorageOf(env)
  const { documents } = createStore({ pool, clock: () => new Date(), contents })
  // This fails before the first migration, which checkMigrations reports.
  const counts = await documents.count().catch(() => null)
  if (counts === null) return warning(name, 'cannot be counted', 'Migrate, then run this again')
  const places = [
    `in the database ${describeContents(counts.database)}`,
    ...(contents.objects || counts.object.contents > 0
      ? [`in object storage ${describeContents(counts.object)}`]
      : []),
  ].join('; ')
  if (contents.objects === null)
    return counts.object.contents > 0
      ? fault(name, `${places}, and DOCUMENT_URL is not set`, `Set it to where they are: ${storagePage}`)
      : ok(name, places)
  const reason = (await findReason(contents.objects)) ?? (await documents.findForeignOwner())
  if (reason !== null)
    return fault(name, `${places}; ${reason}`, `Check DOCUMENT_URL and the variables S3_*: ${storagePage}`)
  const missing = await countMissing(pool, contents.objects)
  if (missing > 0)
    return fault(
      name,
      `${places}; ${missing} of ${sampleRows} objects are missing`,
      `Bring them back from an earlier version of the bucket: ${storagePage}`,
    )
  return ok(name, `${places}; the bucket answers; new ones go to ${env.DOCUMENT_STORAGE}`)
}

/** @returns null if the bucket responds */
async function findReason(client: S3Client): Promise<string | null> {
  try {
    await client.pages('').next()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

async function countMissing(pool: pg.Pool, objects: S3Client): Promise<number> {
  const { rows } = await pool.query<{ key: string; size: number }>(
    `SELECT encode(sha256, 'hex') AS key, size FROM clinical.binary WHERE stored_in = 'object'
     ORDER BY created_at DESC LIMIT ${sampleRows}`,
  )
  const sizes = await Promise.all(rows.map(({ key }) => objects.sizeOf(key)))
  return rows.filter(({ size }, at) => sizes[at] !== size).length
}

// Checks that the logs have partitions for the next months. Without them rows are still stored, but cannot be dropped by month.

/** Workers create partitions three months ahead, so fewer days than this mean that no worker does. */
const daysMin = 45
const dayMs = 86_400_000

export async function checkLogMonths(pool: Pick<pg.Pool, 'query'>, now = new Date()): Promise<Finding> {
  const name = 'log months'
  // This fails before the first migration, which checkMigrations reports.
  const ends = await findMonthEnds({ pool }).catch(() => null)
  if (ends === null) return warning(name, 'cannot be looked at', 'Migrate, then run this again')
  const first = ends.toSorted((one, other) => one.end.getTime() - other.end.getTime())[0]
  if (first && first.end.getTime() - now.getTime() < daysMin * dayMs)
    return warning(
      name,
      `log.${first.log} has none from ${first.end.toISOString().slice(0, 10)} on`,
      'Look into the worker’s log for “months of the logs”, then run sandpiper migrate in a quiet hour',
    )
  return ok(name, `prepared until ${first?.end.toISOString().slice(0, 10)}`)
}
