/** The subjects of all workflows that may wait for somebody, as rows of one shape for the inbox's statement. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { agreementTimes } from '../../contract/workflows/agreements.ts'
import type { InboxKind } from '../../contract/workflows/inbox.ts'
import { productionKeyTimes } from '../../contract/workflows/production-key-workflow.ts'
import { registrationTimes } from '../../contract/workflows/registration-workflow.ts'

/** Whose subjects a person may have a part in: all of them, or those of some organizations or practices. */
export type Reach = Readonly<
  | { realm: 'staff' }
  | { realm: 'developer'; organizationIds: readonly string[] }
  | { realm: 'practice'; practiceIds: readonly string[] }
>

/** @param days after which silence ends the wait */
const after = (column: string, days: number) =>
  Prisma.sql`${Prisma.raw(column)} + make_interval(days => ${days}::int)`

/** The names of the facts that hold. */
function facts(holding: Readonly<Record<string, Prisma.Sql>>): Prisma.Sql {
  const each = Object.entries(holding).map(([name, holds]) => Prisma.sql`CASE WHEN ${holds} THEN ${name} END`)
  return Prisma.sql`array_remove(ARRAY[${Prisma.join(each)}]::text[], NULL)`
}

/** Read by the index of the column that the person's part goes by. */
export function within(reach: Reach, organization: string, practice: string | null): Prisma.Sql {
  if (reach.realm === 'developer')
    return Prisma.sql`${Prisma.raw(organization)} = ANY (${reach.organizationIds}::uuid[])`
  if (reach.realm === 'practice')
    return practice === null
      ? Prisma.sql`false`
      : Prisma.sql`${Prisma.raw(practice)} = ANY (${reach.practiceIds}::uuid[])`
  return Prisma.sql`true`
}

/** @param states that somebody awaits; what is no workflow computes its own */
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

/** A signatory of a side that has not signed the offered version; `may` says whether that person still may. */
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
           service_unsigned: Prisma.sql`a.kind = 'usage_agreement' AND NOT ${signedBy('service')}`,
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

/** What each of them selects. */
export const subjectColumns = Prisma.raw(
  'kind, id, name, state, organization_id, practice_id, claimed_by_id, updated_at, people, barred, due_at, facts, asker_id',
)
