/** The state of a key or an app, for operations, and the acts that stop or resume it. */
import { randomUUID } from 'node:crypto'
import type { ApiKey, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { OpsAct } from '../../contract/portal/ops-actions.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findMakerOrOwners, findMembers } from '../organizations/membership.ts'
import * as productionKeys from '../production-keys/suspensions.ts'
import { reinstate, retire, suspend } from '../registrations/registration-reviews.ts'
import { requireStaff } from '../staff.ts'
import { act, changed, type OpsCase, permit } from './ops-act.ts'

/**
 * @param identifier at least a key's first twelve characters (the rest is ignored), or a client id
 * @throws Problem `forbidden`
 */
export async function find(core: Core, identifier: string, actor: { accountId: string }) {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  if (identifier.includes('\0')) return null
  const key = await prisma.apiKey.findUnique({
    where: { prefix: identifier.slice(0, 12) },
    include: { practice: { select: { name: true } }, organization: { select: { name: true } } },
  })
  if (key)
    return {
      kind: 'key' as const,
      id: key.id,
      prefix: key.prefix,
      name: key.name,
      level: key.level,
      environment: key.environment,
      practice: key.practice.name,
      organization: key.organization?.name ?? null,
      state: stateOf(key.revokedAt !== null || key.expiresAt <= clock(), key.suspendedAt),
      version: key.version,
      createdAt: key.createdAt,
      expiresAt: key.expiresAt,
      // The page of its production request has more details.
      requestId: key.productionRequestId,
    }
  const client = await prisma.client.findUnique({
    where: { id: identifier.slice(0, 100) },
    include: { organization: { select: { name: true } } },
  })
  if (!client) return null
  const registration = await registrationOf(core, client.id)
  return {
    kind: 'client' as const,
    id: client.id,
    name: client.name,
    environment: client.environment,
    audience: client.audience,
    organization: client.organization?.name ?? null,
    state: stateOf(client.removedAt !== null, client.suspendedAt),
    // The registration's version. Without a registration: 1 while the client is suspended, else 0.
    version: registration?.version ?? (client.suspendedAt ? 1 : 0),
    createdAt: client.createdAt,
    registrationId: registration?.id ?? null,
  }
}

const stateOf = (ended: boolean, suspendedAt: Date | null): 'ended' | 'suspended' | 'active' =>
  ended ? 'ended' : suspendedAt ? 'suspended' : 'active'

function registrationOf({ prisma }: Core, clientId: string) {
  return prisma.registration.findUnique({
    where: { productionClientId: clientId },
    select: { id: true, version: true },
  })
}

// Each act with the state that it requires, the change, and the step of the request that it uses if there is one.

const stop = { from: { suspendedAt: null }, to: (now: Date) => ({ suspendedAt: now }) }
const resumption = { from: { NOT: { suspendedAt: null } }, to: () => ({ suspendedAt: null }) }

const keyActs = {
  suspend_key: { ...stop, what: 'key_suspended', step: productionKeys.suspend },
  resume_key: { ...resumption, what: 'key_resumed', step: productionKeys.reinstate },
  revoke_key: {
    from: {},
    to: (revokedAt: Date, { accountId: revokedById }: Actor, revokeReason: string) => ({
      revokedAt,
      revokedById,
      revokeReason,
    }),
    what: 'key_revoked',
    step: productionKeys.revoke,
  },
} as const

/**
 * Stops a key, which gets 401 from the next call on, resumes it, or revokes it for good. A production key uses the steps
 * of its request, which notify both sides, and is resumed only while its agreements are in force.
 * @throws Problem `conflict` if it has changed since the operator saw it
 */
export const keyAct =
  (action: keyof typeof keyActs) =>
  async (core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> => {
    await permit(core, reason, actor)
    const found = await core.prisma.apiKey.findUnique({ where: { id: rowId(id) } })
    if (!found) throw new Problem('not_found')
    const { from, to, what, step } = keyActs[action]
    if (found.productionRequestId !== null) {
      if (found.version !== version) throw changed()
      return step(core, { requestId: found.productionRequestId, reason }, actor)
    }
    return act(core, action, reason, actor, async ({ tx, reason: words, now }) => {
      const { count } = await tx.apiKey.updateMany({
        where: { id, version, revokedAt: null, expiresAt: { gt: now }, ...from },
        data: { ...to(now, actor, words), version: { increment: 1 } },
      })
      if (count === 0) throw changed()
      const key = await tx.apiKey.findUniqueOrThrow({ where: { id } })
      await notifyDevelopers(core, tx, key, { what, actor, reason: words, now })
      return {
        subject: { kind: 'api_key', id },
        organizationId: key.organizationId ?? undefined,
        practiceId: key.practiceId,
        detail: { prefix: key.prefix },
      }
    })
  }

type KeyNotice = Readonly<{
  what: (typeof keyActs)[keyof typeof keyActs]['what']
  actor: Actor
  reason: string
  now: Date
}>

async function notifyDevelopers(
  { mail }: Core,
  tx: OpsCase['tx'],
  key: ApiKey,
  { what, actor, reason, now }: KeyNotice,
): Promise<void> {
  const common = { threadId: key.requestId ?? key.id, correlationId: actor.correlationId }
  const at = now.toISOString()
  for (const { name, email } of await findMakerOrOwners(tx, key)) {
    if (what !== 'key_revoked') {
      const props = { name, what, about: key.name, reason, at }
      await mail.enqueue(tx, { template: 'operations-notice', to: email, props, ...common })
      continue
    }
    const props = {
      name,
      keyName: key.name,
      prefixStart: key.prefix.slice(4),
      at,
      by: 'Operations',
      reason: reason.slice(0, 200),
      requestId: key.requestId ?? key.id,
    }
    await mail.enqueue(tx, { template: 'key-revoked', to: email, props, ...common })
  }
}

const clientActs = {
  suspend_client: {
    ...stop,
    what: 'client_suspended',
    step: (core: Core, target: ClientStep, actor: Actor) =>
      suspend(core, { ...target, evidence: target.reason }, actor),
  },
  resume_client: { ...resumption, what: 'client_resumed', step: reinstate },
  remove_client: { from: {}, to: (now: Date) => ({ removedAt: now }), what: 'client_removed', step: retire },
} as const
type ClientStep = Parameters<typeof retire>[1]

/**
 * Stops an app, so that it gets no token and its tokens are refused, resumes it, or removes it for good. An enabled
 * production app uses the steps of its registration, with the registration's version, and must be stopped before it is
 * retired.
 */
export const clientAct =
  (action: keyof typeof clientActs) =>
  async (core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> => {
    await permit(core, reason, actor)
    const registration = await registrationOf(core, id)
    const { from, to, what, step } = clientActs[action]
    if (registration)
      return step(
        core,
        { registrationId: registration.id, version, idempotencyKey: randomUUID(), reason },
        actor,
      )
    return act(core, action, reason, actor, async ({ tx, reason: words, now }) => {
      const seen: Prisma.ClientWhereInput =
        version === 1 ? { NOT: { suspendedAt: null } } : { suspendedAt: null }
      const { count } = await tx.client.updateMany({
        where: { AND: [{ id, removedAt: null }, seen, from] },
        data: to(now),
      })
      if (count === 0) throw changed()
      const client = await tx.client.findUniqueOrThrow({ where: { id } })
      for (const { name, email } of await findMembers(tx, client.organizationId, ['owner']))
        await core.mail.enqueue(tx, {
          template: 'operations-notice',
          to: email,
          props: { name, what, about: client.name, reason: words, at: now.toISOString() },
          correlationId: actor.correlationId,
        })
      return {
        subject: { kind: 'client', id },
        organizationId: client.organizationId ?? undefined,
        detail: { name: client.name, environment: client.environment },
      }
    })
  }
