/**
 * The PostgreSQL that the tests run on: a cluster of their own that forgets everything, or, with
 * DATABASE_URL, databases of their own on that server.
 */
import { randomInt } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { APP_ROLE, OWNER_ROLE } from '../../scripts/postgres/cluster.mjs'
import { processIdentity } from '../../scripts/postgres/processes.mjs'
import { discardPostgres, startPostgres } from '../../scripts/postgres/start.mjs'
import { prepareDatabaseUrls } from '../../server/store/roles.ts'

/** What a worker needs to make databases; passed to it as plain data. */
export type TestServer = {
  /** May create and drop databases. */
  adminUrl: string
  /** URL of a database, `DATABASE` standing for its name. */
  ownerUrl: string
  appUrl: string
  /** Owner of new databases; null: whoever makes them. */
  ownerRole: string | null
  /** Begins the name of every database of this run. */
  prefix: string
}

const PREFIX = 'sandpiper_test_'
// Nothing here outlives the run, so nothing is flushed.
const FLAGS = [
  'fsync=off',
  // Every database that is made or removed goes through all of it.
  'shared_buffers=64MB',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=400',
  'max_wal_size=1GB',
  'checkpoint_timeout=1h',
  // The same plans in every run, however long it takes.
  'autovacuum=off',
]

/** Starts the server of a test run; `stop` leaves nothing behind. */
export async function startTestServer(databaseUrl: string | undefined): Promise<{
  server: TestServer
  stop: () => Promise<void>
}> {
  return databaseUrl ? borrowServer(databaseUrl) : startCluster()
}

async function startCluster() {
  await discardOrphans()
  const folder = join(clusterHome(), `${folderPrefix(process.pid)}${randomInt(1e9)}`)
  mkdirSync(folder)
  // As root, PostgreSQL runs under another account that must get in.
  chmodSync(folder, 0o755)
  const { adminUrl } = await startPostgres({ dataDir: folder, flags: FLAGS })
  const urlAs = (role: string) => {
    const url = new URL(adminUrl)
    url.username = role
    url.pathname = '/DATABASE'
    return url.href
  }
  const server: TestServer = {
    adminUrl,
    ownerUrl: urlAs(OWNER_ROLE),
    appUrl: urlAs(APP_ROLE),
    ownerRole: OWNER_ROLE,
    prefix: PREFIX,
  }
  return { server, stop: () => discardPostgres(folder) }
}

const MEMORY = '/dev/shm'

/** Memory where there is room: copying the template there takes a twentieth of the time that it takes on a disk. */
function clusterHome(): string {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize > 2e9 && process.availableMemory() > 6e9) return MEMORY
  } catch {
    // Not every system has it.
  }
  return tmpdir()
}

/** Clusters of runs that were killed. */
async function discardOrphans(): Promise<void> {
  for (const home of [tmpdir(), MEMORY].filter((folder) => existsSync(folder)))
    for (const name of readdirSync(home)) {
      const pid = Number(/^sandpiper-tests-(\d+)-/.exec(name)?.[1])
      if (pid && !name.startsWith(folderPrefix(pid))) await discardPostgres(join(home, name))
    }
}

/** Names the run's process so that a later process with the same id is not taken for it. */
function folderPrefix(pid: number): string {
  const identity = (processIdentity(pid) ?? 'gone').replace(/\W+/g, '')
  return `sandpiper-tests-${pid}-${identity}-`
}

async function borrowServer(databaseUrl: string) {
  const run = randomInt(2 ** 31 - 1)
  const control = new pg.Client({ connectionString: databaseUrl })
  await control.connect()
  await checkServer(control)
  // Held while the run lives: a run whose lock is free was killed.
  await control.query('SELECT pg_advisory_lock(2026, $1)', [run])
  await dropOrphans(control)
  const { ownerUrl, appUrl } = await prepareDatabaseUrls({ databaseUrl })
  const urlOf = (url: string) => {
    const result = new URL(url)
    result.pathname = '/DATABASE'
    return result.href
  }
  const prefix = `${PREFIX}${run}_`
  const server: TestServer = {
    adminUrl: databaseUrl,
    ownerUrl: urlOf(ownerUrl),
    appUrl: urlOf(appUrl),
    ownerRole: null,
    prefix,
  }
  const stop = async () => {
    await dropDatabases(control, prefix)
    await control.end()
  }
  return { server, stop }
}

async function checkServer(control: pg.Client): Promise<void> {
  const { rows } = await control.query<{ version: number; creates: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, rolsuper OR rolcreatedb AS creates
     FROM pg_roles WHERE rolname = current_user`,
  )
  if ((rows[0]?.version ?? 0) < 150_000) throw new Error('the tests need PostgreSQL 15 or newer')
  if (!rows[0]?.creates) throw new Error('the user of DATABASE_URL must be allowed to create databases')
}

async function dropOrphans(control: pg.Client): Promise<void> {
  const { rows } = await control.query<{ run: number }>(
    `SELECT DISTINCT substring(datname FROM '^${PREFIX}([0-9]+)_')::int AS run FROM pg_database
     WHERE datname ~ '^${PREFIX}[0-9]+_'`,
  )
  for (const { run } of rows) {
    const { rows: lock } = await control.query('SELECT pg_try_advisory_lock(2026, $1) AS free', [run])
    if (!lock[0]?.free) continue
    await dropDatabases(control, `${PREFIX}${run}_`)
    await control.query('SELECT pg_advisory_unlock(2026, $1)', [run])
  }
}

async function dropDatabases(control: pg.Client, prefix: string): Promise<void> {
  const { rows } = await control.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  )
  for (const { name } of rows) await control.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
