/**
 * Keys, backend systems and apps with access to a practice's records, or that lost it after reading in the last 30 days.
 */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import * as activityLog from '../../audit/activity-log.ts'
import {
  firstPage,
  type Listed,
  type PageAsk,
  readPage,
  searchPatterns,
} from '../../contract/portal/paging.ts'
import {
  type AccessGroup,
  type AccessKind,
  accessGroups,
  purposeCharactersMax,
} from '../../contract/portal/practice-access.ts'
import {
  keyedStates,
  type ProductionKeyState,
  type SuspensionCause,
} from '../../contract/workflows/production-key-workflow.ts'
import { readDays } from '../access-use/count-days.ts'
import {
  type Figures,
  hasRead,
  type Subject,
  subjectKey,
  sumBySubject,
  sumOf,
} from '../access-use/figures.ts'
import { lastDays } from '../access-use/read-use.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { liveGrantSql } from '../grants/grants.ts'
import { requirePracticeRole } from './practice-role.ts'

const fileRows = 1_000

type Common = Readonly<{
  id: string
  name: string
  organizationId: string | null
  organizationName: string
  since: Date
  lastUsedAt: Date | null
  /** The key or app, as the Use page identifies it. */
  subject: Subject
  /** Calls in the last 30 days; always 0 in a sandbox. */
  calls: number
  refused: number
  /** Whether its access has ended after it read in the last 30 days. */
  ended: boolean
}>

type Level = 'read_only' | 'full'

/** A key that developers requested; its id is that of the request, which is suspended with all its keys. */
export type KeyAccess = Common &
  Readonly<{
    kind: 'key'
    version: number
    state: ProductionKeyState
    /** The causes of its suspension. */
    causes: readonly SuspensionCause[]
    level: Level
    purpose: string
    keys: readonly Readonly<{ id: string; prefix: string }>[]
    expiresAt: Date | null
  }>

/** A key of the practice without a request by developers. */
type OtherKeyAccess = Common &
  Readonly<{ kind: 'other_key'; level: Level; prefix: string; suspended: boolean; expiresAt: Date }>

type SystemAccess = Common & Readonly<{ kind: 'system'; clientId: string; purpose: string }>

/** An app that reads for patients or clinicians, with their number, but no names. */
type AppAccess = Common & Readonly<{ kind: 'app'; audience: 'patient' | 'clinician'; people: number }>

export type Access = KeyAccess | OtherKeyAccess | SystemAccess | AppAccess

type Row = Readonly<{
  kind: AccessKind
  id: string
  name: string
  organizationId: string | null
  organizationName: string
  people: number
  since: Date
  clientId: string | null
  ended: boolean
}>

interface AccessQuery {
  ask?: PageAsk
  /** All groups if left out or null. */
  group?: AccessGroup | null
}

/** @throws Problem `not_found` unless the person works at the practice, `forbidden` for clinicians */
export async function read(
  core: Core,
  practiceId: string,
  { accountId }: Pick<Actor, 'accountId'>,
  { ask = firstPage, group = null }: AccessQuery = {},
): Promise<{ counts: Readonly<Record<AccessGroup, number>>; listed: Listed<Access> }> {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId }, ['admin', 'signatory'])
  const uses = await readUses(core, practiceId)
  const reaching = reachingSql(practiceId, core.clock(), readersOf(uses))
  const matches = matchesSql(ask.q)
  const counted = await prisma.$queryRaw<{ kind: AccessKind; all: number; found: number }[]>`
    SELECT kind, count(*)::int AS all, (count(*) FILTER (WHERE ${matches}))::int AS found
      FROM ${reaching} GROUP BY kind`
  const countOf = (name: AccessGroup, by: 'all' | 'found') =>
    accessGroups[name].reduce((sum, kind) => sum + (counted.find((row) => row.kind === kind)?.[by] ?? 0), 0)
  const shown = group === null ? (Object.keys(accessGroups) as AccessGroup[]) : [group]
  const kinds = shown.flatMap((name) => [...accessGroups[name]])
  const listed = await readPage(
    ask,
    async () => shown.reduce((sum, name) => sum + countOf(name, 'found'), 0),
    async ({ skip, take }) => {
      const rows = await prisma.$queryRaw<Row[]>`
        SELECT ${rowColumns} FROM ${reaching}
         WHERE kind = ANY (${kinds}) AND ${matches}
         ORDER BY ${rowOrder} LIMIT ${take} OFFSET ${skip}`
      return withDetails(core, practiceId, rows, uses)
    },
  )
  const counts = {
    keys: countOf('keys', 'all'),
    systems: countOf('systems', 'all'),
    apps: countOf('apps', 'all'),
  }
  return { counts, listed }
}

/** Everything as a file, page by page. @throws Problem as `read` */
export async function* file(core: Core, practiceId: string, { accountId }: Pick<Actor, 'accountId'>) {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin', 'signatory'])
  const uses = await readUses(core, practiceId)
  const reaching = reachingSql(practiceId, core.clock(), readersOf(uses))
  for (let skip = 0; ; skip += fileRows) {
    const rows = await core.prisma.$queryRaw<Row[]>`
      SELECT ${rowColumns} FROM ${reaching} ORDER BY ${rowOrder} LIMIT ${fileRows} OFFSET ${skip}`
    yield await withDetails(core, practiceId, rows, uses)
    if (rows.length < fileRows) return
  }
}

const rowColumns = Prisma.sql`kind, id, name, organization_id AS "organizationId", organization_name AS "organizationName", people, since, client_id AS "clientId", ended`
const rowOrder = Prisma.sql`place, ended, organization_name, name, id`

type Uses = ReadonlyMap<string, Readonly<{ subject: Subject; figures: Figures }>>

/** The figures that the Use page shows. */
async function readUses(core: Core, practiceId: string): Promise<Uses> {
  return sumBySubject(await readDays(core, practiceId, lastDays(core)))
}

const readersOf = (uses: Uses) =>
  [...uses.values()].flatMap(({ subject, figures }) => (hasRead(figures) ? [subject.id] : []))

/** An organization with access. Sandpiper's own keys and apps have no organization. */
type OrganizationWithAccess = Readonly<{ id: string; name: string }>

/** Organizations with access, by name. The caller checks the reader's role. */
export function findOrganizations(
  { clock }: Pick<Core, 'clock'>,
  db: Pick<Prisma.TransactionClient, '$queryRaw'>,
  practiceId: string,
): Promise<OrganizationWithAccess[]> {
  return db.$queryRaw<OrganizationWithAccess[]>`
    SELECT o.id, o.name FROM portal.organization o
     WHERE o.id IN (SELECT organization_id FROM ${reachingSql(practiceId, clock())})
     ORDER BY o.name, o.id`
}

/** A key or app with access, as the list shows it; null if it has none. The caller checks the reader's role. */
export async function findReaching(
  { clock }: Pick<Core, 'clock'>,
  db: Pick<Prisma.TransactionClient, '$queryRaw'>,
  practiceId: string,
  target: Readonly<{ keyId: string } | { clientId: string }>,
): Promise<{ name: string; organizationId: string | null } | null> {
  const same =
    'keyId' in target
      ? Prisma.sql`kind = 'other_key' AND id = ${target.keyId}`
      : Prisma.sql`client_id = ${target.clientId}`
  const [row] = await db.$queryRaw<{ name: string; organizationId: string | null }[]>`
    SELECT name, organization_id AS "organizationId"
      FROM ${reachingSql(practiceId, clock())} WHERE ${same} LIMIT 1`
  return row ?? null
}

/**
 * One row for everything that can reach the practice now, with the name of its organization.
 * @param readers ids of keys and apps that are listed even though their access has ended
 */
function reachingSql(practiceId: string, now: Date, readers: readonly string[] = []): Prisma.Sql {
  const isReader = (id: Prisma.Sql) => Prisma.sql`${id} = ANY (${[...readers]}::text[])`
  return Prisma.sql`(
    SELECT every.*, coalesce(o.name, 'Sandpiper') AS organization_name
      FROM (
        SELECT 1 AS place, 'key' AS kind, r.id::text AS id, NULL::text AS client_id, r.name, r.organization_id, 0 AS people,
               coalesce(r.revealed_at, r.created_at) AS since, r.state <> ALL (${[...keyedStates]}) AS ended
          FROM portal.production_key_request r
         WHERE r.practice_id = ${practiceId}::uuid
           AND (r.state = ANY (${[...keyedStates]}) OR ${isReader(Prisma.sql`r.id::text`)})
        UNION ALL
        SELECT 2, 'other_key', k.id::text, NULL, k.name, k.organization_id, 0, k.created_at, NOT k.live
          FROM (SELECT *, revoked_at IS NULL AND expires_at > ${now} AS live FROM portal.api_key) k
         WHERE k.practice_id = ${practiceId}::uuid AND k.production_request_id IS NULL
           AND (k.live OR ${isReader(Prisma.sql`k.id::text`)})
        UNION ALL
        SELECT 3, 'system', y.id::text, c.id, c.name, c.organization_id, 0, coalesce(y.decided_at, y.requested_at),
               y.state <> 'granted'
          FROM portal.practice_system_authorization y JOIN portal.client c ON c.id = y.client_id
         WHERE y.practice_id = ${practiceId}::uuid AND (y.state = 'granted' OR ${isReader(Prisma.sql`c.id`)})
        UNION ALL
        SELECT 4, 'app', c.id, c.id, c.name, c.organization_id, g.people, g.since, NOT g.live
          FROM portal.client c
          JOIN (
            SELECT client_id, bool_or(live) AS live,
                   coalesce(nullif(count(DISTINCT account_id) FILTER (WHERE live), 0), count(DISTINCT account_id))::int AS people,
                   coalesce(min(created_at) FILTER (WHERE live), min(created_at)) AS since
              FROM (SELECT g.client_id, g.account_id, g.created_at, ${liveGrantSql(now)} AS live FROM portal."grant" g
                     WHERE g.practice_id = ${practiceId}::uuid AND g.audience <> 'backend') given
             WHERE live OR ${isReader(Prisma.sql`client_id`)}
             GROUP BY client_id
          ) g ON g.client_id = c.id
      ) every
      LEFT JOIN portal.organization o ON o.id = every.organization_id
  ) reaching`
}

/** Matches if every word is in the name or the organization's name, ignoring case. */
function matchesSql(q: string): Prisma.Sql {
  const patterns = searchPatterns(q)
  return Prisma.sql`concat_ws(E'\n', name, organization_name) ILIKE ALL (${patterns}::text[])`
}

/** Adds the details that the page shows to the rows. */
async function withDetails(core: Core, practiceId: string, rows: readonly Row[], uses: Uses) {
  const rowsOf = (kind: AccessKind) => rows.filter((row) => row.kind === kind)
  const found = await Promise.all([
    describeKeys(core, rowsOf('key')),
    describeOtherKeys(core, rowsOf('other_key')),
    describeSystems(core, rowsOf('system')),
    describeApps(core, practiceId, rowsOf('app')),
  ])
  const described = new Map(found.flat().map((access) => [`${access.kind} ${access.id}`, access]))
  return rows.flatMap((row): Access[] => {
    const access = described.get(`${row.kind} ${row.id}`)
    if (!access) return []
    const figures = uses.get(subjectKey(access.subject))?.figures
    const lastUsedAt = latest(
      [figures?.lastAt ? new Date(figures.lastAt) : null, access.lastUsedAt].filter((at) => at !== null),
    )
    const counted = { calls: figures?.calls ?? 0, refused: figures ? sumOf(figures.refusals) : 0 }
    return [{ ...access, ...counted, lastUsedAt }]
  })
}

const commonOf = ({ id, name, organizationId, organizationName, since, clientId, ended }: Row) => ({
  ...{ id, name, organizationId, organizationName, since, ended, calls: 0, refused: 0 },
  subject: clientId === null ? ({ kind: 'key', id } as const) : ({ kind: 'app', id: clientId } as const),
})

async function describeKeys(core: Core, rows: readonly Row[]): Promise<KeyAccess[]> {
  if (rows.length === 0) return []
  const now = core.clock()
  const requests = await core.prisma.productionKeyRequest.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    include: {
      keys: {
        select: { id: true, prefix: true, revokedAt: true, expiresAt: true },
        orderBy: { createdAt: 'asc' },
      },
      suspensions: { where: { endedAt: null }, select: { cause: true }, orderBy: { at: 'asc' } },
    },
  })
  const keyIds = requests.flatMap(({ keys }) => keys.map(({ id }) => id))
  const lastUsed = await activityLog.findLastUsed(core, keyIds)
  const byId = new Map(requests.map((request) => [request.id, request]))
  return rows.flatMap((row) => {
    const request = byId.get(row.id)
    if (!request) return []
    return {
      ...commonOf(row),
      kind: 'key' as const,
      version: request.version,
      state: request.state as ProductionKeyState,
      causes: request.suspensions.map(({ cause }) => cause as SuspensionCause),
      level: request.level,
      purpose: shorten(request.justification),
      keys: request.keys
        .filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now)
        .map(({ id, prefix }) => ({ id, prefix })),
      lastUsedAt: latest(request.keys.flatMap(({ id }) => lastUsed.get(id) ?? [])),
      expiresAt: request.expiresAt,
    }
  })
}

async function describeOtherKeys(core: Core, rows: readonly Row[]): Promise<OtherKeyAccess[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [keys, lastUsed] = await Promise.all([
    core.prisma.apiKey.findMany({
      where: { id: { in: ids } },
      select: { id: true, level: true, prefix: true, suspendedAt: true, expiresAt: true },
    }),
    activityLog.findLastUsed(core, ids),
  ])
  const byId = new Map(keys.map((key) => [key.id, key]))
  return rows.flatMap((row) => {
    const key = byId.get(row.id)
    if (!key) return []
    const { level, prefix, suspendedAt, expiresAt } = key
    return {
      ...commonOf(row),
      kind: 'other_key' as const,
      ...{ level, prefix, expiresAt, suspended: suspendedAt !== null },
      lastUsedAt: lastUsed.get(row.id) ?? null,
    }
  })
}

async function describeSystems({ prisma }: Core, rows: readonly Row[]): Promise<SystemAccess[]> {
  if (rows.length === 0) return []
  const systems = await prisma.practiceSystemAuthorization.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    include: {
      grant: {
        include: { accessTokens: { orderBy: { createdAt: 'desc' }, take: 1, select: { createdAt: true } } },
      },
    },
  })
  const byId = new Map(systems.map((system) => [system.id, system]))
  return rows.flatMap((row) => {
    const system = byId.get(row.id)
    if (!system) return []
    return {
      ...commonOf(row),
      kind: 'system' as const,
      clientId: system.clientId,
      purpose: shorten(system.purpose),
      lastUsedAt: system.grant?.accessTokens[0]?.createdAt ?? null,
    }
  })
}

async function describeApps({ prisma }: Core, practiceId: string, rows: readonly Row[]) {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [clients, used] = await Promise.all([
    prisma.client.findMany({ where: { id: { in: ids } }, select: { id: true, audience: true } }),
    prisma.$queryRaw<{ id: string; at: Date }[]>`
      SELECT g.client_id AS id, max(t.created_at) AS at
        FROM portal."grant" g JOIN portal.access_token t ON t.grant_id = g.id
       WHERE g.practice_id = ${practiceId}::uuid AND g.audience <> 'backend' AND g.client_id = ANY (${ids})
       GROUP BY g.client_id`,
  ])
  const audiences = new Map(clients.map(({ id, audience }) => [id, audience]))
  const usedAt = new Map(used.map(({ id, at }) => [id, at]))
  return rows.map((row) => ({
    ...commonOf(row),
    kind: 'app' as const,
    audience: audiences.get(row.id) === 'clinician' ? ('clinician' as const) : ('patient' as const),
    people: row.people,
    lastUsedAt: usedAt.get(row.id) ?? null,
  }))
}

const latest = (dates: readonly Date[]) =>
  dates.length === 0 ? null : new Date(Math.max(...dates.map(Number)))

/** Shortens a text for a list, at the end of a word. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= purposeCharactersMax) return line
  return `${line.slice(0, purposeCharactersMax).replace(/\s+\S*$/, '')} …`
}
