/**
 * Moves old months of the record of access to object storage. An object's name holds the hash of its bytes,
 * so a run that was killed, or two at once, write the same objects; a month counts as archived with one transaction.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { findTransientError } from '../contract/http/transient-errors.ts'
import type { S3Client } from '../store/s3-client.ts'
import { type ArchivePart, patientNumber, sha256Of } from './access-archive.ts'
import { accessSubject, listSeals, verifyAccess } from './access-seal.ts'
import type { PortalAudit } from './portal-audit.ts'

type Dependencies = Readonly<{
  pool: pg.Pool
  prisma: PrismaClient
  portalAudit: PortalAudit
  archiveStorage: S3Client | null
  log: Pick<Logger, 'info' | 'error'>
}>
type Archiving = Dependencies & { archiveStorage: S3Client; bounds: Bounds }

type Month = Readonly<{ month: Date; partition: string; folder: string }>

/** As log.access_archive has it. */
type NewPart = {
  key: string
  start: number
  bytes: number
  sha256: string
  practice_id: string
  rows: number
  first_at: string
  last_at: string
  first_id: number
  last_id: number
  patients: number[]
  has_exports: boolean
  has_unnamed: boolean
}

/** What a line of an object holds, of which more columns are not needed here. */
type ArchivedRow = {
  id: number
  at: string
  practice_id: string
  patient_id?: string
  patient_ids?: string[]
  export_id?: string
}

type Bounds = Readonly<{
  /** A month stays in the database for so long after its end. */
  afterMonths: number
  /** The bytes of an object, and later the hashes of its rows, are in memory at once. */
  objectRows: number
  /** A reader reads a whole part. */
  partRows: number
}>
const archiveBounds: Bounds = { afterMonths: 12, objectRows: 100_000, partRows: 5_000 }
const partTextMax = 4_000_000
const fetchedAtOnce = 2_000
/** The month is being read; each try makes its other readers wait a quarter of a second. */
const triesMax = 5
const pauseMs = 1_000
const zip = promisify(gzip)

/**
 * Those that are over for a year, oldest first. A month that fails stays as it is, and the others go on.
 * Months about to be deleted stay: their seals can't be checked anymore.
 */
export async function archiveMonths(dependencies: Dependencies, bounds: Bounds = archiveBounds) {
  const { archiveStorage, pool, log } = dependencies
  if (archiveStorage === null) return
  if (!(await mayArchive(pool)))
    throw new Error('the server may not archive: run sandpiper migrate with LOG_ARCHIVE_URL set')
  const { rows: months } = await pool.query<Month>(
    `SELECT month, name AS partition, to_char(month AT TIME ZONE 'UTC', 'YYYY-MM') AS folder FROM log.months('phi_audit')
     WHERE log.month_start(month, $1::int + 1) <= now() AND month >= log.month_start(now() - interval '6 years', 2)`,
    [bounds.afterMonths],
  )
  let failure: unknown
  for (const month of months)
    try {
      const archived = await archiveMonth({ ...dependencies, archiveStorage, bounds }, month)
      if (archived)
        log.info({ month: month.folder, ...archived }, 'a month of the record of access was archived')
    } catch (error) {
      log.error({ month: month.folder, err: error }, 'a month of the record of access was not archived')
      failure ??= error
    }
  if (failure !== undefined) throw failure
}

export async function mayArchive(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    `SELECT has_function_privilege('log.archive_access(timestamptz, jsonb)', 'EXECUTE') AS may`,
  )
  return rows[0]?.may ?? false
}

/** @returns null when it has no rows */
async function archiveMonth(archiving: Archiving, { month, partition, folder }: Month) {
  const { prisma, portalAudit, archiveStorage } = archiving
  const parts = await writeObjects(archiving, { partition, folder })
  if (parts.length === 0) return null
  const [firstId, lastId] = [
    minOf(parts.map((part) => part.first_id)),
    maxOf(parts.map((part) => part.last_id)),
  ]

  const moving = {
    partition: `log.${partition}`,
    parts: parts.map(toPart),
    firstId: BigInt(firstId),
    lastId: BigInt(lastId),
  }
  const verdict = await verifyAccess(archiving, moving)
  if (!verdict.intact) throw new Error(`the seal in row ${verdict.seal} does not match: ${verdict.reason}`)
  if (BigInt(verdict.end.access) < moving.lastId) throw new Error('its last rows are not sealed yet')

  const keys = [...new Set(parts.map(({ key }) => key))]
  const [rows, bytes] = [sumOf(parts.map((part) => part.rows)), sumOf(parts.map((part) => part.bytes))]
  const proof = Buffer.from(
    JSON.stringify({ month: folder, parts: parts.map(toProof), seals: await listSeals(prisma, moving) }),
  )
  await archiveStorage.put(`${folder}/proof-${nameOf(proof)}.json`, proof)
  const record = () =>
    prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT log.archive_access(${month}, ${JSON.stringify(parts)}::jsonb)`
        await portalAudit.append(tx, {
          ...portalAudit.system(),
          action: 'access_record.archived',
          subject: accessSubject,
          detail: { month: folder, rows, objects: keys.length, proof: sha256Of(proof) },
        })
      },
      { timeout: 60_000, maxWait: 10_000 },
    )
  for (let tries = 1; ; tries++) {
    const failure = await record().then(
      () => null,
      (error: unknown) => ({ error, isBusy: findTransientError(error)?.cause === 'statement timeout' }),
    )
    if (failure === null) break
    if (!failure.isBusy || tries === triesMax) throw failure.error
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return { rows, objects: keys.length, bytes }
}

const nameOf = (bytes: Buffer) => sha256Of(bytes).slice(0, 16)
const toProof = ({ patients: _, ...part }: NewPart) => part
const toPart = (part: NewPart): ArchivePart => ({
  key: part.key,
  start: part.start,
  bytes: part.bytes,
  sha256: part.sha256,
  firstId: `${part.first_id}`,
  lastId: `${part.last_id}`,
  lastAt: new Date(part.last_at),
})
const minOf = (values: readonly number[]) => values.reduce((least, each) => Math.min(least, each))
const maxOf = (values: readonly number[]) => values.reduce((most, each) => Math.max(most, each))
const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0)

/** Each object has the rows between two ids, practice by practice. */
async function writeObjects(
  { pool, archiveStorage, bounds }: Archiving,
  { partition, folder }: Pick<Month, 'partition' | 'folder'>,
): Promise<NewPart[]> {
  const written: NewPart[] = []
  for (let after = '0'; ; ) {
    const { rows } = await pool.query<{ last: string | null }>(
      `SELECT max(id)::text AS last FROM (SELECT id FROM log.${partition} WHERE id > $1::bigint ORDER BY id LIMIT $2) r`,
      [after, bounds.objectRows],
    )
    const last = rows[0]?.last
    if (!last) return written
    const { bytes, parts } = await toObject(pool, { partition, after, last, partRows: bounds.partRows })
    const key = `${folder}/${minOf(parts.map((part) => part.first_id))}-${nameOf(bytes)}.ndjson.gz`
    await archiveStorage.put(key, bytes)
    written.push(...parts.map((part) => ({ ...part, key })))
    after = last
  }
}

type IdRange = { partition: string; after: string; last: string }

async function toObject(pool: pg.Pool, { partRows, ...range }: IdRange & { partRows: number }) {
  const parts: Omit<NewPart, 'key'>[] = []
  const members: Buffer[] = []
  let [lines, rows, text, start] = [[] as string[], [] as ArchivedRow[], 0, 0]
  const finishPart = async () => {
    const [first] = rows
    const end = rows.at(-1)
    if (!first || !end) return
    const member = await zip(Buffer.from(`${lines.join('\n')}\n`))
    const ids = rows.map(({ id }) => id)
    const patients = rows.flatMap(
      ({ patient_id: one, patient_ids: several }) => several ?? (one === undefined ? [] : [one]),
    )
    parts.push({
      start,
      bytes: member.length,
      sha256: sha256Of(member),
      practice_id: first.practice_id,
      rows: rows.length,
      first_at: first.at,
      last_at: end.at,
      first_id: minOf(ids),
      last_id: maxOf(ids),
      patients: [...new Set(patients)].map(patientNumber),
      has_exports: rows.some((row) => row.export_id !== undefined),
      has_unnamed: rows.some((row) => !(row.patient_id ?? row.patient_ids ?? row.export_id)),
    })
    members.push(member)
    start += member.length
    lines = []
    rows = []
    text = 0
  }
  for await (const line of readLines(pool, range)) {
    const row = JSON.parse(line) as ArchivedRow
    if (
      rows[0] &&
      (row.practice_id !== rows[0].practice_id || rows.length === partRows || text > partTextMax)
    )
      await finishPart()
    lines.push(line)
    rows.push(row)
    text += line.length
  }
  await finishPart()
  return { bytes: Buffer.concat(members), parts }
}

/** Rows with all their columns but those without a value, by practice and time. */
async function* readLines(pool: pg.Pool, { partition, after, last }: IdRange): AsyncGenerator<string> {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL TimeZone = 'UTC'; SET LOCAL statement_timeout = 0`)
    await client.query(
      `DECLARE lines NO SCROLL CURSOR FOR SELECT json_strip_nulls(row_to_json(r))::text AS line FROM log.${partition} r
       WHERE id > ${BigInt(after)} AND id <= ${BigInt(last)} ORDER BY practice_id, at, id`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`FETCH ${fetchedAtOnce} FROM lines`)
      if (rows.length === 0) return
      for (const { line } of rows) yield line
    }
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
}

/** Deletes the objects of months whose six years are over, then their rows: killed in between, the next call goes on. */
export async function forgetArchived({
  pool,
  archiveStorage,
}: Pick<Dependencies, 'pool' | 'archiveStorage'>): Promise<void> {
  if (archiveStorage === null) return
  const { rows } = await pool.query<{ folder: string }>(
    `SELECT split_part(key, '/', 1) AS folder FROM log.access_archive GROUP BY 1
     HAVING max(last_at) < now() - interval '6 years'`,
  )
  for (const { folder } of rows) {
    for (const key of await archiveStorage.list(`${folder}/`)) await archiveStorage.remove(key)
    await pool.query('SELECT log.forget_access_archive($1)', [folder])
  }
}
