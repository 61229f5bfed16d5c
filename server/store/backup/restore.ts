/**
 * Puts a backup into a migrated database, as a whole or not at all: one transaction loads every table, proves it by its
 * hash and commits. Retention is kept: what was executed and may not go yet must be in the backup too.
 */
import { join } from 'node:path'
import type pg from 'pg'
import { DatabaseClient } from '../database-client.ts'
import { renewLogMonthsAsOwner } from '../log-months.ts'
import { grantToAppRole } from '../roles.ts'
import { listExecuted, majorVersion, type OnProgress } from './back-up.ts'
import { requireReadable } from './choose-format.ts'
import { replaceJobs } from './jobs.ts'
import {
  BackupBusyError,
  BackupError,
  type Manifest,
  parseManifest,
  requireSameMigrations,
} from './manifest.ts'
import { findPrograms, runOn } from './pg-programs.ts'
import type { BackupPlace } from './place.ts'
import { checksumOf, hashTable, loadTable, readLines } from './table-files.ts'
import {
  listForeignKeys,
  listMigrations,
  listTables,
  listTriggered,
  quotedTable,
  SAME_TEXTS,
  SCHEMAS,
  type StoredTable,
} from './tables.ts'

type RestoreOptions = {
  /** Owner of the tables. */
  ownerUrl: string
  appRole: string
  from: BackupPlace
  /** In place of what is there. */
  replace: boolean
  onProgress?: OnProgress
}

/** @throws BackupError when it does not fit; then the database is as it was, unless the message says otherwise */
export async function restore({
  ownerUrl,
  appRole,
  from,
  replace,
  ...rest
}: RestoreOptions): Promise<Manifest> {
  const manifest = parseManifest(await from.readManifest(), from.name)
  const client = new DatabaseClient({ connectionString: ownerUrl, application_name: 'sandpiper restore' })
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0')
    requireReadable(manifest, await findPrograms(), await majorVersion(client))
    requireSameMigrations(manifest, await listMigrations(client))
    const tables = await listTables(client)
    requireSameTables(manifest, tables)
    await requireAlone(client)
    await requireRoom(client, tables, manifest, replace)
    const work = { client, manifest, tables, from, onProgress: rest.onProgress ?? (() => {}) }
    if (manifest.format === 'portable') await loadPortable(work)
    else await loadDump(work, ownerUrl)
    await client.query(`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${SCHEMAS.join(', ')} FROM PUBLIC`)
    await renewLogMonthsAsOwner({ pool: client })
    await grantToAppRole(client, appRole)
    await client.query('ANALYZE')
    return manifest
  } finally {
    await client.end()
  }
}

type Work = {
  client: pg.Client
  manifest: Manifest
  tables: StoredTable[]
  from: BackupPlace
  onProgress: OnProgress
}

async function loadPortable({ client, manifest, tables, from, onProgress }: Work): Promise<void> {
  await client.query('BEGIN')
  await client.query(SAME_TEXTS)
  await emptyTables(client, tables)
  // Tables refer to each other in circles: the keys go, and come back over the whole of it.
  const foreignKeys = await listForeignKeys(client)
  for (const { drop } of foreignKeys) await client.query(drop)
  // What triggers wrote is in the backup already.
  const triggered = await listTriggered(client)
  for (const name of triggered) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`)
  for (const [finished, table] of tables.entries()) {
    const onRows = (rows: number) => onProgress({ table: table.name, rows, finished, of: tables.length })
    for (const { file } of partsOf(table, manifest, tables)) {
      if (!file) throw new BackupError(`the backup has no file of ${table.name}`)
      await loadTable(client, table, readLines(from, file), onRows)
    }
  }
  const wrong = await findDifferences(client, tables, manifest)
  if (wrong) throw new BackupError(`${wrong}; the database is as it was`)
  for (const name of triggered) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`)
  for (const { add } of foreignKeys) await client.query(add)
  for (const sequence of manifest.sequences) await setSequence(client, sequence)
  await loadJobs(client, manifest, from)
  await client.query('COMMIT')
}

/** pg_restore drops and recreates its objects in one transaction of its own. */
async function loadDump(
  { client, manifest, tables, from, onProgress }: Work,
  ownerUrl: string,
): Promise<void> {
  if (!manifest.dump) throw new BackupError('the manifest names no dump')
  if (from.folder === null) throw new BackupError('PostgreSQL’s own format is read from a folder only')
  const path = join(from.folder, manifest.dump.name)
  const sha256 = await checksumOf(path).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${manifest.dump?.name} cannot be read (${error.code})`)
  })
  if (sha256 !== manifest.dump.sha256)
    throw new BackupError(`${manifest.dump.name} is not what the manifest says: it was changed`)
  await runOn('pg_restore', ownerUrl, [
    '--clean',
    '--if-exists',
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    path,
  ])
  await client.query('BEGIN')
  await client.query(SAME_TEXTS)
  const wrong = await findDifferences(client, tables, manifest, onProgress)
  if (wrong) {
    await emptyTables(client, tables)
    await client.query('COMMIT')
    throw new BackupError(`${wrong}; the database was emptied again`)
  }
  await loadJobs(client, manifest, from)
  await client.query('COMMIT')
}

async function loadJobs(client: pg.Client, { jobs }: Manifest, from: BackupPlace): Promise<void> {
  const lines: string[] = []
  for await (const batch of readLines(from, jobs.file)) lines.push(...batch)
  await replaceJobs(client, lines)
}

/** TRUNCATE waits for readers, so that nobody reads half. */
async function emptyTables(client: pg.Client, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`TRUNCATE ${tables.map(({ name }) => quotedTable(name)).join(', ')}`)
}

/** @returns a sentence about the first table that is not what was backed up; null: all are */
async function findDifferences(
  client: pg.Client,
  tables: readonly StoredTable[],
  manifest: Manifest,
  onProgress: OnProgress = () => {},
): Promise<string | null> {
  for (const [finished, table] of tables.entries()) {
    const onRows = (rows: number) => onProgress({ table: table.name, rows, finished, of: tables.length })
    const found = await hashTable(client, table, onRows)
    const parts = partsOf(table, manifest, tables)
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    const isSame =
      parts.length === 1 && parts[0]?.name === table.name
        ? found.sha256 === parts[0].sha256
        : found.rows === rows
    if (!isSame) return `${table.name} is not what was backed up (${found.rows} rows, ${rows} expected)`
  }
  return null
}

/**
 * What the backup has of a table: itself, or its partitions, which the release before its logs had months took for
 * tables. The hashes of their files were proven as they were read; together they have none.
 */
function partsOf(
  { name, partitioned }: StoredTable,
  manifest: Manifest,
  tables: readonly StoredTable[],
): Manifest['tables'] {
  const whole = manifest.tables.filter((each) => each.name === name)
  if (whole.length > 0 || !partitioned) return whole
  const others = new Set(tables.map((each) => each.name))
  return manifest.tables.filter((each) => each.name.startsWith(`${name}_`) && !others.has(each.name))
}

/** Unlike setval, this is undone with the transaction. */
async function setSequence(client: pg.Client, { name, last }: Manifest['sequences'][number]): Promise<void> {
  const next = last === null ? 1n : BigInt(last) + 1n
  const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [name])
  if (rows[0]?.name) await client.query(`ALTER SEQUENCE ${rows[0].name} RESTART WITH ${next}`)
}

function requireSameTables(manifest: Manifest, tables: readonly StoredTable[]): void {
  const there = new Set(tables.flatMap((table) => partsOf(table, manifest, tables)).map(({ name }) => name))
  const differing = [
    ...tables.filter((table) => partsOf(table, manifest, tables).length === 0),
    ...manifest.tables.filter(({ name }) => !there.has(name)),
  ].map(({ name }) => name)
  if (differing.length > 0)
    throw new BackupError(`backup and database differ in tables: ${differing.join(', ')}`)
}

/** Of a connection that proves a backup, and holds its database meanwhile. */
export const proofApplication = 'sandpiper backup proof'

/** A server would go on with what it remembers of other data. */
async function requireAlone(client: pg.Client): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ others: number }>(
      `SELECT count(*)::int AS others FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename IS NOT NULL
         AND application_name <> $1`,
      [proofApplication],
    )
    const others = rows[0]?.others ?? 0
    if (others === 0) return
    if (attempt === 5)
      throw new BackupBusyError(
        `${others} other connections use this database: stop the server, then restore`,
      )
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Rows that describe the schema; nobody's data. */
const FILLED_BY_MIGRATIONS: ReadonlySet<string> = new Set(['clinical.index_definition'])

/** Refuses to write over anything unless told to, and over kept documents even then. */
async function requireRoom(
  client: pg.Client,
  tables: readonly StoredTable[],
  manifest: Manifest,
  replace: boolean,
): Promise<void> {
  const filled: string[] = []
  for (const { name } of tables.filter((table) => !FILLED_BY_MIGRATIONS.has(table.name))) {
    const { rows } = await client.query<{ filled: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ${quotedTable(name)}) AS filled`,
    )
    if (rows[0]?.filled) filled.push(name)
  }
  if (filled.length === 0) return
  if (!replace)
    throw new BackupError(
      `the database is not empty (${filled.slice(0, 3).join(', ')}${filled.length > 3 ? ', …' : ''}): ` +
        '--replace puts the backup in place of everything there is',
    )
  const inBackup = new Set(manifest.executed)
  const lost = (await listKept(client)).filter((sha256) => !inBackup.has(sha256))
  if (lost.length > 0)
    throw new BackupError(
      `${lost.length} executed agreements of this database are not in the backup and must still be kept ` +
        `(SHA-256 ${lost[0]}): restore into another database`,
    )
}

async function listKept(client: pg.Client): Promise<string[]> {
  const all = await listExecuted(client)
  const { rows } = await client.query<{ sha256: string }>(
    `SELECT e.sha256 FROM portal.agreement_executed e JOIN portal.agreement a ON a.id = e.agreement_id
     WHERE a.ended_at IS NOT NULL AND a.retain_until <= now()`,
  )
  const free = new Set(rows.map(({ sha256 }) => sha256))
  return all.filter((sha256) => !free.has(sha256))
}
