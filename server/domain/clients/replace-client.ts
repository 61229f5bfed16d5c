/** Giving a registered app another configuration, under the same client id. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkNewClient } from './client-fields.ts'
import type { ClientConfiguration } from './client-types.ts'

/**
 * Holds from the next request on. Written only when something differs.
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
