/** Reading an organization's keys and requests, and what each key did; for members only. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { OrganizationRole } from '../../contract/portal/organization-roles.ts'
import { type PageAsk, readPage, searchRows, searchWhere } from '../../contract/portal/paging.ts'
import type { ProductionKeyState } from '../../contract/workflows/production-key-workflow.ts'
import type { SandboxKeyState } from '../../contract/workflows/sandbox-key-workflow.ts'
import type { Core } from '../core.ts'
import { everyMember, requireRole } from '../organizations/membership.ts'
import { findSuspensions } from './change-key.ts'
import { reissuesLeft } from './claims.ts'
import { mayExtend } from './key-expiry.ts'
import { keyState, mayManage } from './owned-key.ts'

type Member = { organizationId: string; accountId: string }
type Reader = Member & { role: OrganizationRole }

/** The newest five hundred; with a key's id that key alone, however many there are. */
export async function list(core: Core, { keyId, ...member }: Member & { keyId?: string }) {
  if (keyId !== undefined && !uuidPattern.test(keyId)) return []
  const role = await requireRole(core.prisma, member, everyMember)
  return find(core, { ...member, role }, keyId === undefined ? {} : { id: keyId }, { skip: 0, take: 500 })
}

/** Which part of the list is shown. */
type KeyListView = 'current' | 'sandbox' | 'production' | 'ended'

/** A request for a production key that has made no key. */
type KeylessRequest = {
  id: string
  name: string
  level: 'read_only' | 'full'
  state: ProductionKeyState
  practiceName: string
  renewal: boolean
  ended: boolean
  /** The developers take the next step. */
  waits: boolean
}

const underWay = { state: { notIn: ['active', 'declined'] } }

/** One list: requests under way first, then the keys that are live (suspended ones too); or all that has ended. */
export async function listPage(
  core: Core,
  {
    show,
    ask,
    production,
    ...member
  }: Member & { show: KeyListView; ask: PageAsk; production: readonly KeylessRequest[] },
) {
  const { prisma, clock } = core
  const mine = { ...member, role: await requireRole(prisma, member, everyMember) }
  const now = clock()
  const { organizationId } = mine
  const own = { organizationId, explorer: false }
  const live = { revokedAt: null, expiresAt: { gt: now } }
  const over = { OR: [{ revokedAt: { not: null } }, { expiresAt: { lte: now } }] }
  const isEnded = show === 'ended'
  const [liveCounts, endedKeys, open, declined] = await Promise.all([
    prisma.apiKey.groupBy({ by: ['environment'], where: { ...own, ...live }, _count: true }),
    prisma.apiKey.count({ where: { ...own, ...over } }),
    prisma.sandboxKeyRequest.count({ where: { organizationId, ...underWay } }),
    prisma.sandboxKeyRequest.count({ where: { organizationId, state: 'declined' } }),
  ])
  const liveOf = (environment: string) =>
    liveCounts.find((each) => each.environment === environment)?._count ?? 0
  const endedProduction = production.filter(({ ended }) => ended).length
  const sandboxCount = liveOf('sandbox') + open
  const productionCount = liveOf('production') + production.length - endedProduction
  const counts: Record<KeyListView, number> = {
    current: sandboxCount + productionCount,
    sandbox: sandboxCount,
    production: productionCount,
    ended: endedKeys + declined + endedProduction,
  }

  const leading = searchRows(
    ask.q,
    show === 'sandbox' ? [] : production.filter(({ ended }) => ended === isEnded),
    ({ name, practiceName }) => [name, practiceName],
  )
  const where: Prisma.SandboxKeyRequestWhereInput = {
    organizationId,
    ...(isEnded ? { state: 'declined' } : underWay),
    ...(show === 'production' && { id: { in: [] } }),
    ...searchWhere<Prisma.SandboxKeyRequestWhereInput>(ask.q, (like) => [{ name: like }]),
  }
  const wanted: Prisma.ApiKeyWhereInput = {
    ...(isEnded ? over : live),
    ...((show === 'sandbox' || show === 'production') && { environment: show }),
    ...searchWhere<Prisma.ApiKeyWhereInput>(ask.q, (like) => [
      { name: like },
      { prefix: like },
      { practice: { name: like } },
    ]),
  }
  const requestCount = await prisma.sandboxKeyRequest.count({ where: where })
  const listed = await readPage(
    ask,
    async () => leading.length + requestCount + (await prisma.apiKey.count({ where: { ...own, ...wanted } })),
    async ({ skip, take }) => {
      const first = leading.slice(skip, skip + take)
      const requests = await findRequests(core, mine, where, {
        skip: Math.max(0, skip - leading.length),
        take: take - first.length,
      })
      const keys = await find(core, mine, wanted, {
        skip: Math.max(0, skip - leading.length - requestCount),
        take: take - first.length - requests.length,
      })
      return [
        ...first.map((row) => ({ kind: 'production' as const, ...row })),
        ...requests.map((row) => ({ kind: 'request' as const, ...row })),
        ...keys.map((row) => ({ kind: 'key' as const, ...row })),
      ]
    },
  )
  return { ...listed, counts }
}

async function find(
  core: Core,
  { organizationId, accountId, role }: Reader,
  where: Prisma.ApiKeyWhereInput,
  window: { skip: number; take: number },
) {
  const { prisma, clock } = core
  const now = clock()
  const keys = await prisma.apiKey.findMany({
    // Those of the explorer have no owner to look after them: their activity is reached from the explorer.
    where: { ...where, organizationId, explorer: false },
    include: {
      practice: { select: { slug: true, name: true } },
      replacedBy: { select: { id: true, prefix: true } },
      replaces: true,
      limitGrants: { where: { endedAt: null }, orderBy: { createdAt: 'desc' }, take: 1 },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    ...window,
  })
  const ids = keys.map((key) => key.id)
  const [days, lastUsed, browserUse, suspensions] = await Promise.all([
    activityLog.countByDay(core, { keyIds: ids, days: 30, now }),
    activityLog.findLastUsed(core, ids),
    activityLog.findBrowserUse(core, ids, new Date(now.getTime() - 30 * 86_400_000)),
    findSuspensions(
      core,
      keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now),
    ),
  ])
  return keys.map((key) => {
    const state = keyState(key, now)
    const manages = mayManage(role, key.environment)
    const { replaces, limitGrants } = key
    const [grant] = limitGrants
    const replacesLive = replaces !== null && keyState(replaces, now) === 'active'
    const isMine = key.environment === 'sandbox' || key.createdById === accountId
    return {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      level: key.level,
      environment: key.environment,
      practice: key.practice,
      state,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      revokedAt: key.revokedAt,
      revokeReason: key.revokeReason,
      lastUsedAt: lastUsed.get(key.id) ?? null,
      // A production key lives on the page of its request.
      productionRequestId: key.productionRequestId,
      mayRevoke: manages && key.productionRequestId === null && (state === 'active' || state === 'suspended'),
      // When its successor was made; its end is then the end of the grace.
      rotatedAt: key.rotatedAt,
      successor: key.replacedBy,
      replaces: replaces && { id: replaces.id, prefix: replaces.prefix, live: replacesLive },
      mayRotate: manages && isMine && state === 'active' && key.rotatedAt === null && !replacesLive,
      mayExtend: manages && mayExtend(key, now),
      allowedNetworks: key.allowedNetworks,
      // AI assistants may write with it.
      mcpWrites: key.mcpWrites,
      // In place of the published ones.
      limits: grant ? { burst: grant.burst, sustained: grant.sustained } : null,
      // A browser sent a request with it, in the last 30 days.
      browserUseAt: browserUse.get(key.id) ?? null,
      leaked: key.leakedAt !== null,
      // Why it does not work for now; empty for a key that works or has ended.
      suspensions: suspensions.get(key.id) ?? [],
      // 30 days, the oldest first.
      days: days.get(key.id) ?? [],
    }
  })
}

/** Newest first. */
async function findRequests(
  { prisma, clock }: Core,
  { role }: Reader,
  where: Prisma.SandboxKeyRequestWhereInput,
  window: { skip: number; take: number },
) {
  const now = clock()
  const found = await prisma.sandboxKeyRequest.findMany({
    where,
    include: { requestedBy: { select: { id: true, name: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    ...window,
  })
  return found.map((request) => {
    const lapsed =
      request.state === 'ready_to_claim' && request.claimExpiresAt !== null && request.claimExpiresAt <= now
    const state = (lapsed ? 'claim_expired' : request.state) as SandboxKeyState
    const left = reissuesLeft(request.reissues)
    return {
      id: request.id,
      name: request.name,
      level: request.level,
      state,
      requestedBy: { accountId: request.requestedBy.id, name: request.requestedBy.name },
      createdAt: request.createdAt,
      claimExpiresAt: request.claimExpiresAt,
      reissuesLeft: left,
      reviewCodes: request.reviewCodes,
      reviewNote: request.reviewNote,
      mayAnswer: mayManage(role, 'sandbox') && state === 'needs_info',
      mayReveal: mayManage(role, 'sandbox') && state === 'ready_to_claim',
      mayReissue: mayManage(role, 'sandbox') && state === 'claim_expired' && left > 0,
    }
  })
}

/** Keys that this member may claim now. */
export async function countClaimable({ prisma, clock }: Core, { organizationId, accountId }: Member) {
  const role = await requireRole(prisma, { organizationId, accountId }, everyMember)
  if (!mayManage(role, 'sandbox')) return 0
  return prisma.sandboxKeyRequest.count({
    where: {
      organizationId,
      state: 'ready_to_claim',
      OR: [{ claimExpiresAt: null }, { claimExpiresAt: { gt: clock() } }],
    },
  })
}
