/**
 * Applies the migrations of `prisma/migrations` with `pg` alone, compatibly with
 * https://www.prisma.io/docs/orm/prisma-migrate/understanding-prisma-migrate/migration-histories :
 * It uses the same table, checksums and advisory lock, so that `prisma migrate deploy` can continue on the same database.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { rootDir } from '../root-dir.ts'
import { withDatabaseClient as withClient } from './database-client.ts'
import { migrateJobQueue } from './job-queue-schema.ts'
import { renewLogMonthsAsOwner } from './log-months.ts'
import { APP_ROLE, DatabaseRoleError, grantToAppRole } from './roles.ts'
import { setDatabaseSettings } from './session-settings.ts'

/** The number of the advisory lock of Prisma's schema engine. */
const PRISMA_LOCK = 72707369
const LOCK_WAIT_MS = 120_000

const MIGRATE =
  'Run sandpiper migrate (npm run db:migrate) with this release, as the owner of the tables (DATABASE_MIGRATION_URL).'

export const MIGRATIONS_FOLDER: string = join(rootDir, 'prisma/migrations')

/** The migration with the complete schema. It replaces 82 earlier migrations. */
const BASELINE = '0001_baseline'

/**
 * The newest of the 82 earlier migrations. A database that applied it has the baseline's schema. Its history stays, so
 * that the previous release still works. Later migrations have a later timestamp.
 */
export const NEWEST_BEFORE_BASELINE = '20261207030000_baas_cover_identifiers'

/** The migration history needs a person: nothing was changed. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

export type MigrationState = 'applied' | 'pending' | 'failed' | 'edited' | 'unknown'

type Migration = { name: string; sql: string; checksum: string }
type HistoryRow = { name: string; checksum: string; finished: boolean; logs: string | null }

/**
 * Applies pending migrations and renews the rights of the server's role. Several processes may call it at once: one applies,
 * the others wait. The database of a newer release stays unchanged: this release works with it, because migrations only
 * expand the schema.
 * @param ownerUrl URL of the role that owns, or will own, the tables
 * @param appRole the server's role
 * @returns the names of the applied migrations, in order
 * @throws MigrationError if an applied migration was edited or failed earlier, or if the database is older than the baseline
 *   or from another branch; DatabaseRoleError if the user may not migrate
 */
export async function migrate({
  ownerUrl,
  appRole = APP_ROLE,
  folder = MIGRATIONS_FOLDER,
}: {
  ownerUrl: string
  appRole?: string
  folder?: string
}): Promise<string[]> {
  const migrations = readMigrations(folder)
  return withClient(ownerUrl, async (client) => {
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK])
    await client.query('SET lock_timeout = 0')
    try {
      await createHistory(client).catch(refuseNonOwner)
      const history = await readHistory(client)
      const states = compare(migrations, history)
      refuseBrokenHistory(states)
      refuseBeforeBaseline(history, states)
      if (namesOf(states, 'unknown').length > 0) {
        refuseOtherBranch(states)
        return []
      }
      const pending = migrations.filter(({ name }) => states.get(name)?.state === 'pending')
      for (const migration of pending)
        if (migration.name === BASELINE && isAtBaseline(history)) await recognize(client, migration)
        else await apply(client, migration)
      await migrateJobQueue(client, ownerUrl)
      await renewLogMonthsAsOwner({ pool: client })
      await grantToAppRole(client, appRole).catch(refuseNonOwner)
      await setDatabaseSettings(client)
      return pending.map(({ name }) => name)
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [PRISMA_LOCK])
    }
  })
}

/**
 * Checks that this release can use the database, with the rights of the server's role.
 * @returns the names of migrations of a newer release, which do no harm
 * @throws MigrationError that says what to run
 */
export async function checkSchema({
  appUrl,
  folder = MIGRATIONS_FOLDER,
}: {
  appUrl: string
  folder?: string
}): Promise<string[]> {
  return withClient(appUrl, async (client) => {
    const { rows } = await client.query<{ exists: boolean; readable: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists,
         coalesce(has_column_privilege(to_regclass('_prisma_migrations'), 'migration_name', 'SELECT'), false) AS readable`,
    )
    if (rows[0]?.exists && !rows[0].readable)
      throw new MigrationError(
        `the server's database user may not read which migrations were applied. ${MIGRATE}`,
      )
    const history = rows[0]?.exists ? await readHistory(client, { logs: false }) : []
    const states = compare(readMigrations(folder), history)
    refuseBrokenHistory(states)
    refuseBeforeBaseline(history, states)
    const pending = namesOf(states, 'pending')
    if (pending.length > 0)
      throw new MigrationError(
        `the database lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`} of this release, beginning with ${pending[0]}. ${MIGRATE}`,
      )
    await refuseArchivedMonths(client)
    return namesOf(states, 'unknown')
  })
}

/** An earlier release moved old months of the access record to object storage. This one reads only the database. */
async function refuseArchivedMonths(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('log.access_archive') AS name`)
  if (rows[0]?.name === null) return
  const { rowCount } = await client.query('SELECT FROM log.access_archive LIMIT 1')
  if (rowCount)
    throw new MigrationError(
      'months of the record of access are in object storage, where this release does not read them. Bring them back to ' +
        'the database: docs/operations/object-storage.md',
    )
}

/** Lists all migrations, of this release and of the database, except those before the baseline. */
export async function migrationStatus({
  ownerUrl,
  folder = MIGRATIONS_FOLDER,
}: {
  ownerUrl: string
  folder?: string
}): Promise<{ name: string; state: MigrationState }[]> {
  const migrations = readMigrations(folder)
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`)
    const history = rows[0]?.exists ? await readHistory(client) : []
    const states = compare(migrations, history)
    refuseBeforeBaseline(history, states)
    return [...states].map(([name, { state }]) => ({ name, state }))
  })
}

export function newestMigration(): string {
  return namesIn(MIGRATIONS_FOLDER).at(-1) ?? ''
}

/** Reads the migrations sorted by name, which is the order in which they apply. */
export function readMigrations(folder: string): Migration[] {
  return namesIn(folder).map((name) => {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'migration.sql')))
}

function namesOf(states: ReturnType<typeof compare>, selected: MigrationState): string[] {
  return [...states].filter(([, { state }]) => state === selected).map(([name]) => name)
}

function compare(migrations: Migration[], history: HistoryRow[]) {
  const states = new Map<string, { state: MigrationState; logs: string | null }>()
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, finished, checksum, logs } of history) {
    if (finished && isBeforeBaseline(name)) continue
    const migration = known.get(name)
    const state = !finished
      ? 'failed'
      : !migration
        ? 'unknown'
        : migration.checksum !== checksum
          ? 'edited'
          : 'applied'
    states.set(name, { state, logs })
  }
  for (const { name } of migrations) if (!states.has(name)) states.set(name, { state: 'pending', logs: null })
  return states
}

function isBeforeBaseline(name: string): boolean {
  return /^\d{14}_/.test(name) && name <= NEWEST_BEFORE_BASELINE
}

function isAtBaseline(history: HistoryRow[]): boolean {
  return history.some(({ name }) => name === NEWEST_BEFORE_BASELINE)
}

/** Only the previous release has the migrations that lead to the baseline. */
function refuseBeforeBaseline(history: HistoryRow[], states: ReturnType<typeof compare>): void {
  const newest = history
    .map(({ name }) => name)
    .filter(isBeforeBaseline)
    .sort()
    .at(-1)
  if (newest && !isAtBaseline(history) && states.get(BASELINE)?.state === 'pending')
    throw new MigrationError(
      `this database stands at migration ${newest}, and this release begins after ${NEWEST_BEFORE_BASELINE}. First migrate ` +
        'it with the release before, whose newest migration that is, and then with this one. Nothing was changed.',
    )
}

function refuseBrokenHistory(states: ReturnType<typeof compare>): void {
  for (const [name, { state, logs }] of states) {
    if (state === 'edited')
      throw new MigrationError(
        `the file of migration ${name} is not the one that was applied to this database. Install this release again from ` +
          'its source, unchanged. A change of the schema belongs into a new migration (npm run db:new -- NAME).',
      )
    if (state === 'failed')
      throw new MigrationError(
        `migration ${name} failed earlier and may be half applied. Repair the database, then delete its row ` +
          `from _prisma_migrations or mark it (prisma migrate resolve).${logs ? `\n${logs}` : ''}`,
      )
  }
}

/** A database with unknown migrations must be that of a newer release, which has all migrations of this one. */
function refuseOtherBranch(states: ReturnType<typeof compare>): void {
  const [missing] = namesOf(states, 'pending')
  if (missing)
    throw new MigrationError(
      `this database has migration ${namesOf(states, 'unknown')[0]}, which this release does not know, and lacks ${missing}, ` +
        'which it needs: it was migrated by a release of another branch. Start that release, or a newer one.',
    )
}

/** 42501: insufficient_privilege. */
function refuseNonOwner(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error
  throw new DatabaseRoleError(
    `the user that migrates may not do so (${error.message}). It must own the database and its tables: give that ` +
      "user's URL in DATABASE_MIGRATION_URL.",
    { cause: error },
  )
}

/**
 * Applies the migration and inserts its row in one transaction, so that a kill leaves neither.
 * @throws MigrationError with PostgreSQL's reason
 */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(
      'INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)',
      [randomUUID(), checksum, name],
    )
    await client.query(sql)
    await client.query(
      `UPDATE "_prisma_migrations" SET finished_at = clock_timestamp(), applied_steps_count = 1
       WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
      [name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    if ((error as { code?: string }).code === '42501') refuseNonOwner(error as Error)
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(`migration ${name} does not apply, and nothing of it was kept: ${reason}`, {
      cause: error,
    })
  }
}

/** Records the baseline as applied, because the database already has its tables. */
async function recognize(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [randomUUID(), checksum, name],
  )
}

async function createHistory(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`)
}

async function readHistory(client: pg.Client, { logs = true } = {}): Promise<HistoryRow[]> {
  const { rows } = await client.query<HistoryRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, ${logs ? 'logs' : 'NULL AS logs'}
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  return rows
}
