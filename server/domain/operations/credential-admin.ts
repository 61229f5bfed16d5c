/** A key by its public prefix, or an app by its client id, for operations: how it stands, and stopping it. */
import { randomUUID } from 'node:crypto'
import type { ApiKey, Client, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import type { OpsAct } from '../../contract/portal/ops-actions.ts'
import type { Actor } from '../actor.ts'
import type { ProductionKeys } from '../bound.ts'
import { findMakerOrOwners } from '../organizations/maker-or-owners.ts'
import type { RegistrationReviews } from '../registrations/registration-types.ts'
import { requireStaff } from '../staff.ts'
import { changed, type OpsActs, type OpsCase, type OpsDependencies } from './ops-dependencies.ts'

type Dependencies = OpsDependencies & {
  productionKeys: Pick<ProductionKeys, 'suspend' | 'reinstate' | 'revoke'>
  registrations: { reviews: Pick<RegistrationReviews, 'suspend' | 'reinstate' | 'retire'> }
}

type CredentialState = 'active' | 'suspended' | 'ended'

type FoundKey = Readonly<{
  kind: 'key'
  id: string
  prefix: string
  name: string
  level: ApiKey['level']
  environment: ApiKey['environment']
  practice: string
  organization: string | null
  state: CredentialState
  version: number
  createdAt: Date
  expiresAt: Date
  /** It came of a production request, whose page tells more. */
  requestId: string | null
}>

type FoundClient = Readonly<{
  kind: 'client'
  id: string
  name: string
  environment: Client['environment']
  audience: Client['audience']
  organization: string | null
  state: CredentialState
  /** Of its registration; without one 1 while it is suspended, else 0. */
  version: number
  createdAt: Date
  registrationId: string | null
}>

export function createCredentialAdmin(dependencies: Dependencies, { act, permit }: OpsActs) {
  const { prisma, clock, mail, productionKeys, registrations } = dependencies

  /**
   * @param wanted a key's first twelve characters or more (what follows them is not looked at), or a client id
   * @throws Problem `forbidden`
   */
  async function find(wanted: string, actor: { accountId: string }): Promise<FoundKey | FoundClient | null> {
    await requireStaff(prisma, actor, ['ops'])
    if (wanted.includes('\0')) return null
    const key = await prisma.apiKey.findUnique({
      where: { prefix: wanted.slice(0, 12) },
      include: { practice: { select: { name: true } }, organization: { select: { name: true } } },
    })
    if (key) return toFoundKey(key, clock())
    const client = await prisma.client.findUnique({
      where: { id: wanted.slice(0, 100) },
      include: { organization: { select: { name: true } } },
    })
    if (!client) return null
    const registration = await registrationOf(client.id)
    return {
      kind: 'client',
      id: client.id,
      name: client.name,
      environment: client.environment,
      audience: client.audience,
      organization: client.organization?.name ?? null,
      state: client.removedAt ? 'ended' : client.suspendedAt ? 'suspended' : 'active',
      version: registration?.version ?? (client.suspendedAt ? 1 : 0),
      createdAt: client.createdAt,
      registrationId: registration?.id ?? null,
    }
  }

  function registrationOf(clientId: string) {
    return prisma.registration.findUnique({
      where: { productionClientId: clientId },
      select: { id: true, version: true },
    })
  }

  /** 401 from the next request on. @throws Problem `conflict` when it is not as it was seen */
  async function suspendKey({ id, version, reason }: OpsAct, actor: Actor): Promise<void> {
    const requestId = await productionRequestOf({ id, version, reason }, actor)
    if (requestId) return productionKeys.suspend({ requestId, reason }, actor)
    return act('suspend_key', reason, actor, (context) =>
      setKey(
        context,
        { id, version, actor, what: 'key_suspended' },
        { suspendedAt: null },
        { suspendedAt: context.now },
      ),
    )
  }

  /** @throws as `suspendKey`; for a production key also when its agreements are not in force */
  async function resumeKey({ id, version, reason }: OpsAct, actor: Actor): Promise<void> {
    const requestId = await productionRequestOf({ id, version, reason }, actor)
    if (requestId) return productionKeys.reinstate({ requestId, reason }, actor)
    return act('resume_key', reason, actor, (context) =>
      setKey(
        context,
        { id, version, actor, what: 'key_resumed' },
        { NOT: { suspendedAt: null } },
        { suspendedAt: null },
      ),
    )
  }

  /** For good. @throws as `suspendKey` */
  async function revokeKey({ id, version, reason }: OpsAct, actor: Actor): Promise<void> {
    const requestId = await productionRequestOf({ id, version, reason }, actor)
    if (requestId) return productionKeys.revoke({ requestId, reason }, actor)
    return act('revoke_key', reason, actor, (context) =>
      setKey(
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
  async function productionRequestOf({ id, version, reason }: OpsAct, actor: Actor): Promise<string | null> {
    await permit(reason, actor)
    const key = uuidPattern.test(id) ? await prisma.apiKey.findUnique({ where: { id } }) : null
    if (!key) throw new Problem('not_found')
    if (key.productionRequestId !== null && key.version !== version) throw changed()
    return key.productionRequestId
  }

  async function setKey(
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
  async function suspendClient(given: OpsAct, actor: Actor): Promise<void> {
    const target = await registrationFor(given, actor)
    const { reason } = given
    if (target) return registrations.reviews.suspend({ ...target, reason, evidence: reason }, actor)
    return act('suspend_client', reason, actor, (context) =>
      setClient(
        context,
        given,
        actor,
        'client_suspended',
        { suspendedAt: null },
        { suspendedAt: context.now },
      ),
    )
  }

  async function resumeClient(given: OpsAct, actor: Actor): Promise<void> {
    const target = await registrationFor(given, actor)
    const { reason } = given
    if (target) return registrations.reviews.reinstate({ ...target, reason }, actor)
    return act('resume_client', reason, actor, (context) =>
      setClient(
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
  async function removeClient(given: OpsAct, actor: Actor): Promise<void> {
    const target = await registrationFor(given, actor)
    const { reason } = given
    if (target) return registrations.reviews.retire({ ...target, reason }, actor)
    return act('remove_client', reason, actor, (context) =>
      setClient(context, given, actor, 'client_removed', {}, { removedAt: context.now }),
    )
  }

  /** The step of a production app's registration, which is held against its own version. */
  async function registrationFor({ id, version, reason }: OpsAct, actor: Actor) {
    await permit(reason, actor)
    const registration = await registrationOf(id)
    return registration && { registrationId: registration.id, version, idempotencyKey: randomUUID() }
  }

  async function setClient(
    { tx, reason, now }: OpsCase,
    { id, version }: OpsAct,
    actor: Actor,
    what: 'client_suspended' | 'client_resumed' | 'client_removed',
    from: Prisma.ClientWhereInput,
    data: Prisma.ClientUncheckedUpdateManyInput,
  ) {
    const seen: Prisma.ClientWhereInput =
      version === 1 ? { NOT: { suspendedAt: null } } : { suspendedAt: null }
    const { count } = await tx.client.updateMany({
      where: { AND: [{ id, removedAt: null }, seen, from] },
      data,
    })
    if (count === 0) throw changed()
    const client = await tx.client.findUniqueOrThrow({ where: { id } })
    const owners = await tx.membership.findMany({
      where: {
        organizationId: client.organizationId ?? '00000000-0000-0000-0000-000000000000',
        role: 'owner',
        account: { disabledAt: null },
      },
      select: { account: { select: { name: true, email: true } } },
      orderBy: { accountId: 'asc' },
    })
    for (const { account } of owners)
      await mail.enqueue(tx, {
        template: 'operations-notice',
        to: account.email,
        props: { name: account.name, what, about: client.name, reason, at: now.toISOString() },
        correlationId: actor.correlationId,
      })
    return {
      subject: { kind: 'client', id },
      organizationId: client.organizationId ?? undefined,
      detail: { name: client.name, environment: client.environment },
    }
  }

  return { find, suspendKey, resumeKey, revokeKey, suspendClient, resumeClient, removeClient }
}

function toFoundKey(
  key: ApiKey & { practice: { name: string }; organization: { name: string } | null },
  now: Date,
): FoundKey {
  return {
    kind: 'key',
    id: key.id,
    prefix: key.prefix,
    name: key.name,
    level: key.level,
    environment: key.environment,
    practice: key.practice.name,
    organization: key.organization?.name ?? null,
    state: key.revokedAt || key.expiresAt <= now ? 'ended' : key.suspendedAt ? 'suspended' : 'active',
    version: key.version,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    requestId: key.productionRequestId,
  }
}
