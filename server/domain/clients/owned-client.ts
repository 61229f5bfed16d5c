/** The client of an organization, for its members. */
import type { Client, ClientSecret, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'
import { clientIdPattern } from './client-fields.ts'
import type { Clients } from './client-types.ts'

export type ClientWithSecrets = Client & { secrets: ClientSecret[] }

export const withSecrets = { secrets: { where: { revokedAt: null }, orderBy: { createdAt: 'asc' } } } as const

/** The client of an organization in which the actor has one of these roles; anything else is not there. */
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
