/** Writes a backup: one snapshot of every table, under a temporary name until it is whole and on the disk. */
import { chmod, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import { DatabaseClient } from '../database-client.ts'
import { chooseFormat } from './choose-format.ts'
import { listJobs } from './jobs.ts'
import { BackupError, type Format, MANIFEST, type Manifest } from './manifest.ts'
import { findPrograms, runOn } from './pg-programs.ts'
import { checksumOf, flush, hashTable, writeLines, writeTable } from './table-files.ts'
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
  /** Owner of the tables. */
  ownerUrl: string
  /** A folder that is not there yet. */
  to: string
  /** null: whatever fits. */
  format: Format | null
  keyIds: readonly string[]
  /** Of this program. */
  program: string
  onProgress?: OnProgress
}

const DUMP = 'database.dump'
const JOBS = 'jobs.ndjson.gz'

/**
 * Safe beside a running server, which it hardly disturbs. Killed, it leaves a folder `.partial-<process>` that the next
 * one removes.
 * @throws BackupError when the folder is there already, or the database was never migrated
 */
export async function backUp({ to, ...options }: BackUpOptions): Promise<Manifest> {
  const target = resolve(to)
  if (await lstat(target).catch(() => null)) throw new BackupError(`${target} is there already`)
  await removeLeftovers(target)
  const folder = `${target}.partial-${process.pid}`
  await mkdir(folder, { mode: 0o700 })
  await chmod(folder, 0o700)
  try {
    const manifest = await write(folder, options)
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
    })
    for (const name of await readdir(folder)) await flush(join(folder, name))
    await flush(folder)
    // Somebody may have made it meanwhile: an empty folder would be replaced without a word.
    if (await lstat(target).catch(() => null)) throw new BackupError(`${target} is there already`)
    await rename(folder, target)
    await flush(dirname(target))
    return manifest
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function write(folder: string, options: Omit<BackUpOptions, 'to'>): Promise<Manifest> {
  const { ownerUrl, keyIds, program, onProgress = () => {} } = options
  const client = new DatabaseClient({ connectionString: ownerUrl, application_name: 'sandpiper backup' })
  await client.connect()
  try {
    const programs = await findPrograms()
    const postgresql = await majorVersion(client)
    const format = chooseFormat(programs, postgresql, options.format)
    const snapshot = await openSnapshot(client)
    const tables: Manifest['tables'] = []
    for (const table of snapshot.tables) {
      const onRows = (rows: number) =>
        onProgress({ table: table.name, rows, finished: tables.length, of: snapshot.tables.length })
      const written =
        format === 'portable'
          ? await writeTable(client, table, folder, onRows)
          : await hashTable(client, table, onRows)
      tables.push({ name: table.name, ...written })
    }
    const dump = format === 'custom' ? await writeDump(ownerUrl, folder, snapshot.id) : undefined
    const jobs = await listJobs(client)
    const manifest: Manifest = {
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
      jobs: { file: await writeLines(folder, JOBS, jobs), count: jobs.length },
      ...(dump ? { dump } : {}),
      executed: await listExecuted(client),
      sealedWith: [...keyIds],
    }
    await client.query('COMMIT')
    return manifest
  } finally {
    await client.end()
  }
}

type Snapshot = { id: string; at: Date; tables: StoredTable[]; migrations: Manifest['migrations'] }

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
  if (!opened) throw new Error('no snapshot')
  return { ...opened, tables: await listTables(client), migrations: await listMigrations(client) }
}

async function writeDump(ownerUrl: string, folder: string, snapshot: string): Promise<Manifest['dump']> {
  const path = join(folder, DUMP)
  await writeFile(path, '', { flag: 'wx', mode: 0o600 })
  await runOn('pg_dump', ownerUrl, [
    '--format=custom',
    '--compress=1',
    '--no-owner',
    '--no-privileges',
    ...SCHEMAS.map((schema) => `--schema=${schema}`),
    `--snapshot=${snapshot}`,
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

/** What runs that were killed left behind. */
async function removeLeftovers(target: string): Promise<void> {
  const parent = dirname(target)
  const begin = `${basename(target)}.partial-`
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${parent} cannot be written to (${error.code})`)
  })
  for (const name of names) {
    const pid = name.startsWith(begin) ? Number(name.slice(begin.length)) : 0
    if (pid > 0 && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
