/** The statement that finds the subjects waiting for a person. The inbox, its badge and its email share it. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { awaitedSteps, type InboxKind, rolesOf } from '../../contract/workflows/inbox.ts'
import type { Core } from '../core.ts'
import { type Reader, reachOf, rolesOfPerson } from './entry.ts'
import {
  accessAlerts,
  accessReviews,
  components,
  expiringKeys,
  failedEmails,
  failedJobs,
  incidents,
  type Reach,
  type Read,
  roleRequests,
  subjectColumns,
  suspendedKeys,
  tokenErrors,
  withholdRequests,
  workflowReads,
} from './subjects.ts'

export type Db = Pick<Core, 'prisma' | 'pool' | 'clock'>

export type Within = Readonly<{
  organizationId?: string
  subject?: Readonly<{ kind: InboxKind; id: string }>
}>

const reads: Readonly<Record<InboxKind, Read>> = {
  ...workflowReads,
  expiring_key: expiringKeys,
  suspended_key: suspendedKeys,
  access_review: accessReviews,
  withhold_request: withholdRequests,
  access_alert: accessAlerts,
  role_request: roleRequests,
  incident: incidents,
  component: components,
  failed_email: failedEmails,
  failed_job: failedJobs,
  app_token_errors: tokenErrors,
}

const listed = awaitedSteps.flatMap(({ kind, state, step }, place) =>
  rolesOf(kind, state, step).map(({ realm, role }) => ({
    kind,
    state,
    place,
    realm,
    role,
    event: step.event,
    fact: step.fact ?? null,
    named: step.named ?? false,
    asks: step.asks,
  })),
)

/** @param states the awaited states of each kind */
function readSubjects(reach: Reach, states: ReadonlyMap<InboxKind, readonly string[]>, now: Date) {
  const selects = [...states].map(([kind, names]) => Prisma.sql`(${reads[kind](reach, names, now)})`)
  return Prisma.join(selects, '\n  UNION ALL ')
}

/**
 * One row for each subject that waits for the person, with the names of both sides and of the requester; null if no
 * subject can wait for a person with these roles.
 */
export async function findWaiting(db: Db, reader: Reader, within: Within): Promise<Prisma.Sql | null> {
  const { accountId } = reader
  const now = db.clock()
  const roles = await rolesOfPerson(db, reader)
  const { subject } = within
  const awaited = listed.filter(
    (step) =>
      roles.some(({ realm, role }) => realm === step.realm && role === step.role) &&
      (subject === undefined || step.kind === subject.kind),
  )
  if (awaited.length === 0) return null
  const states = new Map<InboxKind, string[]>()
  for (const { kind, state } of awaited) states.set(kind, [...(states.get(kind) ?? []), state])
  const organizationId = within.organizationId ?? null
  return Prisma.sql`(
    WITH subject (${subjectColumns}) AS (${readSubjects(reachOf(roles), states, now)}),
    awaited AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(awaited)}::jsonb) AS a
        (kind text, state text, place int, realm text, role text, event text, fact text, named boolean, asks text)
    ), role AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(roles)}::jsonb) AS r (realm text, role text, of uuid)
    ), me AS (SELECT id, email FROM portal.account WHERE id = ${accountId}::uuid),
    waiting AS (
      SELECT DISTINCT ON (s.kind, s.id) s.*, a.place, a.realm, a.event, a.asks
        FROM me
        CROSS JOIN subject s
        JOIN awaited a ON a.kind = s.kind AND a.state = s.state AND (a.fact IS NULL OR a.fact = ANY (s.facts))
        JOIN role r ON r.realm = a.realm AND r.role = a.role
         AND (r.of IS NULL OR r.of = CASE r.realm WHEN 'developer' THEN s.organization_id ELSE s.practice_id END)
       WHERE (NOT a.named OR me.id = ANY (s.people))
         AND (${subject?.id ?? null}::uuid IS NULL OR s.id = ${subject?.id ?? null}::uuid)
         AND (${organizationId}::uuid IS NULL OR s.organization_id = ${organizationId}::uuid)
         AND NOT me.id = ANY (s.barred)
         AND NOT (r.role = 'reviewer' AND (
           EXISTS (SELECT 1 FROM portal.membership m JOIN portal.account c ON c.id = m.account_id
                    WHERE m.organization_id = s.organization_id AND c.email = me.email)
           OR EXISTS (SELECT 1 FROM portal.practice_membership m JOIN portal.account c ON c.id = m.account_id
                       WHERE m.practice_id = s.practice_id AND c.email = me.email)))
       ORDER BY s.kind, s.id, a.place
    )
    SELECT w.*, o.slug AS organization_slug, o.name AS organization_name, p.slug AS practice_slug,
           p.name AS practice_name, ${askedBy} AS asked_by
      FROM waiting w
      LEFT JOIN portal.organization o ON o.id = w.organization_id
      LEFT JOIN portal.practice p ON p.id = w.practice_id
      LEFT JOIN portal.account q ON q.id = w.asker_id)`
}

const us = 'Sandpiper'
const otherSide = Prisma.sql`coalesce(p.name, ${us})`
const askedBy = Prisma.sql`
  CASE w.asks WHEN 'developer' THEN o.name
              WHEN 'practice' THEN ${otherSide}
              WHEN 'person' THEN q.name
              WHEN 'other' THEN CASE w.realm WHEN 'practice' THEN o.name ELSE ${otherSide} END
              ELSE ${us} END`
