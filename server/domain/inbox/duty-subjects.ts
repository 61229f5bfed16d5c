/** What waits for people without being a step of a workflow, as rows of the shape of `subjects.ts`. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { reviewTimes } from '../../contract/forms/access-review.ts'
import { lastingTokenErrors } from '../../contract/smart/token-errors.ts'
import { componentStates } from '../../contract/status/components.ts'
import { expiringDays, tokenErrorDays, usedWithinDays } from '../../contract/workflows/inbox-duties.ts'
import { keyedStates, productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import type { Read } from './subjects.ts'
import { within } from './subjects.ts'

const days = (count: number) => Prisma.sql`make_interval(days => ${count}::int)`
const nobody = Prisma.sql`ARRAY[]::uuid[]`
const noFacts = Prisma.sql`ARRAY[]::text[]`

/** A sandbox key that is in use, and a production key whose access nobody has renewed. */
export const expiringKeys: Read = (reach, _states, now) => Prisma.sql`
  SELECT 'expiring_key'::text, k.id, k.name, 'sandbox'::text, k.organization_id, NULL::uuid, NULL::uuid,
         k.expires_at - ${days(expiringDays.sandbox)}, ${nobody}, ${nobody}, k.expires_at, ${noFacts}, NULL::uuid
    FROM portal.api_key k
   WHERE k.environment = 'sandbox' AND NOT k.explorer AND k.production_request_id IS NULL
     AND k.revoked_at IS NULL AND k.suspended_at IS NULL AND k.rotated_at IS NULL
     AND k.expires_at > ${now} AND k.expires_at <= ${now}::timestamptz + ${days(expiringDays.sandbox)}
     AND ${within(reach, 'k.organization_id', null)}
     AND EXISTS (SELECT 1 FROM log.activity_day d
                  WHERE d.key_id = k.id AND d.last_used_at > ${now}::timestamptz - ${days(usedWithinDays)})
  UNION ALL
  SELECT 'expiring_key', p.id, p.name, 'production', p.organization_id, p.practice_id, NULL,
         p.expires_at - ${days(expiringDays.production)}, ${nobody}, ${nobody}, p.expires_at, ${noFacts}, NULL
    FROM portal.production_key_request p
   WHERE p.state IN ('active', 'rotating')
     AND p.expires_at > ${now} AND p.expires_at <= ${now}::timestamptz + ${days(expiringDays.production)}
     AND ${within(reach, 'p.organization_id', null)}
     AND NOT EXISTS (SELECT 1 FROM portal.production_key_request n
                      WHERE n.open_renewal_of_id = p.id
                         OR (n.renews_id = p.id AND n.state = ANY (${[...keyedStates]})))`

/** A production key that does not work for now. */
export const suspendedKeys: Read = (reach) => Prisma.sql`
  SELECT 'suspended_key'::text, p.id, p.name, 'production'::text, p.organization_id, p.practice_id, NULL::uuid,
         s.at, ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.production_key_request p
    CROSS JOIN LATERAL (SELECT coalesce(min(x.at), p.updated_at) AS at FROM portal.production_key_suspension x
                         WHERE x.request_id = p.id AND x.ended_at IS NULL) s
   WHERE p.state = 'suspended' AND ${within(reach, 'p.organization_id', null)}`

/** Once a year an admin of the practice says whether a key may keep its access. */
export const accessReviews: Read = (reach, _states, now) => {
  const asked = Prisma.sql`p.certified_at + ${days(productionKeyTimes.recertifyEveryDays)}`
  return Prisma.sql`
    SELECT 'access_review'::text, p.id, p.name, 'due'::text, p.organization_id, p.practice_id, NULL::uuid,
           ${asked}, ${nobody}, ${nobody}, ${asked} + ${days(productionKeyTimes.recertifyWithinDays)}, ${noFacts}, NULL::uuid
      FROM portal.production_key_request p
     WHERE p.state = ANY (${[...keyedStates]}) AND ${asked} <= ${now} AND ${within(reach, 'p.organization_id', 'p.practice_id')}`
}

/** The name is the practice's: an inbox and its email name no patient. */
export const withholdRequests: Read = (reach) => Prisma.sql`
  SELECT 'withhold_request'::text, q.id, p.name, 'open'::text, NULL::uuid, q.practice_id, NULL::uuid,
         q.created_at, ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.withhold_request q JOIN portal.practice p ON p.id = q.practice_id
   WHERE q.decided_at IS NULL AND ${within(reach, 'NULL::uuid', 'q.practice_id')}`

/** Once a year an admin signs off everything with access, if there is anything. */
export const allAccessReviews: Read = (reach, _states, now) => {
  const asked = Prisma.sql`coalesce(r.signed_at, p.created_at) + ${days(reviewTimes.everyDays)}`
  return Prisma.sql`
    SELECT 'all_access_review'::text, p.id, p.name, 'due'::text, NULL::uuid, p.id, NULL::uuid,
           ${asked}, ${nobody}, ${nobody}, ${asked} + ${days(reviewTimes.withinDays)}, ${noFacts}, NULL::uuid
      FROM portal.practice p
      LEFT JOIN LATERAL (SELECT max(v.signed_at) AS signed_at FROM portal.access_review v WHERE v.practice_id = p.id) r ON true
     WHERE p.environment = 'production' AND ${asked} <= ${now} AND ${within(reach, 'p.id', 'p.id')}
       AND (EXISTS (SELECT 1 FROM portal.api_key k
                     WHERE k.practice_id = p.id AND k.revoked_at IS NULL AND k.expires_at > ${now})
            OR EXISTS (SELECT 1 FROM portal."grant" g WHERE g.practice_id = p.id AND g.revoked_at IS NULL))`
}

/** Unusual use of a key or app that no admin has checked. */
export const accessAlerts: Read = (reach) => Prisma.sql`
  SELECT 'access_alert'::text, l.id, l.name, 'open'::text, NULL::uuid, l.practice_id, NULL::uuid,
         l.created_at, ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.access_alert l
   WHERE l.acknowledged_at IS NULL AND ${within(reach, 'l.practice_id', 'l.practice_id')}`

/** Another operator than the one who requested it decides, and nobody about their own role. */
export const roleRequests: Read = (_reach, _states, now) => Prisma.sql`
  SELECT 'role_request'::text, q.id, c.name, 'open'::text, NULL::uuid, NULL::uuid, NULL::uuid,
         q.created_at, ${nobody}, ARRAY[q.requested_by_id, q.account_id], q.expires_at, ${noFacts}, q.requested_by_id
    FROM portal.staff_role_request q JOIN portal.account c ON c.id = q.account_id
   WHERE q.state = 'open' AND q.expires_at > ${now}`

/** Open ones, and maintenance that has begun. */
export const incidents: Read = () => Prisma.sql`
  SELECT 'incident'::text, i.id, i.title, 'open'::text, NULL::uuid, NULL::uuid, NULL::uuid,
         coalesce((SELECT max(u.at) FROM portal.incident_update u WHERE u.incident_id = i.id), i.created_at),
         ${nobody}, ${nobody}, CASE WHEN i.kind = 'maintenance' THEN i.ends_at END, ${noFacts}, i.created_by_id
    FROM portal.incident i
   WHERE i.ended_at IS NULL AND i.stage <> 'scheduled'`

const working = ['operational', 'disabled', 'not_available']
const troubled = componentStates.filter((state) => !working.includes(state))

/** What the checks found, and nobody has told anybody of. Its id follows from its name. */
export const components: Read = () => Prisma.sql`
  SELECT 'component'::text, md5('component ' || b.component)::uuid, b.component, 'unexplained'::text,
         NULL::uuid, NULL::uuid, NULL::uuid, b.since, ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.status_component b
   WHERE b.source = 'automatic' AND b.state = ANY (${troubled})
     AND NOT EXISTS (SELECT 1 FROM portal.incident_component n JOIN portal.incident i ON i.id = n.incident_id
                      WHERE n.component = b.component AND i.ended_at IS NULL AND i.stage <> 'scheduled')`

/** One entry for all failed mails of a template: a mail server that is away fails many at once. */
export const failedEmails: Read = () => Prisma.sql`
  SELECT 'failed_email'::text, md5('failed_email ' || f.template)::uuid, f.template, 'unsent'::text, NULL::uuid, NULL::uuid,
         NULL::uuid, max(coalesce(f.sending_at, f.created_at)), ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.outbox_mail f
   WHERE f.state = 'failed' AND f.left_unsent_at IS NULL
   GROUP BY f.template`

/** One entry for all jobs of a task that are out of attempts. */
export const failedJobs: Read = () => Prisma.sql`
  SELECT 'failed_job'::text, md5('failed_job ' || t.identifier)::uuid, t.identifier, 'stopped'::text, NULL::uuid, NULL::uuid,
         NULL::uuid, max(j.updated_at), ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL
   GROUP BY t.identifier`

/**
 * Production apps whose last token request failed for a reason that only their developers can mend. A test in the
 * sandbox fails in front of somebody. The route is written out, as the index has it.
 */
export const tokenErrors: Read = (reach, _states, now) => Prisma.sql`
  SELECT 'app_token_errors'::text, c.app_id, c.name, 'refused'::text, c.organization_id, NULL::uuid, NULL::uuid,
         l.at, ${nobody}, ${nobody}, NULL::timestamptz, ${noFacts}, NULL::uuid
    FROM portal.client c
    CROSS JOIN LATERAL (
      SELECT a.at, a.refusal FROM log.activity a
       WHERE a.client_id = c.id AND a.door = 'smart' AND a.route = '/r4/{practice}/token'
         AND a.at > ${now}::timestamptz - ${days(tokenErrorDays)}
       ORDER BY a.at DESC, a.id DESC LIMIT 1
    ) l
   WHERE c.environment = 'production' AND c.removed_at IS NULL AND c.suspended_at IS NULL
     AND l.refusal = ANY (${[...lastingTokenErrors]}) AND ${within(reach, 'c.organization_id', null)}`
