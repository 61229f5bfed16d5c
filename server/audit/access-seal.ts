/**
 * Proves the practices' record of access by the portal's audit chain: a row of the chain holds the hash of every row of
 * the record up to an id, so that none of them can be changed, added or removed unnoticed.
 */
import { createHash, type Hash } from 'node:crypto'
import type pg from 'pg'
import type { AuditEvent, Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import { type ArchivedRecord, ArchiveFault, type ArchivePart, openArchivedHashes } from './access-archive.ts'
import { accessFields } from './log-rows.ts'
import type { PortalAudit } from './portal-audit.ts'

type Dependencies = Readonly<{ prisma: PrismaClient; pool: pg.Pool; portalAudit: PortalAudit }>
type Proving = Pick<Dependencies, 'prisma'> & ArchivedRecord

/** The last row of each table that is covered. */
export type AccessEnd = Readonly<{ access: string; exported: string }>

export type AccessVerdict = Readonly<
  | { intact: true; seals: number; rows: number; end: AccessEnd }
  | { intact: false; seal: string; reason: string }
>

type Seal = AccessEnd & Readonly<{ from: AccessEnd; rows: number; oldest: string | null; sha256: string }>

export const sealAction = 'access_record.sealed'
export const accessSubject = { kind: 'access_record', id: null }
const nothing: AccessEnd = { access: '0', exported: '0' }
const rowsAtOnce = 2_000
/** In one seal. */
const rowsMax = 50_000
const waitMs = 3_000

/** Seals what was committed by now. Of two at once one waits. @returns the last rows that are proven */
export async function sealAccess(dependencies: Dependencies): Promise<AccessEnd> {
  const end = await findEnd(dependencies)
  for (;;) {
    const sealed = await sealNext(dependencies, end)
    if (isAtEnd(sealed, end)) return sealed
  }
}

/**
 * Rows that move to the archive: the seals between their ids are checked with what was read back from it, in place of
 * the partition.
 */
type Moving = Readonly<{ partition: string; parts: readonly ArchivePart[]; firstId: bigint; lastId: bigint }>

/**
 * Hashes every row again that a seal covers and that is still kept, in the database or in the archive. The rows of the
 * chain prove themselves.
 */
export async function verifyAccess(proving: Proving, moving?: Moving): Promise<AccessVerdict> {
  const { prisma } = proving
  const openRows = () => openRowsOf(proving, moving)
  let open = await openRows()
  let [before, id, seals, rows] = [nothing, 0n, 0, 0]
  for (;;) {
    const events = await prisma.auditEvent.findMany({
      where: { subjectKind: accessSubject.kind, action: sealAction, id: { gt: id } },
      orderBy: { id: 'asc' },
      take: 200,
    })
    if (events.length === 0) return { intact: true, seals, rows, end: before }
    for (const event of events) {
      const seal = toSeal(event)
      const isMeant =
        !moving || (BigInt(seal.access) >= moving.firstId && BigInt(seal.from.access) < moving.lastId)
      const check = () =>
        findFault(proving.pool, {
          seal,
          before,
          rows: isMeant ? open.read : null,
          isMoving: moving !== undefined,
        })
      let reason = await check()
      if (reason !== null && (await open.hasChanged())) {
        // A month was archived between its rows of the database and those of the archive.
        open = await openRows()
        reason = await check()
      }
      if (reason !== null) return { intact: false, seal: `${event.chainNumber ?? event.id}`, reason }
      before = seal
      id = event.id
      seals += 1
      rows += seal.rows
    }
  }
}

/** The seals of rows between these ids as the chain has them, to be kept beside what they prove. */
export async function listSeals(
  prisma: PrismaClient,
  { firstId, lastId }: Pick<Moving, 'firstId' | 'lastId'>,
): Promise<object[]> {
  return prisma.$queryRaw<object[]>`
    SELECT chain_number::text AS number, encode(chain_hash, 'hex') AS hash, detail FROM portal.audit_event
    WHERE subject_kind = ${accessSubject.kind} AND action = ${sealAction}
      AND (detail->>'access')::bigint >= ${firstId} AND (detail->'from'->>'access')::bigint < ${lastId} ORDER BY id`
}

type Checked = Readonly<{ seal: Seal; before: AccessEnd; rows: ReadRows | null; isMoving: boolean }>

/** @param rows null: only the seals' order is checked */
async function findFault(pool: pg.Pool, { seal, before, rows: read, isMoving }: Checked) {
  if (seal.from.access !== before.access || seal.from.exported !== before.exported)
    return 'it does not begin where the one before ended'
  if (read === null) return null
  const { rows: found } = await pool.query<{ kept: boolean }>(
    `SELECT $1::timestamptz IS NULL OR $1::timestamptz > now() - interval '6 years' AS kept`,
    [seal.oldest],
  )
  // What is over six years old is deleted row by row.
  if (!found[0]?.kept) return isMoving ? 'it has rows that are over six years old' : null
  try {
    const { rows, sha256 } = await hashRows(pool, { from: seal.from, to: seal, read })
    if (rows !== seal.rows) return `${seal.rows} rows of the record of access were sealed, ${rows} are there`
    return sha256 === seal.sha256 ? null : 'a row of the record of access was changed'
  } catch (error) {
    if (error instanceof ArchiveFault) return error.message
    throw error
  }
}

type HashedRow = Readonly<{ id: string; hash: string; at?: string }>
/** Rows of the record after an id, up to another and included, in the order of ids. */
type ReadRows = (after: string, to: string, most: number) => Promise<HashedRow[]>

const readDatabase =
  (pool: pg.Pool, text: string, without?: string): ReadRows =>
  async (after, to, most) =>
    (await pool.query<HashedRow>(text, [after, to, most, without ?? null])).rows

/** Of the database and of the archive. */
async function openRowsOf(
  proving: Proving,
  moving?: Moving,
): Promise<{ read: ReadRows; hasChanged(): Promise<boolean> }> {
  const archive = await openArchivedHashes(proving, archivedText, moving?.parts)
  const readRows = readDatabase(proving.pool, accessRows, moving?.partition)
  return {
    async read(after, to, most) {
      const rows = await readRows(after, to, most)
      const until = rows.length === most ? (rows.at(-1)?.id ?? to) : to
      const archived = await archive.read(after, until, most)
      if (archived.length === 0) return rows
      return [...rows, ...archived]
        .sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
        .slice(0, most)
    },
    hasChanged: archive.hasChanged,
  }
}

/**
 * Rows commit in another order than that of their ids. Once every transaction that was under way has ended, no row with
 * a lower id can come.
 */
async function findEnd({ prisma, pool }: Dependencies): Promise<AccessEnd> {
  const { rows } = await pool.query<AccessEnd>(
    `SELECT (SELECT coalesce(max(id), 0) FROM log.phi_audit)::text AS access,
       (SELECT coalesce(max(id), 0) FROM log.export_patients)::text AS exported`,
  )
  const [end = nothing] = rows
  const begun = await pool.query<{ xid: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid',
  )
  for (const started = performance.now(); performance.now() - started < waitMs; ) {
    const over = await pool.query<{ over: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS over',
      [begun.rows[0]?.xid],
    )
    if (over.rows[0]?.over) return end
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // A person writes for long: what was sealed before stays the end.
  return (await findLast(prisma)) ?? nothing
}

/** @returns how far the record is sealed now: further than the end if its last rows are no longer in the database */
async function sealNext({ prisma, pool, portalAudit }: Dependencies, end: AccessEnd): Promise<AccessEnd> {
  return prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('sandpiper access seal', 0))`
      const from = (await findLast(tx)) ?? nothing
      if (isAtEnd(from, end)) return from
      const { access, exported, ...hashed } = await hashRows(pool, {
        from,
        to: { access: laterOf(from.access, end.access), exported: laterOf(from.exported, end.exported) },
        read: readDatabase(pool, accessRows),
        most: rowsMax,
      })
      const seal: Seal = {
        access,
        exported,
        from: { access: from.access, exported: from.exported },
        ...hashed,
      }
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: sealAction,
        subject: accessSubject,
        detail: seal,
      })
      return seal
    },
    { timeout: 60_000, maxWait: 10_000 },
  )
}

async function findLast(db: Pick<Prisma.TransactionClient, 'auditEvent'>): Promise<Seal | null> {
  const found = await db.auditEvent.findFirst({
    where: { subjectKind: accessSubject.kind, action: sealAction },
    orderBy: { id: 'desc' },
  })
  return found && toSeal(found)
}

const toSeal = ({ detail }: AuditEvent): Seal => detail as unknown as Seal

const laterOf = (one: string, other: string) => (BigInt(one) > BigInt(other) ? one : other)

function isAtEnd(reached: AccessEnd, end: AccessEnd): boolean {
  return BigInt(reached.access) >= BigInt(end.access) && BigInt(reached.exported) >= BigInt(end.exported)
}

type Hashed = AccessEnd & Readonly<{ rows: number; oldest: string | null; sha256: string }>

type Run = Readonly<{ from: AccessEnd; to: AccessEnd; read: ReadRows; most?: number }>

/** Of both tables, in the order of ids, page by page. */
async function hashRows(pool: pg.Pool, { from, to, read, most = Infinity }: Run): Promise<Hashed> {
  const hash = createHash('sha256')
  const access = await addRows(hash, read, from.access, to.access, most)
  const exported = await addRows(hash, readDatabase(pool, exportRows), from.exported, to.exported, most)
  const oldest = [access.oldest, exported.oldest].filter((at) => at !== null).sort()[0] ?? null
  return {
    access: access.last,
    exported: exported.last,
    rows: access.rows + exported.rows,
    oldest,
    sha256: hash.digest('hex'),
  }
}

/** A row as text that depends on no setting of a session. */
const hashOf = (columns: readonly string[]) =>
  `encode(sha256(convert_to(jsonb_build_array(id, extract(epoch FROM at), ${columns.join(', ')})::text, 'UTF8')), 'hex') AS hash`

/** `$4`: a partition that is left out. */
const textOf = (table: string, columns: readonly string[]) =>
  `SELECT id::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, ${hashOf(columns)}
   FROM log.${table} WHERE id > $1::bigint AND id <= $2::bigint AND tableoid IS DISTINCT FROM to_regclass($4)::oid
   ORDER BY log.${table}.id LIMIT $3`

const accessColumns = [
  'practice_id',
  'principal_kind',
  'principal_id',
  'client_id',
  'action',
  'resource_type',
  'patient_id',
  'patient_ids',
  'export_id',
  'count',
  'purpose',
  'outcome',
  'correlation_id',
]
const accessRows = textOf('phi_audit', accessColumns)
const archivedText = `SELECT id::text, ${hashOf(accessColumns)} FROM json_to_recordset($1::json) AS r(${accessFields})`

const exportRows = textOf('export_patients', [
  'export_id',
  'first_id',
  'last_id',
  'patient_ids',
  'types',
  'type_names',
])

async function addRows(hash: Hash, read: ReadRows, from: string, to: string, most: number) {
  let [last, rows, oldest] = [from, 0, null as string | null]
  while (rows < most) {
    const limit = Math.min(rowsAtOnce, most - rows)
    const page = await read(last, to, limit)
    for (const row of page) {
      hash.update(row.hash)
      if (row.at !== undefined && (oldest === null || row.at < oldest)) oldest = row.at
      last = row.id
    }
    rows += page.length
    if (page.length < limit) return { rows, oldest, last: to }
  }
  return { rows, oldest, last }
}
