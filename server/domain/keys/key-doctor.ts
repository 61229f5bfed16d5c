/**
 * The real reason of one request, and what to do about it, for members of the organization that owns the key. The
 * wire's 401 stays opaque: whoever only holds a prefix and a correlation id learns nothing here.
 */
import * as activityLog from '../../audit/activity-log.ts'
import { findFix } from '../../contract/keys/refusal-fixes.ts'
import { describeRefusal } from '../../contract/keys/refusal-reasons.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'
import { type KeyState, keyState } from './key-state.ts'

type Diagnosis = {
  kind: 'found'
  key: { id: string; name: string; prefix: string; state: KeyState; organizationSlug: string }
  request: {
    at: Date
    method: string
    route: string
    status: number
    ip: string | null
    correlationId: string
    fromBrowser: boolean
    /** The secret did not fit, so that nobody can say whose client it was. */
    onlyClaimed: boolean
  }
  /** Null when the request was served. */
  refusal: { code: string; reason: string; fix: string } | null
}

/** @returns `unknown` for a key of somebody else as for one that is not there, and for a request of another key */
export async function diagnose(
  core: Core,
  {
    prefix,
    correlationId,
    accountId,
  }: {
    prefix: string
    correlationId: string
    accountId: string
  },
): Promise<Diagnosis | { kind: 'unknown' }> {
  const { prisma, clock } = core
  const key = await prisma.apiKey.findUnique({ where: { prefix }, include: { organization: true } })
  if (!key?.organization) return { kind: 'unknown' }
  const role = await findRole(prisma, { organizationId: key.organization.id, accountId })
  if (role === null) return { kind: 'unknown' }
  const request = await activityLog.findRequest(core, { keyId: key.id, prefix, correlationId })
  if (request === null) return { kind: 'unknown' }
  const { refusal, attributed, at, method, route, status, ip, fromBrowser } = request
  return {
    kind: 'found',
    key: {
      id: key.id,
      name: key.name,
      prefix,
      state: keyState(key, clock()),
      organizationSlug: key.organization.slug,
    },
    request: {
      at,
      method,
      route,
      status,
      ip,
      correlationId: request.correlationId,
      fromBrowser,
      onlyClaimed: !attributed || refusal === 'wrong_secret',
    },
    refusal:
      refusal === null ? null : { code: refusal, reason: describeRefusal(refusal), fix: findFix(refusal) },
  }
}
