import { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkNewClient } from './client-fields.ts'
import type { ClientConfiguration } from './client-types.ts'

export { addSecret, revokeSecret } from './client-secrets.ts'
export { create, findKeySetFailure, get, listPage } from './registrations.ts'

// Apps that may not be used at every practice of their environment are enabled at single practices.

/**
 * Enables an app at a practice of its environment. The caller checks that it may be enabled.
 * @throws Problem `not_found` for an unknown app or practice, or if their environments differ
 */
export async function enableAt(
  { prisma, clock, portalAudit }: Core,
  { clientId, practiceId }: { clientId: string; practiceId: string },
  by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
): Promise<void> {
  const client = await prisma.client.findFirst({ where: { id: clientId, removedAt: null } })
  const practice = await prisma.practice.findUnique({ where: { id: rowId(practiceId) } })
  if (!client || practice?.environment !== client.environment) throw new Problem('not_found')
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.clientPractice.createMany({
      data: { clientId, practiceId, enabledAt: clock() },
      skipDuplicates: true,
    })
    if (count === 0) return
    await portalAudit.append(tx, {
      ...(by ? portalAudit.by(by) : portalAudit.system()),
      practiceId,
      action: 'client.enabled',
      subject: { kind: 'client', id: clientId },
    })
  })
}

// Changes of a registered app's configuration, under the same client id.

/**
 * Replaces the configuration from the next request on. Nothing is written if it is the same.
 * @throws Problem `validation` naming the field at fault, `not_found`
 */
export async function replace(
  { prisma, portalAudit }: Core,
  clientId: string,
  configuration: ClientConfiguration,
  by: Pick<Actor, 'accountId' | 'ip' | 'correlationId'> | null,
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.client WHERE id = ${clientId} FOR UPDATE`
    const row = await tx.client.findFirst({ where: { id: clientId, removedAt: null } })
    if (!row) throw new Problem('not_found')
    const { scope } = checkNewClient({
      ...configuration,
      organizationId: row.organizationId,
      environment: row.environment,
    })
    const data = {
      audience: configuration.audience,
      authentication: configuration.authentication,
      name: configuration.name.trim(),
      description: configuration.description ?? '',
      homepage: configuration.homepage ?? null,
      logoUrl: configuration.logoUrl ?? null,
      launchUrl: configuration.launchUrl ?? null,
      redirectUris: [...(configuration.redirectUris ?? [])],
      scope,
      jwksUrl: configuration.jwksUrl ?? null,
    }
    const jwks = (configuration.jwks ?? null) as Prisma.InputJsonObject | null
    const before = { ...data, jwks }
    for (const name of Object.keys(before) as (keyof typeof before)[]) before[name] = row[name] as never
    if (JSON.stringify(before) === JSON.stringify({ ...data, jwks })) return
    await tx.client.update({ where: { id: clientId }, data: { ...data, jwks: jwks ?? Prisma.DbNull } })
    await portalAudit.append(tx, {
      ...(by ? portalAudit.by(by) : portalAudit.system()),
      ...(row.organizationId ? { organizationId: row.organizationId } : {}),
      action: 'client.changed',
      subject: { kind: 'client', id: clientId },
      detail: { audience: data.audience, authentication: data.authentication, scope },
    })
  })
}
