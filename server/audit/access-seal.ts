/**
 * Protects the practices' access record by the portal's audit chain. A seal is an audit row with a hash over all rows of the
 * record up to an id, so that none of them can be changed, added or removed unnoticed.
 */
import { createHash, type Hash } from 'node:crypto'
import type pg from 'pg'
import type { AuditEvent, Prisma, PrismaClient } from '../../prisma/generated/client/client.ts'
import type { PortalAudit } from './portal-audit.ts'

type Dependencies = Readonly<{ prisma: PrismaClient; pool: pg.Pool; portalAudit: PortalAudit }>

/** The last covered row of each table. */
export type AccessEnd = Readonly<{ access: string; exported: string }>

export type AccessVerdict = Readonly<
  | { intact: true; seals: number; rows: number; end: AccessEnd }
  | { intact: false; seal: string; reason: string }
>

type Seal = AccessEnd & Readonly<{ from: AccessEnd; rows: number; oldest: string | null; sha256: string }>

export const sealAction = 'access_record.sealed'
const accessSubject = { kind: 'access_record', id: null }
const nothing: AccessEnd = { access: '0', exported: '0' }
const rowsAtOnce = 2_000
/** The most rows of one seal. */
const rowsMax = 50_000
const waitMs = 3_000

/** Seals all committed rows. Concurrent calls wait for each other. @returns the last sealed rows */
export async function sealAccess(dependencies: Dependencies): Promise<AccessEnd> {
  const end = await findEnd(dependencies)
  for (;;) {
    const sealed = await sealNext(dependencies, end)
    if (isAtEnd(sealed, end)) return sealed
  }
}

/** Hashes all sealed rows again that still exist. The seals themselves are verified with the audit chain. */
export async function verifyAccess({
  prisma,
  pool,
}: Pick<Dependencies, 'prisma' | 'pool'>): Promise<AccessVerdict> {
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
      const reason = await findFault(pool, seal, before)
      if (reason !== null) return { intact: false, seal: `${event.chainNumber ?? event.id}`, reason }
      before = seal
      id = event.id
      seals += 1
      rows += seal.rows
    }
  }
}

async function findFault(pool: pg.Pool, seal: Seal, before: AccessEnd): Promise<string | null> {
  if (seal.from.access !== before.access || seal.from.exported !== before.exported)
    return 'it does not begin where the one before ended'
  const { rows: found } = await pool.query<{ kept: boolean }>(
    `SELECT $1::timestamptz IS NULL OR $1::timestamptz > now() - interval '6 years' AS kept`,
    [seal.oldest],
  )
  // Rows over six years old are being deleted, so the seal cannot be checked any more.
  if (!found[0]?.kept) return null
  const { rows, sha256 } = await hashRows(pool, { from: seal.from, to: seal })
  if (rows !== seal.rows) return `${seal.rows} rows of the record of access were sealed, ${rows} are there`
  return sha256 === seal.sha256 ? null : 'a row of the record of access was changed'
}

type HashedRow = Readonly<{ id: string; hash: string; at: string }>

/**
 * Rows do not commit in the order of their ids. After all transactions that are running now have ended, no row with a lower
 * id can appear.
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
  // A long transaction is still running, so the last seal remains the end.
  return (await findLast(prisma)) ?? nothing
}

/** @returns the new end of the sealed rows, which is beyond `end` if the last sealed rows were deleted */
async function sealNext({ prisma, pool, portalAudit }: Dependencies, end: AccessEnd): Promise<AccessEnd> {
  return prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('sandpiper access seal', 0))`
      const from = (await findLast(tx)) ?? nothing
      if (isAtEnd(from, end)) return from
      const { access, exported, ...hashed } = await hashRows(pool, {
        from,
        to: { access: laterOf(from.access, end.access), exported: laterOf(from.exported, end.exported) },
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

const isAtEnd = (reached: AccessEnd, end: AccessEnd): boolean =>
  BigInt(reached.access) >= BigInt(end.access) && BigInt(reached.exported) >= BigInt(end.exported)

type Hashed = AccessEnd & Readonly<{ rows: number; oldest: string | null; sha256: string }>

type Run = Readonly<{ from: AccessEnd; to: AccessEnd; most?: number }>

/** Hashes the rows of both tables in the order of their ids. */
async function hashRows(pool: pg.Pool, { from, to, most = Infinity }: Run): Promise<Hashed> {
  const hash = createHash('sha256')
  const access = await addRows(hash, { pool, text: accessRows, from: from.access, to: to.access, most })
  const exported = await addRows(hash, {
    pool,
    text: exportRows,
    from: from.exported,
    to: to.exported,
    most,
  })
  const oldest = [access.oldest, exported.oldest].filter((at) => at !== null).sort()[0] ?? null
  return {
    access: access.last,
    exported: exported.last,
    rows: access.rows + exported.rows,
    oldest,
    sha256: hash.digest('hex'),
  }
}

/** SQL for the hash of a row that does not depend on session settings. */
const hashOf = (columns: readonly string[]) =>
  `encode(sha256(convert_to(jsonb_build_array(id, extract(epoch FROM at), ${columns.join(', ')})::text, 'UTF8')), 'hex') AS hash`

/** SQL for the rows after one id, up to and including another. */
const textOf = (table: string, columns: readonly string[]) =>
  `SELECT id::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, ${hashOf(columns)}
   FROM log.${table} WHERE id > $1::bigint AND id <= $2::bigint
   ORDER BY log.${table}.id LIMIT $3`

const accessRows = textOf('phi_audit', [
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
])

const exportRows = textOf('export_patients', [
  'export_id',
  'first_id',
  'last_id',
  'patient_ids',
  'types',
  'type_names',
])

type Rows = Readonly<{ pool: pg.Pool; text: string; from: string; to: string; most: number }>

async function addRows(hash: Hash, { pool, text, from, to, most }: Rows) {
  let [last, rows, oldest] = [from, 0, null as string | null]
  while (rows < most) {
    const limit = Math.min(rowsAtOnce, most - rows)
    const { rows: page } = await pool.query<HashedRow>(text, [last, to, limit])
    for (const row of page) {
      hash.update(row.hash)
      if (oldest === null || row.at < oldest) oldest = row.at
      last = row.id
    }
    rows += page.length
    if (page.length < limit) return { rows, oldest, last: to }
  }
  return { rows, oldest, last }
}
