/** Secrets of confidential apps. They are shown once and stored as keyed hashes. */
import type { Client, ClientSecret, Prisma } from '../../../prisma/generated/client/client.ts'
import { randomToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { findMissingProof } from '../../contract/portal/step-up.ts'
import { clientSecretRoles, clientSecretsMax } from '../../contract/smart/client-secrets.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'
import { clientIdPattern } from './client-fields.ts'

export const secretContext = 'client secret'
const rolesOf = ({ environment }: Client) => clientSecretRoles[environment]

/**
 * Adds another secret, so that the old one can be revoked without an outage. Only this result contains it.
 * `step_up_needed`: nothing was done, because the password, or for production the second step, is not recent enough.
 * @throws Problem `forbidden` for other roles, `conflict` for a third secret, or an app that uses no secrets
 */
export async function addSecret(
  core: Core,
  clientId: string,
  actor: Actor,
): Promise<{ kind: 'added'; secret: string } | { kind: 'step_up_needed' }> {
  const { randomBytes, prisma } = core
  const client = await ownedClient(core, clientId, actor, rolesOf)
  if (client.authentication !== 'client_secret_basic')
    throw new Problem('conflict', { message: 'This app doesn’t authenticate with a secret.' })
  if (!isProven(core, client, actor)) return { kind: 'step_up_needed' }
  const secret = randomToken('client_secret', randomBytes)
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.client WHERE id = ${clientId} FOR UPDATE`
    const live = await tx.clientSecret.count({ where: { clientId, revokedAt: null } })
    if (live >= clientSecretsMax)
      throw new Problem('conflict', { message: 'An app can have two secrets. Revoke one first.' })
    await storeSecret(core, tx, clientId, secret)
    await auditClient(core, tx, client, actor, 'client_secret.added')
  })
  return { kind: 'added', secret }
}

/** A production secret needs the second step too. A sandbox secret does not, so that the first calls are easy. */
function isProven({ sessions, clock }: Core, { environment }: Client, actor: Actor): boolean {
  if (environment === 'sandbox') return sessions.isStepUpFresh(actor)
  return findMissingProof(actor, clock()) === null
}

/** Revokes a secret from the next request on. A second revocation is `not_found`. */
export async function revokeSecret(
  core: Core,
  { clientId, secretId }: { clientId: string; secretId: string },
  actor: Actor,
): Promise<void> {
  const { prisma, clock } = core
  const client = await ownedClient(core, clientId, actor, rolesOf)
  if (!client.secrets.some(({ id }) => id === secretId)) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.clientSecret.updateMany({
      where: { id: secretId, clientId, revokedAt: null },
      data: { revokedAt: clock() },
    })
    if (count > 0) await auditClient(core, tx, client, actor, 'client_secret.revoked')
  })
}

export async function storeSecret(
  { keyring, clock }: Core,
  tx: Prisma.TransactionClient,
  clientId: string,
  secret: string,
): Promise<void> {
  await tx.clientSecret.create({
    data: {
      clientId,
      hash: keyring.mac(secret, secretContext),
      hint: secret.slice(-4),
      createdAt: clock(),
    },
  })
}

// Clients, for members of their organization.

export type ClientWithSecrets = Client & { secrets: ClientSecret[] }

export const withSecrets = { secrets: { where: { revokedAt: null }, orderBy: { createdAt: 'asc' } } } as const

/** @throws Problem `not_found` unless the actor is a member of the client's organization, `forbidden` for other roles */
export async function ownedClient(
  { prisma }: Core,
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

export async function auditClient(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  client: Client,
  actor: Actor,
  action: string,
): Promise<void> {
  await portalAudit.append(tx, {
    ...portalAudit.by(actor),
    ...(client.organizationId ? { organizationId: client.organizationId } : {}),
    action,
    subject: { kind: 'client', id: client.id },
  })
}
