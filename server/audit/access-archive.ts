/** Old months of the record of access in object storage: finding and reading their rows. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type pg from 'pg'
import { Problem } from '../contract/http/problems.ts'
import { ObjectStorageError, type S3Client } from '../store/s3-client.ts'
import { accessFields } from './log-rows.ts'

export type ArchivedRecord = Readonly<{ pool: pg.Pool; archiveStorage: S3Client | null }>

/** Rows of one practice, in the order of time: a gzip member of an object. */
export type ArchivePart = Readonly<{
  key: string
  /** Its first byte. */
  start: number
  bytes: number
  sha256: string
  firstId: string
  lastId: string
  lastAt: Date
}>

/** An object is missing, or another one than was written. The message names it. */
export class ArchiveFault extends Error {
  override name = 'ArchiveFault'
}

type PartFilter = Readonly<{
  practiceId: string
  from: Date | undefined
  /** Exclusive. */
  to: Date | undefined
  patientId?: string | undefined
  /** Those with rows that refer to an export as well, or those with lists that name no patients alone. */
  also?: 'exports'
  only?: 'unnamed'
}>

const partColumns = `key, start::float8 AS start, bytes, sha256, first_id::text AS "firstId",
  last_id::text AS "lastId", last_at AS "lastAt"`
const readAtOnce = 4
const unzip = promisify(gunzip)

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** By which parts are found: the same in every release. */
export const patientNumber = (id: string) => createHash('sha256').update(id).digest().readInt32BE(0)

/** @returns newest first */
export async function listParts(pool: pg.Pool, { practiceId, from, to, patientId, also, only }: PartFilter) {
  const { rows } = await pool.query<ArchivePart>(
    `SELECT ${partColumns} FROM log.access_archive
     WHERE practice_id = $1 AND last_at >= greatest($2::timestamptz, now() - interval '6 years')
       AND ($3::timestamptz IS NULL OR first_at < $3)
       AND ($4::int IS NULL OR $4 = ANY (patients) OR ($5 AND has_exports)) AND (NOT $6 OR has_unnamed)
     ORDER BY last_at DESC, key, start`,
    [
      practiceId,
      from,
      to,
      patientId === undefined ? null : patientNumber(patientId),
      also === 'exports',
      only === 'unnamed',
    ],
  )
  return rows
}

/** @returns its rows as JSON @throws ArchiveFault, ObjectStorageError */
async function readPart(
  { archiveStorage }: Pick<ArchivedRecord, 'archiveStorage'>,
  { key, start, bytes, sha256 }: ArchivePart,
): Promise<string[]> {
  if (archiveStorage === null)
    throw new ObjectStorageError(`LOG_ARCHIVE_URL is not set: ${key} cannot be read`)
  const found = await archiveStorage
    .get(key, { first: start, last: start + bytes - 1 })
    .catch(async (error) => {
      const size = await archiveStorage.sizeOf(key)
      if (size !== null && size < start + bytes)
        throw new ArchiveFault(`the archived object ${key} is cut off`)
      throw error
    })
  if (found === null) throw new ArchiveFault(`the archived object ${key} is missing`)
  const content = Buffer.concat(
    await found.toArray().catch((cause) => {
      throw new ObjectStorageError('the object storage stopped sending', { cause })
    }),
  )
  if (sha256Of(content) !== sha256) throw new ArchiveFault(`the archived object ${key} was changed`)
  return (await unzip(content)).toString('utf8').trimEnd().split('\n')
}

/** Rows that come as one parameter, with the columns of log.phi_audit. Rows over six years old are left out. */
export const archivedRows = (parameter: string) =>
  `(SELECT * FROM json_to_recordset(${parameter}::json) AS r(${accessFields}) WHERE at >= now() - interval '6 years')`

export const toJson = (lines: readonly string[]) => `[${lines.join(',')}]`

/**
 * Reads parts in their order, a few at once.
 * @param isNeeded asked before a part is read; the first that is not ends it
 * @throws Problem `unavailable` when one cannot be read
 */
export async function readParts(
  archive: ArchivedRecord,
  parts: readonly ArchivePart[],
  add: (lines: string[]) => Promise<void>,
  isNeeded: (part: ArchivePart) => boolean = () => true,
): Promise<void> {
  for (let at = 0, width = 1; at < parts.length; at += width, width = readAtOnce) {
    const next = parts.slice(at, at + width).filter(isNeeded)
    if (next.length === 0) return
    const read = Promise.all(next.map((part) => readPart(archive, part)))
    await add((await read.catch(refuse)).flat())
  }
}

function refuse(cause: unknown): never {
  if (!(cause instanceof ObjectStorageError || cause instanceof ArchiveFault)) throw cause
  throw new Problem('unavailable', {
    message:
      'Older records are in the archive, which can’t be read at the moment. Choose a later period, or try again later.',
    detail: cause.message,
    retryAfterSeconds: 30,
    cause,
  })
}

/** If a month moves to the archive during the read, the database and the parts are read again. */
export async function withParts<Result>(
  pool: pg.Pool,
  filter: PartFilter,
  read: (parts: readonly ArchivePart[]) => Promise<Result>,
): Promise<Result> {
  for (let parts = await listParts(pool, filter); ; ) {
    const result = await read(parts)
    const now = await listParts(pool, filter)
    if (JSON.stringify(now) === JSON.stringify(parts)) return result
    parts = now
  }
}

// Hashes of the archived rows in the order of ids, object by object: seals are checked with them as with rows of the database.

/** A row's id, and the hash that a seal is made of. */
type HashedRow = Readonly<{ id: string; hash: string }>

/**
 * @param hashText statement that makes HashedRows of rows that come as JSON
 * @param pending parts that the database does not know yet
 */
export async function openArchivedHashes(
  archive: ArchivedRecord,
  hashText: string,
  pending: readonly ArchivePart[] = [],
) {
  const { pool } = archive
  const list = async () => {
    const { rows } = await pool.query<ArchivePart>(
      `SELECT ${partColumns} FROM log.access_archive ORDER BY key, start`,
    )
    return rows
  }
  const known = await list()
  const objects = toObjects([...known, ...pending])
  /** Of the objects that the place reached is in. Ids of two months overlap where the months meet. */
  const open = new Map<string, [bigint, string][]>()

  async function load(parts: readonly ArchivePart[]): Promise<[bigint, string][]> {
    const rows: [bigint, string][] = []
    for (const part of parts) {
      const hashed = await pool.query<HashedRow>(hashText, [toJson(await readPart(archive, part))])
      rows.push(...hashed.rows.map(({ id, hash }): [bigint, string] => [BigInt(id), hash]))
    }
    return rows.sort(byId)
  }

  return {
    /** At most so many after one id, up to another and included. @throws ArchiveFault, ObjectStorageError */
    async read(after: string, to: string, most: number): Promise<HashedRow[]> {
      const [first, last] = [BigInt(after), BigInt(to)]
      const found: [bigint, string][] = []
      for (const { key, parts, firstId, lastId } of objects) {
        if (lastId <= first) open.delete(key)
        if (lastId <= first || firstId > last) continue
        const rows = open.get(key) ?? (await load(parts))
        open.set(key, rows)
        const begin = rows.findIndex(([id]) => id > first)
        for (let at = begin; at >= 0 && at < begin + most; at++) {
          const row = rows[at]
          if (!row || row[0] > last) break
          found.push(row)
        }
      }
      return found
        .sort(byId)
        .slice(0, most)
        .map(([id, hash]) => ({ id: `${id}`, hash }))
    },
    /** Whether months were archived or forgotten since. */
    hasChanged: async () => JSON.stringify(await list()) !== JSON.stringify(known),
  }
}

const byId = ([one]: [bigint, string], [other]: [bigint, string]) => (one < other ? -1 : one > other ? 1 : 0)

type StoredObject = { key: string; parts: ArchivePart[]; firstId: bigint; lastId: bigint }

function toObjects(parts: readonly ArchivePart[]): StoredObject[] {
  const objects = new Map<string, StoredObject>()
  for (const part of parts) {
    const [firstId, lastId] = [BigInt(part.firstId), BigInt(part.lastId)]
    const known = objects.get(part.key)
    if (known === undefined) objects.set(part.key, { key: part.key, parts: [part], firstId, lastId })
    else {
      known.parts.push(part)
      if (firstId < known.firstId) known.firstId = firstId
      if (lastId > known.lastId) known.lastId = lastId
    }
  }
  return [...objects.values()]
}
