/** What waits for a person, of every workflow: the steps of contract/workflows/inbox.ts that their roles may make. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { type Listed, type PageAsk, readPage } from '../../contract/portal/paging.ts'
import { type AgreementKind, agreementKinds } from '../../contract/workflows/agreements.ts'
import { awaitedSteps, type InboxKind, type InboxRole, rolesOf } from '../../contract/workflows/inbox.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { type Reach, readSubjects, subjectColumns } from './subjects.ts'

export type InboxEntry = Readonly<{
  kind: InboxKind
  id: string
  state: string
  /** The step that is awaited. */
  event: string
  title: string
  action: string
  /** In what realm the person may make it. */
  realm: InboxRole['realm']
  organization: Readonly<{ slug: string; name: string }>
  practice: Readonly<{ slug: string; name: string }> | null
  /** The reviewer who has it. */
  claimedBy: Readonly<{ id: string; name: string }> | null
  since: Date
  dueAt: Date | null
}>

type Reader = Pick<Actor, 'accountId'>
type Within = Readonly<{ organizationId?: string }>
type Db = Pick<Core, 'prisma'>

const listed = awaitedSteps.flatMap(({ kind, state, step }, place) =>
  rolesOf(kind, state, step).map(({ realm, role }) => ({
    kind,
    state,
    place,
    realm,
    role,
    fact: step.fact ?? null,
    named: step.named ?? false,
  })),
)

type Role = Readonly<{ realm: InboxRole['realm']; role: string; of: string | null }>

/** The roles of the person: on our staff, in organizations, or at practices. A disabled account has none. */
async function rolesOfPerson({ prisma }: Db, { accountId }: Reader): Promise<readonly Role[]> {
  const account = await prisma.account.findUnique({
    where: { id: accountId, disabledAt: null },
    select: {
      realm: true,
      staffRole: true,
      memberships: { select: { organizationId: true, role: true } },
      practiceRoles: { select: { practiceId: true, role: true } },
    },
  })
  if (account?.realm === 'staff')
    return account.staffRole ? [{ realm: 'staff', role: account.staffRole, of: null }] : []
  if (account?.realm === 'developer')
    return account.memberships.map(({ organizationId, role }) => ({
      realm: 'developer',
      role,
      of: organizationId,
    }))
  if (account?.realm === 'practice')
    return account.practiceRoles.map(({ practiceId, role }) => ({ realm: 'practice', role, of: practiceId }))
  return []
}

/** One row for each subject that waits for the person; null for somebody for whom none can. */
async function waitingFor(db: Db, { accountId }: Reader, within: Within): Promise<Prisma.Sql | null> {
  const organizationId = within.organizationId ?? null
  const roles = await rolesOfPerson(db, { accountId })
  const awaited = listed.filter((step) =>
    roles.some(({ realm, role }) => realm === step.realm && role === step.role),
  )
  const [first] = roles
  if (!first || awaited.length === 0) return null
  const states = new Map<InboxKind, string[]>()
  for (const { kind, state } of awaited) states.set(kind, [...(states.get(kind) ?? []), state])
  const ids = roles.flatMap(({ of }) => of ?? [])
  const reach: Reach =
    first.realm === 'developer'
      ? { realm: 'developer', organizationIds: ids }
      : first.realm === 'practice'
        ? { realm: 'practice', practiceIds: ids }
        : { realm: 'staff' }
  return Prisma.sql`
    WITH subject (${subjectColumns}) AS (${readSubjects(reach, states)}),
    awaited AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(awaited)}::jsonb)
        AS a (kind text, state text, place int, realm text, role text, fact text, named boolean)
    ), role AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(roles)}::jsonb) AS r (realm text, role text, of uuid)
    ), me AS (SELECT id, email FROM portal.account WHERE id = ${accountId}::uuid)
    SELECT DISTINCT ON (s.kind, s.id) s.*, a.place, a.realm
      FROM me
      CROSS JOIN subject s
      JOIN awaited a ON a.kind = s.kind AND a.state = s.state AND (a.fact IS NULL OR a.fact = ANY (s.facts))
      JOIN role r ON r.realm = a.realm AND r.role = a.role
       AND (r.of IS NULL OR r.of = CASE r.realm WHEN 'developer' THEN s.organization_id ELSE s.practice_id END)
     WHERE (NOT a.named OR me.id = ANY (s.people))
       AND (${organizationId}::uuid IS NULL OR s.organization_id = ${organizationId}::uuid)
       AND NOT (r.role = 'reviewer' AND (
         me.id = ANY (s.barred)
         OR EXISTS (SELECT 1 FROM portal.membership m JOIN portal.account c ON c.id = m.account_id
                     WHERE m.organization_id = s.organization_id AND c.email = me.email)
         OR EXISTS (SELECT 1 FROM portal.practice_membership m JOIN portal.account c ON c.id = m.account_id
                     WHERE m.practice_id = s.practice_id AND c.email = me.email)))
     ORDER BY s.kind, s.id, a.place`
}

type Row = Readonly<{
  kind: InboxKind
  id: string
  name: string
  state: string
  place: number
  realm: InboxRole['realm']
  organizationSlug: string
  organizationName: string
  practiceSlug: string | null
  practiceName: string | null
  claimedById: string | null
  claimedByName: string | null
  since: Date
  dueAt: Date | null
}>

/** With the names of both sides; of them, those in which every word is found. */
function foundIn(waiting: Prisma.Sql, q: string): Prisma.Sql {
  const words = q.split(/\s+/).filter(Boolean)
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return Prisma.sql`(
    SELECT w.*, o.slug AS organization_slug, o.name AS organization_name, p.slug AS practice_slug,
           p.name AS practice_name
      FROM (${waiting}) w
      JOIN portal.organization o ON o.id = w.organization_id
      LEFT JOIN portal.practice p ON p.id = w.practice_id
     WHERE concat_ws(E'\n', w.name, o.name, p.name) ILIKE ALL (${patterns}::text[])) w`
}

/** Of one organization, if it is named; the first due first, then the longest waiting. */
export async function list(
  db: Db,
  { ask, ...within }: Within & Readonly<{ ask: PageAsk }>,
  actor: Reader,
): Promise<Listed<InboxEntry>> {
  const waiting = await waitingFor(db, actor, within)
  const found = waiting && foundIn(waiting, ask.q)
  return readPage(
    ask,
    () => countOf(db, found),
    async ({ skip, take }) => {
      if (found === null) return []
      const rows = await db.prisma.$queryRaw<Row[]>`
        SELECT w.kind, w.id, w.name, w.state, w.place, w.realm, w.organization_slug AS "organizationSlug",
               w.organization_name AS "organizationName", w.practice_slug AS "practiceSlug",
               w.practice_name AS "practiceName", c.id AS "claimedById", c.name AS "claimedByName",
               coalesce(turn.at, w.updated_at) AS since, w.due_at AS "dueAt"
          FROM ${found}
          LEFT JOIN portal.account c ON c.id = w.claimed_by_id
          LEFT JOIN LATERAL (
            SELECT e.at FROM portal.workflow_event e
             WHERE e.subject_kind = w.kind AND e.subject_id = w.id AND e."to" = w.state
               AND e."from" IS DISTINCT FROM w.state
             ORDER BY e.id DESC LIMIT 1
          ) turn ON true
         ORDER BY w.due_at ASC NULLS LAST, since, w.id
         LIMIT ${take} OFFSET ${skip}`
      return rows.map(toEntry)
    },
  )
}

/** As many as `list` has, for the badge. */
export async function count(db: Db, within: Within, actor: Reader): Promise<number> {
  const waiting = await waitingFor(db, actor, within)
  return countOf(db, waiting && foundIn(waiting, ''))
}

async function countOf({ prisma }: Db, waiting: Prisma.Sql | null): Promise<number> {
  if (waiting === null) return 0
  const [row] = await prisma.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM ${waiting}`
  return row?.count ?? 0
}

function toEntry({ kind, id, state, place, realm, name, since, dueAt, ...row }: Row): InboxEntry {
  const step = awaitedSteps[place]?.step
  if (!step) throw new Error(`no awaited step at ${place}`)
  const { event, action, title } = step
  return {
    kind,
    id,
    state,
    event,
    action,
    realm,
    since,
    dueAt,
    title: title.replace('{name}', () => nameOf(kind, name)),
    organization: { slug: row.organizationSlug, name: row.organizationName },
    practice:
      row.practiceSlug === null
        ? null
        : { slug: row.practiceSlug, name: row.practiceName ?? row.practiceSlug },
    claimedBy: row.claimedById === null ? null : { id: row.claimedById, name: row.claimedByName ?? '' },
  }
}

function nameOf(kind: InboxKind, name: string): string {
  if (kind !== 'agreement') return `“${name}”`
  return agreementKinds[name as AgreementKind].toLowerCase()
}
