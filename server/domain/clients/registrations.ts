/** Making registrations of apps, and showing them to the organization they belong to. */
import { randomUUID } from 'node:crypto'
import type { Client, Prisma } from '../../../prisma/generated/client/client.ts'
import { randomToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { readPage, searchWhere } from '../../contract/portal/paging.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { findRole } from '../organizations/membership.ts'
import { checkNewClient, clientIdPattern } from './client-fields.ts'
import { createClientPractices } from './client-practices.ts'
import { createClientSecrets } from './client-secrets.ts'
import type { Clients, PublicJwks, RegisteredClient } from './client-types.ts'
import type { ClientDependencies, ClientWithSecrets } from './dependencies.ts'
import { createReplaceClient } from './replace-client.ts'

const withSecrets = { secrets: { where: { revokedAt: null }, orderBy: { createdAt: 'asc' } } } as const

export function createClients(dependencies: ClientDependencies): Clients {
  const { prisma, clock, portalAudit, randomBytes } = dependencies
  const secrets = createClientSecrets({ ...dependencies, owned, audit })

  const create: Clients['create'] = async (input, by) => {
    const { scope } = checkNewClient(input)
    const secret =
      input.authentication === 'client_secret_basic' ? randomToken('client_secret', randomBytes) : null
    const clientId = input.clientId ?? makeClientId(input.environment)
    try {
      await prisma.$transaction(async (tx) => {
        await tx.client.create({
          data: {
            id: clientId,
            appId: input.appId ?? randomUUID(),
            organizationId: input.organizationId,
            environment: input.environment,
            audience: input.audience,
            authentication: input.authentication,
            name: input.name.trim(),
            description: input.description ?? '',
            homepage: input.homepage ?? null,
            logoUrl: input.logoUrl ?? null,
            launchUrl: input.launchUrl ?? null,
            redirectUris: [...(input.redirectUris ?? [])],
            scope,
            jwksUrl: input.jwksUrl ?? null,
            ...(input.jwks ? { jwks: input.jwks as Prisma.InputJsonObject } : {}),
            everyPractice: input.everyPractice ?? false,
            introspectsAll: input.introspectsAll ?? false,
            createdAt: clock(),
          },
        })
        if (secret) await secrets.store(tx, clientId, secret)
        await portalAudit.append(tx, {
          ...(by ? portalAudit.by(by) : portalAudit.system()),
          ...(input.organizationId ? { organizationId: input.organizationId } : {}),
          action: 'client.created',
          subject: { kind: 'client', id: clientId },
          detail: {
            name: input.name.trim(),
            environment: input.environment,
            audience: input.audience,
            authentication: input.authentication,
          },
        })
      })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      throw new Problem('conflict', { message: 'This app is registered in this environment already.' })
    }
    return { client: toRegistered(await read(clientId)), secret }
  }

  const listPage: Clients['listPage'] = async (organizationId, ask, actor, only = {}) => {
    if (!(await findRole(prisma, { organizationId, accountId: actor.accountId })))
      throw new Problem('not_found')
    const where: Prisma.ClientWhereInput = {
      organizationId,
      removedAt: null,
      ...(only.environment && { environment: only.environment }),
      ...(only.audience && { audience: only.audience }),
      ...(only.state && { suspendedAt: null }),
      ...(only.withoutExamples && { NOT: { id: { startsWith: 'example-' } } }),
      ...searchWhere<Prisma.ClientWhereInput>(ask.q, (like) => [{ name: like }, { id: like }]),
    }
    const listed = await readPage(
      ask,
      () => prisma.client.count({ where }),
      (window) =>
        prisma.client.findMany({
          where,
          include: withSecrets,
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
          ...window,
        }),
    )
    return { ...listed, rows: listed.rows.map(toRegistered) }
  }

  const get: Clients['get'] = async (clientId, actor) =>
    toRegistered(await owned(clientId, actor, () => viewers))

  const suspend: Clients['suspend'] = (clientId, actor) => setSuspended(clientId, actor, clock())
  const resume: Clients['resume'] = (clientId, actor) => setSuspended(clientId, actor, null)

  async function setSuspended(
    clientId: string,
    actor: Parameters<Clients['suspend']>[1],
    at: Date | null,
  ): Promise<void> {
    const client = await owned(clientId, actor, () => changers)
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.client.updateMany({
        where: { id: clientId, suspendedAt: at ? null : { not: null } },
        data: { suspendedAt: at },
      })
      if (count > 0) await audit(tx, client, actor, at ? 'client.suspended' : 'client.resumed')
    })
  }

  /** The client of an organization in which the actor has one of these roles; anything else is not there. */
  async function owned(
    clientId: string,
    actor: { accountId: string },
    rolesOf: (client: Client) => readonly string[],
  ): Promise<ClientWithSecrets> {
    const client = clientIdPattern.test(clientId)
      ? await prisma.client.findFirst({ where: { id: clientId, removedAt: null }, include: withSecrets })
      : null
    if (!client?.organizationId) throw new Problem('not_found')
    const role = await findRole(prisma, {
      organizationId: client.organizationId,
      accountId: actor.accountId,
    })
    if (!role) throw new Problem('not_found')
    if (!rolesOf(client).includes(role))
      throw new Problem('forbidden', {
        message: `Your role in this organization (${role}) does not allow this.`,
      })
    return client
  }

  async function read(clientId: string): Promise<ClientWithSecrets> {
    return prisma.client.findUniqueOrThrow({ where: { id: clientId }, include: withSecrets })
  }

  async function audit(
    tx: Prisma.TransactionClient,
    client: Client,
    actor: Parameters<Clients['suspend']>[1],
    action: string,
  ): Promise<void> {
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      ...(client.organizationId ? { organizationId: client.organizationId } : {}),
      action,
      subject: { kind: 'client', id: client.id },
    })
  }

  function makeClientId(environment: 'sandbox' | 'production'): string {
    return `${environment === 'sandbox' ? 'sbx' : 'app'}-${Buffer.from(randomBytes(12)).toString('hex')}`
  }

  return {
    ...createClientPractices(dependencies),
    replace: createReplaceClient(dependencies),
    create,
    listPage,
    get,
    addSecret: secrets.add,
    revokeSecret: secrets.revoke,
    suspend,
    resume,
  }
}

const viewers = ['viewer', 'developer', 'admin', 'owner']
const changers = ['developer', 'admin', 'owner']

function toRegistered(client: ClientWithSecrets): RegisteredClient {
  const { id, jwks, secrets, suspendedAt, removedAt } = client
  return {
    clientId: id,
    appId: client.appId,
    organizationId: client.organizationId,
    environment: client.environment,
    audience: client.audience,
    authentication: client.authentication,
    name: client.name,
    description: client.description,
    homepage: client.homepage,
    logoUrl: client.logoUrl,
    launchUrl: client.launchUrl,
    redirectUris: client.redirectUris,
    scope: client.scope,
    jwksUrl: client.jwksUrl,
    jwks: jwks as PublicJwks | null,
    state: removedAt ? 'removed' : suspendedAt ? 'suspended' : 'active',
    createdAt: client.createdAt,
    secrets: secrets.map((secret) => ({
      id: secret.id,
      hint: secret.hint,
      createdAt: secret.createdAt,
      expiresAt: secret.expiresAt,
    })),
  }
}
