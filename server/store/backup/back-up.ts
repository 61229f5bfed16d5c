/** Writes a backup: one snapshot of every table, which counts once its manifest is there. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { copyOut, type LineSink } from '../copy-out.ts'
import { DatabaseClient } from '../database-client.ts'
import { keepObjects } from '../locks.ts'
import type { S3Client } from '../s3-client.ts'
import { chooseFormat, type Programs, requirePortable } from './choose-format.ts'
import { contentTable, copyContents, hasObjects } from './contents.ts'
import { listJobs } from './jobs.ts'
import { BackupBusyError, BackupError, type Format, type Manifest } from './manifest.ts'
import { findPrograms, runOn } from './pg-programs.ts'
import type { BackupDraft } from './place.ts'
import { checksumOf, hashTable, writeLines, writeTable } from './table-files.ts'
import {
  listMigrations,
  listSequences,
  listTables,
  quotedTable,
  SAME_TEXTS,
  SCHEMAS,
  type StoredTable,
} from './tables.ts'

export type OnProgress = (progress: { table: string; rows: number; finished: number; of: number }) => void

type BackUpOptions = {
  /** Of a user that may read every table: their owner, or the server's. */
  url: string
  /** Called when nothing more can refuse it. */
  begin: () => Promise<BackupDraft>
  /** null: whatever fits. */
  format: Format | null
  keyIds: readonly string[]
  /** Of this program. */
  program: string
  /** Of documents; null: none is set. */
  objects: S3Client | null
  onProgress?: OnProgress
}

const DUMP = 'database.dump'
const JOBS = 'jobs.ndjson.gz'

/**
 * Safe beside a running server, which it hardly disturbs.
 * @throws BackupError when another one is under way, or the database was never migrated
 */
export async function backUp({
  url,
  begin,
  ...options
}: BackUpOptions): Promise<{ name: string; manifest: Manifest }> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'sandpiper backup' })
  await client.connect()
  try {
    const programs = await findPrograms()
    const postgresql = await majorVersion(client)
    await takeAlone(client)
    const snapshot = await openSnapshot(client)
    const format = (await hasObjects(client, options.objects))
      ? requirePortable(options.format)
      : chooseFormat(programs, postgresql, options.format)
    const draft = await begin()
    try {
      const manifest = await write({ ...options, client, draft, url, snapshot, format, postgresql, programs })
      await draft.keep(`${JSON.stringify(manifest, null, 2)}\n`)
      return { name: draft.name, manifest }
    } catch (error) {
      await draft.discard().catch(() => {}) // the next one removes it
      throw error
    }
  } finally {
    await client.end()
  }
}

type Writing = Omit<BackUpOptions, 'begin' | 'format'> & {
  client: pg.Client
  draft: BackupDraft
  snapshot: Snapshot
  format: Format
  postgresql: number
  programs: Programs
}

async function write(writing: Writing): Promise<Manifest> {
  const { client, draft, snapshot, format, postgresql, programs, keyIds, program } = writing
  const lost: string[] = []
  const tables = await writeTables(writing, lost)
  const dump = format === 'custom' ? await writeDump(writing) : undefined
  const jobs = await listJobs(client)
  return {
    kind: 'sandpiper backup',
    version: 1,
    format,
    createdAt: snapshot.at.toISOString(),
    program,
    postgresql,
    pgDump: format === 'custom' ? programs.pgDump : null,
    migrations: snapshot.migrations,
    tables,
    sequences: await listSequences(client),
    jobs: { file: await writeLines(draft, JOBS, jobs), count: jobs.length },
    ...(dump ? { dump } : {}),
    executed: await listExecuted(client),
    sealedWith: [...keyIds],
    ...(lost.length > 0 && { lost }),
  }
}

/** @param lost gets the hashes of documents whose bytes are missing */
async function writeTables(
  { client, draft, snapshot, format, objects, onProgress }: Writing,
  lost: string[],
): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = []
  for (const table of snapshot.tables) {
    const onRows = (rows: number) =>
      onProgress?.({ table: table.name, rows, finished: tables.length, of: snapshot.tables.length })
    const copy = (sink: LineSink) =>
      table.name === contentTable && objects
        ? copyContents({ client, table, objects, onLost: (hash) => lost.push(hash) }, sink)
        : copyOut(client, table.copyLines, sink)
    const written =
      format === 'portable'
        ? await writeTable(copy, table, draft, onRows)
        : await hashTable(client, table, onRows)
    tables.push({ name: table.name, ...written })
  }
  return tables
}

type Snapshot = { id: string; at: Date; tables: StoredTable[]; migrations: Manifest['migrations'] }

/** Other backups are held off, and objects of documents are not removed, until the connection ends. */
async function takeAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('sandpiper backup', 0)) AS alone`,
  )
  if (!rows[0]?.alone)
    throw new BackupBusyError('another backup of this database is under way: wait for its end')
  await client.query(keepObjects)
}

/** The tables are held against changes of their shape before the snapshot begins, as pg_dump does. */
async function openSnapshot(client: pg.Client): Promise<Snapshot> {
  const known = await listTables(client)
  if (known.length === 0)
    throw new BackupError('there is nothing to back up: this database was never migrated')
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(SAME_TEXTS)
  await client.query(
    `LOCK TABLE ${known.map(({ name }) => quotedTable(name)).join(', ')} IN ACCESS SHARE MODE`,
  )
  const { rows } = await client.query<{ id: string; at: Date }>(
    'SELECT pg_export_snapshot() AS id, clock_timestamp() AS at',
  )
  const [opened] = rows
  if (!opened) throw new Error('the snapshot was not opened')
  return { ...opened, tables: await listTables(client), migrations: await listMigrations(client) }
}

async function writeDump({ url, draft, snapshot }: Writing): Promise<Manifest['dump']> {
  if (draft.folder === null)
    throw new BackupError(
      '--format custom: pg_dump writes to a folder; object storage gets the portable format',
    )
  const path = join(draft.folder, DUMP)
  await writeFile(path, '', { flag: 'wx', mode: 0o600 })
  await runOn('pg_dump', url, [
    '--format=custom',
    '--compress=1',
    '--no-owner',
    '--no-privileges',
    ...SCHEMAS.map((schema) => `--schema=${schema}`),
    `--snapshot=${snapshot.id}`,
    `--file=${path}`,
  ])
  const { size } = await stat(path)
  return { name: DUMP, bytes: size, sha256: await checksumOf(path) }
}

/** Agreements that were executed: what may not be lost by putting a backup in place of other data. */
export async function listExecuted(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ sha256: string }>(
    'SELECT sha256 FROM portal.agreement_executed ORDER BY sha256 COLLATE "C"',
  )
  return rows.map(({ sha256 }) => sha256)
}

export async function majorVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ number: string }>(
    `SELECT current_setting('server_version_num') AS number`,
  )
  return Math.floor(Number(rows[0]?.number) / 10_000)
}
