/** The reviewers' queue: pages of requests of every kind, by due date. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { type PageAsk, readPage, searchPatterns } from '../../contract/portal/paging.ts'
import {
  heldStates,
  type QueueStage,
  type QueueView,
  type ReviewKind,
  type ReviewNoun,
  reviewStateName,
  stageStates,
} from '../../contract/workflows/review-queue.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'
import { type Found, findDetails, type QueueDetails } from './details.ts'

export type QueueAsk = PageAsk &
  Readonly<{
    view: QueueView
    stage: QueueStage
    kind: ReviewKind | null
  }>

export type ReviewQueue = Awaited<ReturnType<typeof read>>
export type QueueRow = ReviewQueue['rows'][number]

type FoundRow = Readonly<{
  noun: ReviewNoun
  kind: ReviewKind
  id: string
  name: string
  organizationId: string
  organizationName: string
  state: string
  assigneeId: string | null
  assigneeName: string | null
  barred: boolean
  needsSecond: boolean
}>

/** The risk of one request, as the queue shows it. @throws Problem `forbidden` except for reviewers and operations */
export async function readRisk(core: Core, request: Found, { accountId }: Pick<Actor, 'accountId'>) {
  await requireStaff(core.prisma, { accountId }, ['reviewer', 'ops'])
  return (await findDetails(core, [request])).get(request.id)?.risk ?? null
}

/** @throws Problem `forbidden` except for reviewers and operations */
export async function read(core: Core, ask: QueueAsk, { accountId }: Pick<Actor, 'accountId'>) {
  const { prisma } = core
  const { email, role } = await requireStaff(prisma, { accountId }, ['reviewer', 'ops'])
  const subjects = subjectsOf(ask, role === 'ops')
  const [counts] = await prisma.$queryRaw<Record<QueueView, number>[]>`
    WITH subject AS (${subjects})
    SELECT count(*)::int AS all, count(*) FILTER (WHERE s.assignee_id = ${accountId}::uuid)::int AS mine,
           count(*) FILTER (WHERE s.assignee_id IS NULL)::int AS unassigned
      FROM subject s`
  const { view } = ask
  const found = await readPage(
    ask,
    async () => counts?.[view] ?? 0,
    ({ skip, take }) => prisma.$queryRaw<FoundRow[]>`
      WITH subject AS (${subjects})
      SELECT s.noun, s.kind, s.id, s.name, s.organization_id AS "organizationId",
             o.name AS "organizationName", s.state, s.assignee_id AS "assigneeId", a.name AS "assigneeName",
             s.needs_second AS "needsSecond",
             ${accountId}::uuid = ANY (s.excluded_ids)
               OR EXISTS (SELECT 1 FROM portal.membership m JOIN portal.account c ON c.id = m.account_id
                           WHERE m.organization_id = s.organization_id AND c.email = ${email})
               OR EXISTS (SELECT 1 FROM portal.practice_membership m JOIN portal.account c ON c.id = m.account_id
                           WHERE m.practice_id = s.practice_id AND c.email = ${email}) AS barred
        FROM subject s
        JOIN portal.organization o ON o.id = s.organization_id
        LEFT JOIN portal.account a ON a.id = s.assignee_id
       WHERE ${whereOf(view, accountId)}
       ORDER BY ${orderOf(ask.stage)}, s.id
       LIMIT ${take} OFFSET ${skip}`,
  )
  const details = await findDetails(core, found.rows)
  return {
    ...found,
    counts: counts ?? { all: 0, mine: 0, unassigned: 0 },
    rows: found.rows.map(({ organizationId: _, assigneeId, assigneeName, ...row }) => ({
      ...row,
      ...(details.get(row.id) as QueueDetails),
      stateName: reviewStateName(row.noun, row.state),
      assignee:
        assigneeId === null
          ? null
          : { id: assigneeId, name: assigneeName ?? '', isReader: assigneeId === accountId },
    })),
  }
}

function whereOf(view: QueueView, accountId: string): Prisma.Sql {
  if (view === 'mine') return Prisma.sql`s.assignee_id = ${accountId}::uuid`
  return view === 'unassigned' ? Prisma.sql`s.assignee_id IS NULL` : Prisma.sql`true`
}

/** Requests without a clock come last, by their last change. */
function orderOf(stage: QueueStage): Prisma.Sql {
  return stage === 'decided'
    ? Prisma.sql`s.updated_at DESC`
    : Prisma.sql`s.due_at ASC NULLS LAST, s.updated_at ASC`
}

/** The requests of all nouns with the same columns, with every filter except the view. */
function subjectsOf({ stage, kind, q }: QueueAsk, isOps: boolean): Prisma.Sql {
  const states = stageStates[stage]
  const ofKeys = [...states.production_key_request, ...(isOps && stage === 'waiting' ? heldStates : [])]
  const all = Prisma.sql`
      SELECT 'registration' AS noun, r.kind, r.id, r.name, r.organization_id, NULL::uuid AS practice_id, r.state,
             r.claimed_by_id AS assignee_id, r.updated_at, r.excluded_ids, r.proposal IS NOT NULL AS needs_second,
             (SELECT min(c.due_at) FROM portal.registration_clock c
               WHERE c.registration_id = r.id AND c.stopped_at IS NULL AND c.paused_on IS NULL) AS due_at
        FROM portal.registration r WHERE r.state = ANY (${states.registration})
      UNION ALL
      SELECT 'production_key_request', 'production_key', p.id, p.name, p.organization_id, p.practice_id, p.state,
             p.claimed_by_id, p.updated_at, p.excluded_ids,
             p.proposal IS NOT NULL OR p.first_approval IS NOT NULL,
             CASE WHEN p.clock_stopped_at IS NULL AND p.clock_paused_on IS NULL THEN p.clock_due_at END
        FROM portal.production_key_request p WHERE p.state = ANY (${ofKeys})
      UNION ALL
      SELECT 'sandbox_key_request', 'sandbox_key', k.id, k.name, k.organization_id, NULL, k.state,
             NULL, k.updated_at, '{}', false, NULL
        FROM portal.sandbox_key_request k
       WHERE k.state = ANY (${states.sandbox_key_request}) AND cardinality(k.flags) > 0`
  return Prisma.sql`
    SELECT each.* FROM (${all}) each
      JOIN portal.organization named ON named.id = each.organization_id
     WHERE ${kind === null ? Prisma.sql`true` : Prisma.sql`each.kind = ${kind}`} AND (each.name || ' ' || named.name) ILIKE ALL (${searchPatterns(q)}::text[])`
}
