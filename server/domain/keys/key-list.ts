/** Lists an organization's keys and requests, with the use of each key; for members only. */
import * as activityLog from '../../audit/activity-log.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { listedOf, type PageAsk, pageRows, searchPatterns } from '../../contract/portal/paging.ts'
import {
  endedStates,
  keyedStates,
  type ProductionKeyState,
  productionKeyStates,
  type SuspensionCause,
  suspensionCauses,
} from '../../contract/workflows/production-key-workflow.ts'
import type { SandboxKeyState } from '../../contract/workflows/sandbox-key-workflow.ts'
import type { Core } from '../core.ts'
import { everyMember, type Member, requireRole } from '../organizations/membership.ts'
import { reissuesLeft } from './claims.ts'
import { mayExtend } from './key-expiry.ts'
import { keyState, mayManage } from './owned-key.ts'

type Reader = Member & { role: OrganizationRole }

/** The newest five hundred keys, or only the key with the id. */
export async function list(core: Core, { keyId, ...member }: Member & { keyId?: string }) {
  if (keyId !== undefined && !uuidPattern.test(keyId)) return []
  const role = await requireRole(core.prisma, member, everyMember)
  return find(core, { ...member, role }, keyId === undefined ? null : [keyId])
}

/** Which part of the list is shown. */
export type KeyListView = 'current' | 'sandbox' | 'production' | 'ended'

type Entry = {
  kind: 'production' | 'request' | 'key'
  id: string
  name: string
  level: 'read_only' | 'full'
  state: string
  practiceName: string | null
  renewal: boolean
}

/**
 * One page of requests for production keys without a key, requests for sandbox keys, and keys; either those that are
 * live (also if suspended), or those that have ended.
 */
export async function listPage(
  core: Core,
  { show, ask, ...member }: Member & { show: KeyListView; ask: PageAsk },
) {
  const { prisma, clock } = core
  const reader = { ...member, role: await requireRole(prisma, member, everyMember) }
  const { organizationId } = reader
  const environment = show === 'sandbox' || show === 'production' ? show : null
  const take = ask.rows ?? pageRows
  type Row = { counts: Record<KeyListView | 'matching', number> } & (Entry | { kind: null })
  const found = await prisma.$queryRaw<[Row, ...Row[]]>`
    WITH entry (place, kind, id, name, level, state, at, environment, ended, practice_name, prefix, renewal) AS (
      SELECT 1, 'production', r.id, r.name, r.level::text, r.state, r.updated_at, 'production',
             r.state = ANY (${[...endedStates]}), coalesce(p.name, r.practice_slug), NULL, r.renews_id IS NOT NULL
        FROM portal.production_key_request r LEFT JOIN portal.practice p ON p.id = r.practice_id
       WHERE r.organization_id = ${organizationId}::uuid AND r.state <> ALL (${[...keyedStates]})
         AND NOT EXISTS (SELECT FROM portal.api_key k WHERE k.production_request_id = r.id)
      UNION ALL
      SELECT 2, 'request', r.id, r.name, r.level::text, r.state, r.created_at, 'sandbox', r.state = 'declined', NULL, NULL,
             false
        FROM portal.sandbox_key_request r
       WHERE r.organization_id = ${organizationId}::uuid AND r.state <> 'active'
      UNION ALL
      SELECT 3, 'key', k.id, k.name, k.level::text, '', k.created_at, k.environment::text,
             k.revoked_at IS NOT NULL OR k.expires_at <= ${clock()}, p.name, k.prefix, false
        FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
       WHERE k.organization_id = ${organizationId}::uuid AND NOT k.explorer
    ), matching AS (
      SELECT * FROM entry
       WHERE ended = ${show === 'ended'} AND environment = coalesce(${environment}, environment)
         AND concat_ws(E'\n', name, practice_name, prefix) ILIKE ALL (${searchPatterns(ask.q)}::text[])
    )
    SELECT counted.counts, shown.kind, shown.id, shown.name, shown.level, shown.state,
           shown.practice_name AS "practiceName", shown.renewal
      FROM (SELECT jsonb_build_object(
                     'current', count(*) FILTER (WHERE NOT ended),
                     'sandbox', count(*) FILTER (WHERE NOT ended AND environment = 'sandbox'),
                     'production', count(*) FILTER (WHERE NOT ended AND environment = 'production'),
                     'ended', count(*) FILTER (WHERE ended),
                     'matching', (SELECT count(*) FROM matching)) AS counts FROM entry) counted
      LEFT JOIN (SELECT * FROM matching ORDER BY place, at DESC, id
                  LIMIT ${take} OFFSET ${(ask.page - 1) * take}) shown ON true
     ORDER BY shown.place, shown.at DESC, shown.id`
  const { matching, ...counts } = found[0].counts
  const entries = found.filter((row): row is Row & Entry => row.kind !== null)
  const listed = listedOf(ask, entries, matching)
  // A page number past the end shows the last page.
  if (listed.page < ask.page) return listPage(core, { ...member, show, ask: { ...ask, page: listed.page } })
  const idsOf = (kind: Entry['kind']) => entries.flatMap((entry) => (entry.kind === kind ? [entry.id] : []))
  const [requests, keys] = await Promise.all([
    findRequests(core, reader, idsOf('request')),
    find(core, reader, idsOf('key')),
  ])
  return {
    ...listed,
    counts,
    rows: [
      ...entries.flatMap(({ kind, id, name, level, state, practiceName, renewal }) =>
        kind === 'production'
          ? [
              {
                ...{ kind, id, name, level, renewal },
                state: state as ProductionKeyState,
                practiceName: practiceName ?? '',
                // Whether the developers must make the next step.
                waits: ['developer', 'both'].includes(
                  productionKeyStates[state as ProductionKeyState].holder,
                ),
              },
            ]
          : [],
      ),
      ...requests.map((row) => ({ kind: 'request' as const, ...row })),
      ...keys.map((row) => ({ kind: 'key' as const, ...row })),
    ],
  }
}

type KeyRow = {
  id: string
  name: string
  prefix: string
  level: 'read_only' | 'full'
  environment: 'sandbox' | 'production'
  practice: { slug: string; name: string }
  createdById: string
  expiresAt: Date
  suspendedAt: Date | null
  revokedAt: Date | null
  revokeReason: string | null
  rotatedAt: Date | null
  productionRequestId: string | null
  successor: { id: string; prefix: string } | null
  replaces: { id: string; prefix: string; live: boolean } | null
  allowedNetworks: string[]
  mcpWrites: boolean
  limits: { burst: number; sustained: number } | null
  /** Suspensions of a live key, the oldest first, then stops by the practice, which have no cause. */
  suspensions: { cause: SuspensionCause | null; reason: string | null; since: string; by: string | null }[]
}

/**
 * The keys, the newest first, without the explorer's own: the explorer shows their activity.
 * @param ids null for all keys, five hundred at most
 */
async function find(core: Core, { organizationId, accountId, role }: Reader, ids: readonly string[] | null) {
  const { prisma, clock } = core
  if (ids?.length === 0) return []
  const now = clock()
  const keys = await prisma.$queryRaw<KeyRow[]>`
    SELECT k.id, k.name, k.prefix, k.level::text AS level, k.environment::text AS environment,
           jsonb_build_object('slug', p.slug, 'name', p.name) AS practice, k.created_by_id AS "createdById",
           k.expires_at AS "expiresAt", k.suspended_at AS "suspendedAt",
           k.revoked_at AS "revokedAt", k.revoke_reason AS "revokeReason", k.rotated_at AS "rotatedAt",
           k.production_request_id AS "productionRequestId", k.allowed_networks AS "allowedNetworks",
           k.mcp_writes AS "mcpWrites",
           (SELECT jsonb_build_object('id', n.id, 'prefix', n.prefix) FROM portal.api_key n
             WHERE n.replaces_id = k.id) AS successor,
           (SELECT jsonb_build_object('id', o.id, 'prefix', o.prefix, 'live',
                     o.revoked_at IS NULL AND o.suspended_at IS NULL AND o.expires_at > ${now}) FROM portal.api_key o
             WHERE o.id = k.replaces_id) AS replaces,
           (SELECT jsonb_build_object('burst', g.burst, 'sustained', g.sustained) FROM portal.key_limit_grant g
             WHERE g.key_id = k.id AND g.ended_at IS NULL ORDER BY g.created_at DESC LIMIT 1) AS limits,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('cause', s.cause, 'reason', s.reason, 'since', s.since, 'by', a.name)
                              ORDER BY s.cause IS NULL, s.since), '[]')
              FROM (SELECT u.cause, u.reason, u.at, u.by_id FROM portal.production_key_suspension u
                     WHERE u.request_id = k.production_request_id AND k.suspended_at IS NOT NULL AND u.ended_at IS NULL
                    UNION ALL
                    SELECT NULL, t.reason, t.started_at, t.started_by_id FROM portal.practice_stop t
                     WHERE t.practice_id = k.practice_id AND t.ended_at IS NULL AND t.client_id IS NULL
                       AND coalesce(t.key_id, k.id) = k.id
                       AND coalesce(t.organization_id, k.organization_id) = k.organization_id) s (cause, reason, since, by_id)
              LEFT JOIN portal.account a ON a.id = s.by_id
             WHERE k.revoked_at IS NULL AND k.expires_at > ${now}) AS suspensions
      FROM portal.api_key k JOIN portal.practice p ON p.id = k.practice_id
     WHERE k.organization_id = ${organizationId}::uuid AND NOT k.explorer
       AND (${ids}::uuid[] IS NULL OR k.id = ANY (${ids}::uuid[]))
     ORDER BY k.created_at DESC, k.id LIMIT 500`
  const use = await activityLog.readUse(core, { keyIds: keys.map(({ id }) => id), days: 30, now })
  return keys.map(({ createdById, suspendedAt, suspensions, ...key }) => {
    const state = keyState({ ...key, suspendedAt }, now)
    const manages = mayManage(role, key.environment)
    const isMine = key.environment === 'sandbox' || createdById === accountId
    return {
      ...key,
      state,
      // A production key is revoked on the page of its request.
      mayRevoke: manages && key.productionRequestId === null && (state === 'active' || state === 'suspended'),
      mayRotate:
        manages && isMine && state === 'active' && key.rotatedAt === null && key.replaces?.live !== true,
      mayExtend: manages && mayExtend({ ...key, suspendedAt }, now),
      suspensions: [
        ...(state === 'suspended' && suspensions.every(({ cause }) => cause === null)
          ? [{ ...byOperator, since: suspendedAt ?? now }]
          : []),
        ...suspensions.map(({ cause, reason, since, by }) => ({
          ...(cause === null ? stopped : suspensionCauses[cause]),
          ...{ by: cause === 'ops' ? 'Sandpiper' : by, reason, since: new Date(since) },
        })),
      ],
      ...(use.get(key.id) ?? { lastUsedAt: null, browserUseAt: null, days: [] }),
    }
  })
}

// The reasons why a live key is stopped, as developers see them.

const stopped = {
  title: 'Stopped by the practice',
  next: 'Talk to the practice. One of its admins can resume access.',
}
const byOperator = {
  title: 'Stopped by an operator',
  by: 'Sandpiper',
  // The email contains the operator's reason.
  reason: null,
  next: 'Read the reason in the email about it, and reply to that email.',
}

type RequestRow = {
  id: string
  name: string
  level: 'read_only' | 'full'
  state: string
  requestedBy: { accountId: string; name: string }
  createdAt: Date
  claimExpiresAt: Date | null
  reissues: number
  reviewCodes: string[]
  reviewNote: string | null
}

/** The requests, the newest first. */
async function findRequests({ prisma, clock }: Core, { role }: Reader, ids: readonly string[]) {
  if (ids.length === 0) return []
  const now = clock()
  const found = await prisma.$queryRaw<RequestRow[]>`
    SELECT r.id, r.name, r.level::text AS level, r.state, r.created_at AS "createdAt", r.reissues,
           r.claim_expires_at AS "claimExpiresAt", r.review_codes AS "reviewCodes", r.review_note AS "reviewNote",
           jsonb_build_object('accountId', a.id, 'name', a.name) AS "requestedBy"
      FROM portal.sandbox_key_request r JOIN portal.account a ON a.id = r.requested_by_id
     WHERE r.id = ANY (${ids}::uuid[])
     ORDER BY r.created_at DESC, r.id`
  return found.map(({ reissues, ...request }) => {
    const { claimExpiresAt } = request
    const lapsed = request.state === 'ready_to_claim' && claimExpiresAt !== null && claimExpiresAt <= now
    const state = (lapsed ? 'claim_expired' : request.state) as SandboxKeyState
    const left = reissuesLeft(reissues)
    return {
      ...request,
      state,
      reissuesLeft: left,
      mayAnswer: mayManage(role, 'sandbox') && state === 'needs_info',
      mayReveal: mayManage(role, 'sandbox') && state === 'ready_to_claim',
      mayReissue: mayManage(role, 'sandbox') && state === 'claim_expired' && left > 0,
    }
  })
}

/** The number of keys that this member may claim now. */
export async function countClaimable({ prisma, clock }: Core, member: Member) {
  const { organizationId } = member
  const role = await requireRole(prisma, member, everyMember)
  if (!mayManage(role, 'sandbox')) return 0
  return prisma.sandboxKeyRequest.count({
    where: {
      organizationId,
      state: 'ready_to_claim',
      OR: [{ claimExpiresAt: null }, { claimExpiresAt: { gt: clock() } }],
    },
  })
}
