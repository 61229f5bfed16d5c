/** The sample apps of `examples/` at an organization's sandbox. */

import {
  needsKeys,
  type SampleAppName,
  sampleApp,
  sampleAppNames,
  sampleApps,
  sampleClientId,
} from '../../contract/lab/sample-apps.ts'
import { labRoles } from '../../contract/lab/sandbox-changes.ts'
import type { Actor } from '../../domain/actor.ts'
import type { PublicJwks } from '../../domain/clients/client-types.ts'
import { checkPublicJwks } from '../../domain/clients/jwks-source.ts'
import type { Core } from '../../domain/core.ts'
import { everyMember, requireRole } from '../../domain/organizations/membership.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { findOwnSystem, letInOnce, registerButtonApp } from './button-apps.ts'

/** The base and each app's client id, registered or not. @throws Problem `not_found` for who is no member */
export async function describe(core: Core, organizationId: string, { accountId }: Pick<Actor, 'accountId'>) {
  await requireRole(core.prisma, { organizationId, accountId }, everyMember)
  const { slug } = await sandboxes.ensure(core, organizationId, { writable: false })
  const registered = await findRegistered(core, organizationId)
  const backend = await findOwnSystem(core, {
    clientId: sampleClientId('backend', organizationId),
    organizationId,
  })
  return {
    practice: slug,
    base: core.addresses.fhirBase(slug),
    apps: sampleAppNames.map((name) => ({
      name,
      clientId: sampleClientId(name, organizationId),
      registered: registered.has(name),
      /** Null for apps that people allow. */
      allowed: sampleApps[name].audience === 'backend' ? backend?.state === 'granted' : null,
    })),
  }
}

/**
 * Registers the patient app, and with keys the two that sign their requests. Without keys those two keep theirs.
 * The backend system is let in if an owner or admin presses the button.
 * @throws Problem `not_found` for who is no member, `forbidden` for a viewer, `validation` for keys that are none
 */
export async function register(
  core: Core,
  { organizationId, jwks }: { organizationId: string; jwks: PublicJwks | null },
  actor: Actor,
): Promise<void> {
  await requireRole(core.prisma, { organizationId, accountId: actor.accountId }, labRoles)
  // Before the first app, so that a refusal leaves nothing behind.
  if (jwks) checkPublicJwks(jwks)
  await sandboxes.ensure(core, organizationId, { writable: false })
  for (const name of sampleAppNames) {
    if (needsKeys(name) && !jwks) continue
    const app = { ...sampleApp(name), clientId: sampleClientId(name, organizationId), organizationId }
    await registerButtonApp(core, needsKeys(name) ? { ...app, jwks } : app, actor)
  }
  if ((await findRegistered(core, organizationId)).has('backend'))
    await letInOnce(core, { clientId: sampleClientId('backend', organizationId), organizationId }, actor)
}

async function findRegistered({ prisma }: Core, organizationId: string): Promise<Set<SampleAppName>> {
  const rows = await prisma.client.findMany({
    where: {
      id: { in: sampleAppNames.map((name) => sampleClientId(name, organizationId)) },
      removedAt: null,
    },
    select: { id: true },
  })
  const ids = new Set(rows.map(({ id }) => id))
  return new Set(sampleAppNames.filter((name) => ids.has(sampleClientId(name, organizationId))))
}
