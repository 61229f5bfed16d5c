/** A key by its public prefix, or an app by its client id, for operations: how it stands, and stopping it. */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
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
 * @param wanted a key's first twelve characters or more (what follows them is not looked at), or a client id
 * @throws Problem `forbidden`
 */
export async function find(core: Core, wanted: string, actor: { accountId: string }) {
  const { prisma, clock } = core
  await requireStaff(prisma, actor, ['ops'])
  if (wanted.includes('\0')) return null
  const key = await prisma.apiKey.findUnique({
    where: { prefix: wanted.slice(0, 12) },
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
      // It came of a production request, whose page tells more.
      requestId: key.productionRequestId,
    }
  const client = await prisma.client.findUnique({
    where: { id: wanted.slice(0, 100) },
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
    // Of its registration; without one 1 while it is suspended, else 0.
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

/** 401 from the next request on. @throws Problem `conflict` when it is not as it was seen */
export async function suspendKey(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  const requestId = await productionRequestOf(core, { id, version, reason }, actor)
  if (requestId) return productionKeys.suspend(core, { requestId, reason }, actor)
  return act(core, 'suspend_key', reason, actor, (context) =>
    setKey(
      core,
      context,
      { id, version, actor, what: 'key_suspended' },
      { suspendedAt: null },
      { suspendedAt: context.now },
    ),
  )
}

/** @throws as `suspendKey`; for a production key also when its agreements are not in force */
export async function resumeKey(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  const requestId = await productionRequestOf(core, { id, version, reason }, actor)
  if (requestId) return productionKeys.reinstate(core, { requestId, reason }, actor)
  return act(core, 'resume_key', reason, actor, (context) =>
    setKey(
      core,
      context,
      { id, version, actor, what: 'key_resumed' },
      { NOT: { suspendedAt: null } },
      { suspendedAt: null },
    ),
  )
}

/** For good. @throws as `suspendKey` */
export async function revokeKey(core: Core, { id, version, reason }: OpsAct, actor: Actor): Promise<void> {
  const requestId = await productionRequestOf(core, { id, version, reason }, actor)
  if (requestId) return productionKeys.revoke(core, { requestId, reason }, actor)
  return act(core, 'revoke_key', reason, actor, (context) =>
    setKey(
      core,
      context,
      { id, version, actor, what: 'key_revoked' },
      {},
      {
        revokedAt: context.now,
        revokedById: actor.accountId,
        revokeReason: context.reason,
      },
    ),
  )
}

/** A production key moves by the steps of its request, which tell both sides; asked for what every act is asked for. */
async function productionRequestOf(core: Core, { id, version, reason }: OpsAct, actor: Actor) {
  const { prisma } = core
  await permit(core, reason, actor)
  const key = await prisma.apiKey.findUnique({ where: { id: rowId(id) } })
  if (!key) throw new Problem('not_found')
  if (key.productionRequestId !== null && key.version !== version) throw changed()
  return key.productionRequestId
}

async function setKey(
  { mail }: Core,
  { tx, reason, now }: OpsCase,
  context: {
    id: string
    version: number
    actor: Actor
    what: 'key_suspended' | 'key_resumed' | 'key_revoked'
  },
  from: Prisma.ApiKeyWhereInput,
  data: Prisma.ApiKeyUncheckedUpdateManyInput,
) {
  const { id, version, actor, what } = context
  const { count } = await tx.apiKey.updateMany({
    where: { id, version, revokedAt: null, expiresAt: { gt: now }, ...from },
    data: { ...data, version: { increment: 1 } },
  })
  if (count === 0) throw changed()
  const key = await tx.apiKey.findUniqueOrThrow({ where: { id } })
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
  return {
    subject: { kind: 'api_key', id },
    organizationId: key.organizationId ?? undefined,
    practiceId: key.practiceId,
    detail: { prefix: key.prefix },
  }
}

/** No token from now on, and its tokens are refused. An enabled production app moves by its registration. */
export async function suspendClient(core: Core, given: OpsAct, actor: Actor): Promise<void> {
  const target = await registrationFor(core, given, actor)
  const { reason } = given
  if (target) return suspend(core, { ...target, reason, evidence: reason }, actor)
  return act(core, 'suspend_client', reason, actor, (context) =>
    setClient(
      core,
      context,
      given,
      actor,
      'client_suspended',
      { suspendedAt: null },
      { suspendedAt: context.now },
    ),
  )
}

export async function resumeClient(core: Core, given: OpsAct, actor: Actor): Promise<void> {
  const target = await registrationFor(core, given, actor)
  const { reason } = given
  if (target) return reinstate(core, { ...target, reason }, actor)
  return act(core, 'resume_client', reason, actor, (context) =>
    setClient(
      core,
      context,
      given,
      actor,
      'client_resumed',
      { NOT: { suspendedAt: null } },
      { suspendedAt: null },
    ),
  )
}

/** For good; its client id is unknown from then on. A production app has to be suspended before it is retired. */
export async function removeClient(core: Core, given: OpsAct, actor: Actor): Promise<void> {
  const target = await registrationFor(core, given, actor)
  const { reason } = given
  if (target) return retire(core, { ...target, reason }, actor)
  return act(core, 'remove_client', reason, actor, (context) =>
    setClient(core, context, given, actor, 'client_removed', {}, { removedAt: context.now }),
  )
}

/** The step of a production app's registration, which is held against its own version. */
async function registrationFor(core: Core, { id, version, reason }: OpsAct, actor: Actor) {
  await permit(core, reason, actor)
  const registration = await registrationOf(core, id)
  return registration && { registrationId: registration.id, version, idempotencyKey: randomUUID() }
}

async function setClient(
  { mail }: Core,
  { tx, reason, now }: OpsCase,
  { id, version }: OpsAct,
  actor: Actor,
  what: 'client_suspended' | 'client_resumed' | 'client_removed',
  from: Prisma.ClientWhereInput,
  data: Prisma.ClientUncheckedUpdateManyInput,
) {
  const seen: Prisma.ClientWhereInput = version === 1 ? { NOT: { suspendedAt: null } } : { suspendedAt: null }
  const { count } = await tx.client.updateMany({
    where: { AND: [{ id, removedAt: null }, seen, from] },
    data,
  })
  if (count === 0) throw changed()
  const client = await tx.client.findUniqueOrThrow({ where: { id } })
  for (const { name, email } of await findMembers(tx, client.organizationId, ['owner']))
    await mail.enqueue(tx, {
      template: 'operations-notice',
      to: email,
      props: { name, what, about: client.name, reason, at: now.toISOString() },
      correlationId: actor.correlationId,
    })
  return {
    subject: { kind: 'client', id },
    organizationId: client.organizationId ?? undefined,
    detail: { name: client.name, environment: client.environment },
  }
}
