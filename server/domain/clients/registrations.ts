/** Registers clients, and lists them for their organization. */

import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { randomToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Listed, PageAsk } from '../../contract/portal/paging.ts'
import { readPage, searchWhere } from '../../contract/portal/paging.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'
import { checkNewClient } from './client-fields.ts'
import { type ClientWithSecrets, ownedClient, storeSecret, withSecrets } from './client-secrets.ts'
import type { ClientFilter, NewClient } from './client-types.ts'

/**
 * Registers a client. The callers, the registration workflow and the seed, check that it may be registered.
 * @returns the secret of a `client_secret_basic` app, which filter this result contains
 * @throws Problem `validation` naming the field at fault
 */
export async function create(
  core: Core,
  input: NewClient,
  by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
): Promise<{ client: RegisteredClient; secret: string | null }> {
  const { randomBytes, prisma, clock, portalAudit } = core
  const { scope } = checkNewClient(input)
  const secret =
    input.authentication === 'client_secret_basic' ? randomToken('client_secret', randomBytes) : null
  const clientId = input.clientId ?? makeClientId(core, input.environment)
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
      if (secret) await storeSecret(core, tx, clientId, secret)
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
    throw new Problem('conflict', { message: 'This app is already registered in this environment.' })
  }
  const client = await prisma.client.findUniqueOrThrow({ where: { id: clientId }, include: withSecrets })
  return { client: toRegistered(client), secret }
}

/**
 * A page of the organization's apps, the newest first.
 * @throws Problem `not_found` unless the actor is a member
 */
export async function listPage(
  { prisma }: Core,
  organizationId: string,
  ask: PageAsk,
  actor: Actor,
  filter: ClientFilter = {},
): Promise<Listed<RegisteredClient>> {
  if (!(await findRole(prisma, { organizationId, accountId: actor.accountId })))
    throw new Problem('not_found')
  const where: Prisma.ClientWhereInput = {
    organizationId,
    removedAt: null,
    ...(filter.environment && { environment: filter.environment }),
    ...(filter.audience && { audience: filter.audience }),
    ...(filter.state && { suspendedAt: null }),
    ...(filter.withoutIds && {
      NOT: { OR: filter.withoutIds.map((start) => ({ id: { startsWith: start } })) },
    }),
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

/** @throws Problem `not_found` unless the client belongs to an organization of the actor */
export const get = async (core: Core, clientId: string, actor: Actor): Promise<RegisteredClient> =>
  toRegistered(await ownedClient(core, clientId, actor, () => viewers))

/** Why the last fetch of the app's key set failed; null if it succeeded, or there was none yet. */
export async function findKeySetFailure(
  { prisma }: Pick<Core, 'prisma'>,
  { jwksUrl: url }: Pick<RegisteredClient, 'jwksUrl'>,
): Promise<{ failure: string; at: Date } | null> {
  const row = url === null ? null : await prisma.jwksCache.findUnique({ where: { url } })
  return row?.failure ? { failure: row.failure, at: row.attemptedAt } : null
}

const makeClientId = ({ randomBytes }: Core, environment: 'sandbox' | 'production'): string =>
  `${environment === 'sandbox' ? 'sbx' : 'app'}-${Buffer.from(randomBytes(12)).toString('hex')}`

const viewers = ['viewer', 'developer', 'admin', 'owner']

export type RegisteredClient = ReturnType<typeof toRegistered>

function toRegistered(client: ClientWithSecrets) {
  const { id, secrets, suspendedAt, removedAt } = client
  return {
    clientId: id,
    organizationId: client.organizationId,
    environment: client.environment,
    audience: client.audience,
    authentication: client.authentication,
    name: client.name,
    redirectUris: client.redirectUris,
    scope: client.scope,
    jwksUrl: client.jwksUrl,
    state: removedAt ? 'removed' : suspendedAt ? 'suspended' : 'active',
    secrets: secrets.map((secret) => ({
      id: secret.id,
      hint: secret.hint,
      createdAt: secret.createdAt,
      expiresAt: secret.expiresAt,
    })),
  }
}
