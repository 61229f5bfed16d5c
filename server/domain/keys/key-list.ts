/** Reading an organization's keys and requests, and what each key did; for members only. */
import type { ActivityFilter } from '../../audit/activity-log.ts'
import { Problem } from '../../contract/problems.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { SandboxKeyState } from '../../contract/workflows.ts'
import { requireRole } from '../organizations/membership.ts'
import { reissuesLeft } from './claims.ts'
import type { KeyDependencies } from './keys.ts'

const everyMember = ['viewer', 'developer', 'admin', 'owner'] as const
const mayManage = (role: string) => role !== 'viewer'

export type KeyState = 'active' | 'suspended' | 'revoked' | 'expired'

export type KeyRow = {
  id: string
  name: string
  prefix: string
  level: 'read_only' | 'full'
  environment: 'sandbox' | 'production'
  practice: { slug: string; name: string }
  state: KeyState
  createdAt: Date
  expiresAt: Date
  revokedAt: Date | null
  revokeReason: string | null
  lastUsedAt: Date | null
  mayRevoke: boolean
  /** 30 days, oldest first. */
  days: { day: string; served: number; refused: number }[]
}

export function createKeyList({ prisma, clock, activityLog }: KeyDependencies) {
  async function list({
    organizationId,
    accountId,
  }: {
    organizationId: string
    accountId: string
  }): Promise<KeyRow[]> {
    const role = await requireRole(prisma, { organizationId, accountId }, everyMember)
    const now = clock()
    const keys = await prisma.apiKey.findMany({
      where: { organizationId },
      include: { practice: { select: { slug: true, name: true } } },
      orderBy: { createdAt: 'desc' },
      take: 500,
    })
    const ids = keys.map((key) => key.id)
    const [days, lastUsed] = await Promise.all([
      activityLog.countByDay({ keyIds: ids, days: 30, now }),
      activityLog.findLastUsed(ids),
    ])
    return keys.map((key) => {
      const state = keyState(key, now)
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
        mayRevoke: mayManage(role) && (state === 'active' || state === 'suspended'),
        days: days.get(key.id) ?? [],
      }
    })
  }

  async function listRequests({ organizationId, accountId }: { organizationId: string; accountId: string }) {
    const role = await requireRole(prisma, { organizationId, accountId }, everyMember)
    const now = clock()
    const requests = await prisma.sandboxKeyRequest.findMany({
      where: { organizationId },
      include: { requestedBy: { select: { id: true, name: true } } },
      orderBy: { createdAt: 'desc' },
      take: 200,
    })
    return requests.map((request) => {
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
        mayReveal: mayManage(role) && state === 'ready_to_claim',
        mayReissue: mayManage(role) && state === 'claim_expired' && left > 0,
      }
    })
  }

  /** One page of a key's activity, newest first. A key of another organization is not found. */
  async function activity({
    keyId,
    accountId,
    ...filter
  }: { keyId: string; accountId: string } & ActivityFilter) {
    if (!uuidPattern.test(keyId)) throw new Problem('not_found')
    const key = await prisma.apiKey.findUnique({ where: { id: keyId }, select: { organizationId: true } })
    if (!key?.organizationId) throw new Problem('not_found')
    await requireRole(prisma, { organizationId: key.organizationId, accountId }, everyMember)
    return activityLog.page({ keyId, ...filter })
  }

  return { list, listRequests, activity }
}

/** What a key is at this moment. */
export function keyState(
  key: { revokedAt: Date | null; suspendedAt: Date | null; expiresAt: Date },
  now: Date,
): KeyState {
  if (key.revokedAt) return 'revoked'
  if (key.expiresAt <= now) return 'expired'
  return key.suspendedAt ? 'suspended' : 'active'
}
