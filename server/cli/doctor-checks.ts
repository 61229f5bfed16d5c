/** The checks of `sandpiper doctor`. They only create temporary files, and their findings contain no secret. */
import { resolve } from 'node:path'
import type pg from 'pg'
import { clockOffsetMax } from '../contract/http/metrics.ts'
import type { Env } from '../env.ts'
import { createKeyring } from '../keyring.ts'
import { createSmtpTransport } from '../mail/smtp-transport.ts'
import { tryFolder } from '../start/folders.ts'
import { findKeyringProblems } from '../start/keyring-proof.ts'
import { describeStartFault } from '../start/start-fault.ts'
import { readClockOffset } from '../store/clock-offset.ts'
import { checkSchema } from '../store/migrations.ts'
import { createPool } from '../store/pool.ts'
import { patientPool } from '../store/retry.ts'
import { type ServingUrls, servingUrls } from '../store/serving-urls.ts'
import { findStatementsForSuperuser } from '../store/session-settings.ts'
import {
  checkConnections,
  checkDocuments,
  checkExportBucket,
  checkLogMonths,
  checkTransport,
} from './doctor-store.ts'
import { type Finding, fault, ok, warning } from './run-command.ts'

const networkMs = 5_000

/** Removes passwords from URLs, which libraries may repeat in their errors. */
const reasonOf = (error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? String(message).replace(/\/\/[^@\s]*@/g, '//…@')
}

export async function examine(env: Env): Promise<Finding[]> {
  const findings = await Promise.all([
    checkDatabase(env),
    checkMail(env),
    checkFolders(env),
    checkOrigin(env),
    checkProxies(env),
    checkExportBucket(env),
  ])
  return findings.flat()
}

async function checkDatabase(env: Env): Promise<Finding[]> {
  let urls: ServingUrls
  try {
    urls = await servingUrls(env)
  } catch (error) {
    const text = describeStartFault(error) ?? reasonOf(error)
    return [
      fault('database', text, 'Check DATABASE_URL and DATABASE_DIRECT_URL: docs/operations/postgresql.md'),
    ]
  }
  const { appUrl, directUrl } = urls
  const pool = createPool({
    connectionString: directUrl,
    max: 2,
    ...patientPool,
    applicationName: 'sandpiper doctor',
  })
  try {
    return [
      ok('database', appUrl === directUrl ? 'answers' : 'answers, also without the pooler'),
      ...(await Promise.all([
        checkUser(pool, env),
        checkTransport(pool, env, urls),
        checkMigrations(directUrl),
        checkConnections(pool, env, urls),
        checkLogSettings(pool),
        checkArchiving(pool, env),
        checkLogMonths(pool),
        checkClock(pool),
        checkKeyring(pool, env),
        checkDocuments(pool, env),
      ])),
    ]
  } catch (error) {
    return [fault('database', `a check failed (${reasonOf(error)})`, 'Look into PostgreSQL’s log')]
  } finally {
    await pool.end()
  }
}

async function checkUser(pool: pg.Pool, env: Env): Promise<Finding> {
  const name = 'database user'
  const { rows } = await pool.query<{ session: string; superuser: boolean; acts: boolean }>(
    `SELECT session_user::text AS session, rolsuper AS superuser, session_user <> current_user AS acts
     FROM pg_roles WHERE rolname = session_user`,
  )
  const [{ session, superuser, acts } = { session: '', superuser: false, acts: false }] = rows
  const fix = 'Create the two users of deploy/sql/users.sql, and give the server the one that owns nothing'
  if (superuser) return fault(name, `${session} is a superuser`, fix)
  if (acts) return fault(name, `${session} owns the tables and could take on that right again`, fix)
  if (env.DATABASE_MIGRATION_URL)
    return warning(
      name,
      `${session} owns nothing, but this environment also holds the owner’s password`,
      'Set DATABASE_MIGRATION_URL for migrations only',
    )
  return ok(name, `${session} owns nothing`)
}

async function checkMigrations(appUrl: string): Promise<Finding> {
  try {
    const newer = await checkSchema({ appUrl })
    if (newer.length === 0) return ok('migrations', 'all of this release are applied, and no others')
    return ok('migrations', `the database is that of a newer release (${newer.at(-1)}), which works`)
  } catch (error) {
    return fault(
      'migrations',
      reasonOf(error),
      'Run sandpiper migrate with the release that the finding names',
    )
  }
}

async function checkLogSettings(pool: pg.Pool): Promise<Finding> {
  const statements = await findStatementsForSuperuser(pool)
  if (statements.length === 0) return ok('database log', 'holds no statements with personal data')
  return warning(
    'database log',
    'may hold personal data of failed statements',
    `As a superuser: ${statements.join(' ')}`,
  )
}

/** Without the write-ahead log a restore ends at the last backup. A backup by streaming replication needs no archiving. */
export async function checkArchiving(
  pool: Pick<pg.Pool, 'query'>,
  { PUBLIC_ORIGIN: origin }: Pick<Env, 'PUBLIC_ORIGIN'>,
): Promise<Finding> {
  const name = 'WAL archiving'
  if (!origin.startsWith('https:')) return ok(name, 'not expected on localhost')
  const page = 'docs/operations/backup.md'
  const { rows } = await pool.query<{ on: boolean; failed: string | null; archived: Date | null }>(
    `SELECT current_setting('archive_mode') <> 'off'
         AND current_setting('archive_command') || coalesce(current_setting('archive_library', true), '') <> '' AS on,
       CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN last_failed_wal END AS failed,
       last_archived_time AS archived
     FROM pg_stat_archiver`,
  )
  const [{ on, failed, archived } = { on: false, failed: null, archived: null }] = rows
  if (!on)
    return warning(
      name,
      'off: a restore loses what was written after the last backup',
      `Set up pgBackRest, or make sure that something else keeps the log: ${page}`,
    )
  if (failed)
    return warning(
      name,
      `PostgreSQL cannot archive ${failed}, and keeps its log until the disk is full`,
      `Look into PostgreSQL’s log for the error of archive_command: ${page}`,
    )
  return ok(name, archived ? `last archived ${archived.toISOString()}` : 'on')
}

async function checkClock(pool: pg.Pool): Promise<Finding> {
  const seconds = await readClockOffset(pool)
  const finding = `differs from that of the database by ${Math.abs(seconds).toFixed(1)} s`
  return Math.abs(seconds) > clockOffsetMax
    ? fault('clock', finding, 'Let both machines follow a time server (chrony, systemd-timesyncd)')
    : ok('clock', finding)
}

async function checkKeyring(pool: pg.Pool, env: Env): Promise<Finding> {
  const keyring = createKeyring(env.ENCRYPTION_KEYS)
  const name = 'keyring'
  // Before the first migration the tables do not exist.
  const problems = await findKeyringProblems({ pool, keyring }).catch(() => null)
  if (problems === null)
    return warning(name, 'cannot be held against the database', 'Migrate, then run this again')
  if (problems.length > 0)
    return fault(name, problems.join('; '), 'Put the original key back into ENCRYPTION_KEYS')
  return ok(name, `opens what this database holds; ${keyring.keyIds.join(', ')}`)
}

async function checkMail({ SMTP_URL: url }: Env): Promise<Finding[]> {
  if (!url) return [fault('mail', 'SMTP_URL is missing', 'Set SMTP_URL')]
  const transport = createSmtpTransport(url)
  const { host } = new URL(url)
  try {
    await transport.check?.()
    return [ok('mail', `${host} accepts us`)]
  } catch (error) {
    return [
      fault(
        'mail',
        `${host} does not accept us (${reasonOf(error)})`,
        'Check host, port, user and password of SMTP_URL',
      ),
    ]
  } finally {
    transport.close()
  }
}

async function checkFolders(env: Env): Promise<Finding[]> {
  const folders = {
    DATA_DIR: env.DATA_DIR,
    EXPORT_DIR: env.EXPORT_DIR,
    AUDIT_HEADS_DIR: env.AUDIT_HEADS_DIR,
    ...(env.AUDIT_HEADS_SECOND_DIR && { AUDIT_HEADS_SECOND_DIR: env.AUDIT_HEADS_SECOND_DIR }),
  }
  return Promise.all(
    Object.entries(folders).map(async ([name, folder]) => {
      const place = resolve(folder)
      try {
        await tryFolder(place)
        return ok(name, `${place} can be written`)
      } catch (error) {
        return fault(
          name,
          `${place} cannot be written (${reasonOf(error)})`,
          `Let the server’s user own the folder, or set ${name} to another one`,
        )
      }
    }),
  )
}

/** Whether a server responds at the public origin, with a trusted certificate. */
async function checkOrigin({ PUBLIC_ORIGIN: origin }: Env): Promise<Finding[]> {
  const name = 'public origin'
  try {
    const { status } = await fetch(new URL('/healthz', origin), { signal: AbortSignal.timeout(networkMs) })
    if (status === 200) return [ok(name, `${origin} answers`)]
    const fix = 'Start the server, and let the proxy pass every path on to it'
    return [fault(name, `${origin}/healthz responds ${status}`, fix)]
  } catch (error) {
    const { cause = error } = error as Error
    const reason = reasonOf(cause)
    if (/CERT|ISSUER|SIGNATURE/.test(reason)) {
      const fix = 'Install a certificate of a known authority, with its chain'
      return [fault('TLS', `the certificate of ${origin} is not trusted (${reason})`, fix)]
    }
    const fix = 'Start server and proxy, or set PROBE_ORIGIN if this machine must not reach it'
    return [warning(name, `${origin} cannot be reached from here (${reason})`, fix)]
  }
}

async function checkProxies({ PUBLIC_ORIGIN, TRUSTED_PROXY_CIDRS: networks }: Env): Promise<Finding[]> {
  const name = 'proxy'
  if (networks) return [ok(name, `X-Forwarded-For counts from ${networks.join(', ')}`)]
  if (!PUBLIC_ORIGIN.startsWith('https:')) return [ok(name, 'none is expected')]
  return [
    fault(
      name,
      'TRUSTED_PROXY_CIDRS is missing: every request seems to come from the proxy, and shares one rate limit',
      'Set it to the networks of your proxies, such as 127.0.0.1/32',
    ),
  ]
}
