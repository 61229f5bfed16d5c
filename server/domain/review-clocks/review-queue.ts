/** What waits for our reviewers, of every workflow, in one query; the first due first. */
import { reviewStates, type SubjectKind } from '../../contract/workflows/waiting-on.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requireStaff } from '../staff.ts'

type ReviewEntry = Readonly<{
  kind: SubjectKind
  id: string
  name: string
  organizationName: string
  state: string
  claimedById: string | null
  /** Since when it is our turn. */
  since: Date
  /** When the first clock that runs for it is over; null: none runs. */
  dueAt: Date | null
  overdue: boolean
}>

/** @throws Problem `forbidden` for everybody but reviewers and operations */
export async function reviewQueue(
  { prisma, clock }: Pick<Core, 'prisma' | 'clock'>,
  actor: Pick<Actor, 'accountId'>,
): Promise<readonly ReviewEntry[]> {
  await requireStaff(prisma, actor, ['reviewer', 'ops'])
  const now = clock()
  return prisma.$queryRaw<ReviewEntry[]>`
    WITH waiting AS (
      SELECT 'registration' AS kind, r.id, r.name, r.organization_id, r.state, r.claimed_by_id, r.updated_at,
             (SELECT min(c.due_at) FROM portal.registration_clock c
               WHERE c.registration_id = r.id AND c.stopped_at IS NULL AND c.paused_on IS NULL) AS due_at,
             EXISTS (SELECT 1 FROM portal.registration_clock c
               WHERE c.registration_id = r.id AND c.stopped_at IS NULL AND c.breached_at IS NOT NULL) AS overdue
        FROM portal.registration r WHERE r.state = ANY (${reviewStates('registration')})
      UNION ALL
      SELECT 'production_key_request', p.id, p.name, p.organization_id, p.state, p.claimed_by_id, p.updated_at,
             CASE WHEN p.clock_stopped_at IS NULL AND p.clock_paused_on IS NULL THEN p.clock_due_at END,
             p.clock_stopped_at IS NULL AND p.clock_paused_on IS NULL AND coalesce(p.clock_due_at < ${now}, false)
        FROM portal.production_key_request p WHERE p.state = ANY (${reviewStates('production_key_request')})
      UNION ALL
      SELECT 'sandbox_key_request', s.id, s.name, s.organization_id, s.state, NULL, s.updated_at, NULL, false
        FROM portal.sandbox_key_request s WHERE s.state = ANY (${reviewStates('sandbox_key_request')})
    )
    SELECT w.kind, w.id, w.name, o.name AS "organizationName", w.state, w.claimed_by_id AS "claimedById",
           coalesce(turn.at, w.updated_at) AS since, w.due_at AS "dueAt", w.overdue
      FROM waiting w
      JOIN portal.organization o ON o.id = w.organization_id
      LEFT JOIN LATERAL (
        SELECT e.at FROM portal.workflow_event e
         WHERE e.subject_kind = w.kind AND e.subject_id = w.id AND e."to" = ANY (${ourStates})
           AND (e."from" IS NULL OR NOT e."from" = ANY (${ourStates}))
         ORDER BY e.id DESC LIMIT 1
      ) turn ON true
     ORDER BY w.due_at ASC NULLS LAST, since, w.id`
}

/** Of all kinds together: no two of them mean different things by the same name. */
const ourStates = (['registration', 'production_key_request', 'sandbox_key_request'] as const).flatMap(
  reviewStates,
)
