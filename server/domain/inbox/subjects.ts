/** The subjects of all workflows that may wait for a person, with the same columns, for the inbox's statement. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { lastingTokenErrors } from '../../contract/smart/token-errors.ts'
import { componentStates } from '../../contract/status/components.ts'
import { agreementTimes } from '../../contract/workflows/agreements.ts'
import type { InboxKind } from '../../contract/workflows/inbox.ts'
import { expiringDays, tokenErrorDays, usedWithinDays } from '../../contract/workflows/inbox-duties.ts'
import { keyedStates, productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import { registrationTimes } from '../../contract/workflows/registration-workflow.ts'

/** The subjects that a person may see: all, or those of some organizations or practices. */
export type Reach = Readonly<
  | { realm: 'staff' }
  | { realm: 'developer'; organizationIds: readonly string[] }
  | { realm: 'practice'; practiceIds: readonly string[] }
>

/** When a wait ends. @param days the length of the wait */
const after = (column: string, days: number) =>
  Prisma.sql`${Prisma.raw(column)} + make_interval(days => ${days}::int)`

/** The names of the facts that are true. */
function facts(holding: Readonly<Record<string, Prisma.Sql>>): Prisma.Sql {
  const names = Object.entries(holding).map(([name, is]) => Prisma.sql`CASE WHEN ${is} THEN ${name} END`)
  return Prisma.sql`array_remove(ARRAY[${Prisma.join(names)}]::text[], NULL)`
}

/** The condition for the person's subjects, in a form that uses the column's index. */
function within(reach: Reach, organization: string, practice: string | null): Prisma.Sql {
  if (reach.realm === 'developer')
    return Prisma.sql`${Prisma.raw(organization)} = ANY (${reach.organizationIds}::uuid[])`
  if (reach.realm === 'practice')
    return practice === null
      ? Prisma.sql`false`
      : Prisma.sql`${Prisma.raw(practice)} = ANY (${reach.practiceIds}::uuid[])`
  return Prisma.sql`true`
}

/** @param states the awaited states; reads that are not of a workflow ignore them */
export type Read = (reach: Reach, states: readonly string[], now: Date) => Prisma.Sql

const registrations: Read = (reach, states) => Prisma.sql`
  SELECT 'registration'::text, r.id, r.name, r.state, r.organization_id, NULL::uuid,
         r.claimed_by_id, r.updated_at, ARRAY[]::uuid[],
         array_remove(r.excluded_ids || (r.proposal ->> 'byId')::uuid, NULL),
         CASE WHEN r.state IN ('draft', 'needs_info') THEN ${after('r.silent_since', registrationTimes.silentDaysMax)}
              ELSE (SELECT min(c.due_at) FROM portal.registration_clock c
                     WHERE c.registration_id = r.id AND c.stopped_at IS NULL AND c.paused_on IS NULL) END,
         ${facts({
           submitted_incomplete: Prisma.sql`r.state = 'draft' AND r.silent_since IS NOT NULL`,
           probes_failed: Prisma.sql`r.probe_due_at IS NULL AND r.probe_attempts >= ${registrationTimes.probeAttempts}::int`,
         })}, NULL::uuid
    FROM portal.registration r
   WHERE r.state = ANY (${states}) AND ${within(reach, 'r.organization_id', null)}`

const productionKeys: Read = (reach, states) => Prisma.sql`
  SELECT 'production_key_request'::text, p.id, coalesce(nullif(p.name, ''), 'A production key'), p.state, p.organization_id, p.practice_id,
         p.claimed_by_id, p.updated_at, ARRAY[p.requested_by_id],
         array_remove(p.excluded_ids || (p.proposal ->> 'byId')::uuid || (p.first_approval ->> 'byId')::uuid, NULL),
         CASE WHEN p.state IN ('baa_executed', 'in_review') AND p.clock_stopped_at IS NULL
                   AND p.clock_paused_on IS NULL THEN p.clock_due_at
              WHEN p.state = 'needs_info' THEN ${after('p.silent_since', productionKeyTimes.infoSilentDays)}
              WHEN p.state IN ('sponsor_invited', 'renewal_invited')
                   THEN ${after('p.invited_at', productionKeyTimes.sponsorDays)}
              WHEN p.state = 'ready_to_claim' THEN p.claim_expires_at END,
         ${facts({ reissues_left: Prisma.sql`p.reissues < ${productionKeyTimes.claimReissuesMax}::int` })}, NULL::uuid
    FROM portal.production_key_request p
   WHERE p.state = ANY (${states}) AND ${within(reach, 'p.organization_id', 'p.practice_id')}`

/** The signatories of sides that have not signed the offered version; `may` is whether the person still may sign. */
const signatories = Prisma.sql`
  SELECT s.agreement_id, s.side, s.account_id,
         CASE s.side
           WHEN 'developer' THEN EXISTS (SELECT 1 FROM portal.membership m JOIN portal.account c ON c.id = m.account_id
             WHERE m.organization_id = a.organization_id AND m.account_id = s.account_id AND m.role = 'owner'
               AND c.disabled_at IS NULL)
           WHEN 'practice' THEN EXISTS (SELECT 1 FROM portal.practice_membership m
              JOIN portal.account c ON c.id = m.account_id
             WHERE m.practice_id = a.practice_id AND m.account_id = s.account_id AND m.role IN ('admin', 'signatory')
               AND c.disabled_at IS NULL)
         END AS may
    FROM portal.agreement_signatory s
   WHERE s.agreement_id = a.id AND s.side <> 'service' AND NOT EXISTS (
     SELECT 1 FROM portal.agreement_signature g
      WHERE g.agreement_id = a.id AND g.number = a.number AND g.side = s.side)`

const signedBy = (side: string | null) => Prisma.sql`EXISTS (
  SELECT 1 FROM portal.agreement_signature g WHERE g.agreement_id = a.id AND g.number = a.number
     ${side === null ? Prisma.empty : Prisma.sql`AND g.side = ${side}`})`

const owed = Prisma.sql`EXISTS (
  SELECT 1 FROM portal.agreement_return_task t WHERE t.agreement_id = a.id AND t.attested_at IS NULL)`
const isRejected = Prisma.sql`a.rejected_number IS NOT DISTINCT FROM a.number`
const hasLeft = (side: string) => Prisma.sql`${side} = ANY (open.left_sides)`

const agreements: Read = (reach, states) => Prisma.sql`
  SELECT 'agreement'::text, a.id, a.kind, a.state, a.organization_id, a.practice_id, NULL::uuid, a.active_at, open.people,
         ARRAY[]::uuid[],
         CASE WHEN a.state = 'stalled' THEN ${after('a.active_at', agreementTimes.withdrawnAfterDays)}
              WHEN a.state IN ('expired', 'terminated')
                   THEN (SELECT t.due_at FROM portal.agreement_return_task t WHERE t.agreement_id = a.id)
              ELSE ${after('a.active_at', agreementTimes.stalledAfterDays)} END,
         ${facts({
           unsigned: Prisma.sql`cardinality(open.people) > 0 AND NOT ${isRejected}`,
           rejected: isRejected,
           developer_left: hasLeft('developer'),
           practice_left: hasLeft('practice'),
           none_signed: Prisma.sql`NOT ${signedBy(null)}`,
           half_signed: signedBy(null),
           return_owed: owed,
         })}, NULL::uuid
    FROM portal.agreement a
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(n.account_id) FILTER (WHERE n.may), '{}') AS people,
             coalesce(array_agg(n.side) FILTER (WHERE NOT n.may), '{}') AS left_sides
        FROM (${signatories}) n
    ) open
   WHERE a.state = ANY (${states})
     AND (a.state NOT IN ('expired', 'terminated') OR ${owed})
     AND ${within(reach, 'a.organization_id', 'a.practice_id')}`

const sandboxKeys: Read = (reach, states) => Prisma.sql`
  SELECT 'sandbox_key_request'::text, k.id, k.name, k.state, k.organization_id, NULL::uuid, NULL::uuid, k.updated_at,
         ARRAY[]::uuid[], ARRAY[]::uuid[], CASE WHEN k.state = 'ready_to_claim' THEN k.claim_expires_at END,
         ARRAY[]::text[], NULL::uuid
    FROM portal.sandbox_key_request k
   WHERE k.state = ANY (${states}) AND ${within(reach, 'k.organization_id', null)}`

const systems: Read = (reach, states) => Prisma.sql`
  SELECT 'system_authorization'::text, y.id, c.name, y.state, c.organization_id, y.practice_id, NULL::uuid, y.requested_at,
         ARRAY[]::uuid[], ARRAY[]::uuid[], NULL::timestamptz, ARRAY[]::text[], NULL::uuid
    FROM portal.practice_system_authorization y JOIN portal.client c ON c.id = y.client_id
   WHERE y.state = ANY (${states}) AND ${within(reach, 'c.organization_id', 'y.practice_id')}`

export const workflowReads = {
  registration: registrations,
  production_key_request: productionKeys,
  agreement: agreements,
  sandbox_key_request: sandboxKeys,
  system_authorization: systems,
} as const satisfies Partial<Record<InboxKind, Read>>

/** The columns that every read selects. */
export const subjectColumns = Prisma.raw(
  'kind, id, name, state, organization_id, practice_id, claimed_by_id, updated_at, people, barred, due_at, facts, asker_id',
)

// Tasks that are not steps of a workflow, with the same columns.

const days = (count: number) => Prisma.sql`make_interval(days => ${count}::int)`
const noPeople = Prisma.sql`ARRAY[]::uuid[]`
const noFacts = Prisma.sql`ARRAY[]::text[]`

/** Expiring keys: sandbox keys that are in use, and production keys without a renewal. */
export const expiringKeys: Read = (reach, _states, now) => Prisma.sql`
  SELECT 'expiring_key'::text, k.id, k.name, 'sandbox'::text, k.organization_id, NULL::uuid, NULL::uuid,
         k.expires_at - ${days(expiringDays.sandbox)}, ${noPeople}, ${noPeople}, k.expires_at, ${noFacts}, NULL::uuid
    FROM portal.api_key k
   WHERE k.environment = 'sandbox' AND NOT k.explorer AND k.production_request_id IS NULL
     AND k.revoked_at IS NULL AND k.suspended_at IS NULL AND k.rotated_at IS NULL
     AND k.expires_at > ${now} AND k.expires_at <= ${now}::timestamptz + ${days(expiringDays.sandbox)}
     AND ${within(reach, 'k.organization_id', null)}
     AND EXISTS (SELECT 1 FROM log.activity_day d
                  WHERE d.key_id = k.id AND d.last_used_at > ${now}::timestamptz - ${days(usedWithinDays)})
  UNION ALL
  SELECT 'expiring_key', p.id, p.name, 'production', p.organization_id, p.practice_id, NULL,
         p.expires_at - ${days(expiringDays.production)}, ${noPeople}, ${noPeople}, p.expires_at, ${noFacts}, NULL
    FROM portal.production_key_request p
   WHERE p.state IN ('active', 'rotating')
     AND p.expires_at > ${now} AND p.expires_at <= ${now}::timestamptz + ${days(expiringDays.production)}
     AND ${within(reach, 'p.organization_id', null)}
     AND NOT EXISTS (SELECT 1 FROM portal.production_key_request n
                      WHERE n.open_renewal_of_id = p.id
                         OR (n.renews_id = p.id AND n.state = ANY (${[...keyedStates]})))`

/** Suspended production keys. */
export const suspendedKeys: Read = (reach) => Prisma.sql`
  SELECT 'suspended_key'::text, p.id, p.name, 'production'::text, p.organization_id, p.practice_id, NULL::uuid,
         s.at, ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.production_key_request p
    CROSS JOIN LATERAL (SELECT coalesce(min(x.at), p.updated_at) AS at FROM portal.production_key_suspension x
                         WHERE x.request_id = p.id AND x.ended_at IS NULL) s
   WHERE p.state = 'suspended' AND ${within(reach, 'p.organization_id', null)}`

/** Keys whose yearly review by an admin of the practice is due. */
export const accessReviews: Read = (reach, _states, now) => {
  const dueAt = Prisma.sql`p.certified_at + ${days(productionKeyTimes.recertifyEveryDays)}`
  return Prisma.sql`
    SELECT 'access_review'::text, p.id, p.name, 'due'::text, p.organization_id, p.practice_id, NULL::uuid,
           ${dueAt}, ${noPeople}, ${noPeople}, ${dueAt} + ${days(productionKeyTimes.recertifyWithinDays)}, ${noFacts}, NULL::uuid
      FROM portal.production_key_request p
     WHERE p.state = ANY (${[...keyedStates]}) AND ${dueAt} <= ${now} AND ${within(reach, 'p.organization_id', 'p.practice_id')}`
}

/** Requests to withhold a record. The entry has the practice's name, because the inbox must not name patients. */
export const withholdRequests: Read = (reach) => Prisma.sql`
  SELECT 'withhold_request'::text, q.id, p.name, 'open'::text, NULL::uuid, q.practice_id, NULL::uuid,
         q.created_at, ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.withhold_request q JOIN portal.practice p ON p.id = q.practice_id
   WHERE q.decided_at IS NULL AND ${within(reach, 'NULL::uuid', 'q.practice_id')}`

/** Unusual use of a key or app that no admin has checked. */
export const accessAlerts: Read = (reach) => Prisma.sql`
  SELECT 'access_alert'::text, l.id, l.name, 'open'::text, NULL::uuid, l.practice_id, NULL::uuid,
         l.created_at, ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.access_alert l
   WHERE l.acknowledged_at IS NULL AND ${within(reach, 'l.practice_id', 'l.practice_id')}`

/** Role requests. The requester and the person who would get the role may not decide. */
export const roleRequests: Read = (_reach, _states, now) => Prisma.sql`
  SELECT 'role_request'::text, q.id, c.name, 'open'::text, NULL::uuid, NULL::uuid, NULL::uuid,
         q.created_at, ${noPeople}, ARRAY[q.requested_by_id, q.account_id], q.expires_at, ${noFacts}, q.requested_by_id
    FROM portal.staff_role_request q JOIN portal.account c ON c.id = q.account_id
   WHERE q.state = 'open' AND q.expires_at > ${now}`

/** Open incidents, and maintenance that has begun. */
export const incidents: Read = () => Prisma.sql`
  SELECT 'incident'::text, i.id, i.title, 'open'::text, NULL::uuid, NULL::uuid, NULL::uuid,
         coalesce((SELECT max(u.at) FROM portal.incident_update u WHERE u.incident_id = i.id), i.created_at),
         ${noPeople}, ${noPeople}, CASE WHEN i.kind = 'maintenance' THEN i.ends_at END, ${noFacts}, i.created_by_id
    FROM portal.incident i
   WHERE i.ended_at IS NULL AND i.stage <> 'scheduled'`

const working = ['operational', 'disabled', 'not_available']
const troubled = componentStates.filter((state) => !working.includes(state))

/** Components whose outage no incident covers. The id is derived from the component's name. */
export const components: Read = () => Prisma.sql`
  SELECT 'component'::text, md5('component ' || b.component)::uuid, b.component, 'unexplained'::text,
         NULL::uuid, NULL::uuid, NULL::uuid, b.since, ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.status_component b
   WHERE b.source = 'automatic' AND b.state = ANY (${troubled})
     AND NOT EXISTS (SELECT 1 FROM portal.incident_component n JOIN portal.incident i ON i.id = n.incident_id
                      WHERE n.component = b.component AND i.ended_at IS NULL AND i.stage <> 'scheduled')`

/** One entry for all failed emails of a template, because an outage of the mail server makes many fail at once. */
export const failedEmails: Read = () => Prisma.sql`
  SELECT 'failed_email'::text, md5('failed_email ' || f.template)::uuid, f.template, 'unsent'::text, NULL::uuid, NULL::uuid,
         NULL::uuid, max(coalesce(f.sending_at, f.created_at)), ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.outbox_mail f
   WHERE f.state = 'failed' AND f.left_unsent_at IS NULL
   GROUP BY f.template`

/** One entry for all jobs of a task that are out of attempts. */
export const failedJobs: Read = () => Prisma.sql`
  SELECT 'failed_job'::text, md5('failed_job ' || t.identifier)::uuid, t.identifier, 'stopped'::text, NULL::uuid, NULL::uuid,
         NULL::uuid, max(j.updated_at), ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL
   GROUP BY t.identifier`

/**
 * Production apps whose last token request failed for a reason that only their developers can fix. The route is a
 * literal, so that the partial index is used.
 */
export const tokenErrors: Read = (reach, _states, now) => Prisma.sql`
  SELECT 'app_token_errors'::text, c.app_id, c.name, 'refused'::text, c.organization_id, NULL::uuid, NULL::uuid,
         l.at, ${noPeople}, ${noPeople}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.client c
    CROSS JOIN LATERAL (
      SELECT a.at, a.refusal FROM log.activity a
       WHERE a.client_id = c.id AND a.door = 'smart' AND a.route = '/r4/{practice}/token'
         AND a.at > ${now}::timestamptz - ${days(tokenErrorDays)}
       ORDER BY a.at DESC, a.id DESC LIMIT 1
    ) l
   WHERE c.environment = 'production' AND c.removed_at IS NULL AND c.suspended_at IS NULL
     AND l.refusal = ANY (${[...lastingTokenErrors]}) AND ${within(reach, 'c.organization_id', null)}`
