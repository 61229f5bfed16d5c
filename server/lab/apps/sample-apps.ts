/** The sample apps of `examples/` at an organization's sandbox. */

import { isProblem, Problem } from '../../contract/http/problems.ts'
import { ownPracticeRoles } from '../../contract/lab/own-practice.ts'
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
import type { NewClient, PublicJwks } from '../../domain/clients/client-types.ts'
import * as clients from '../../domain/clients/clients.ts'
import { checkPublicJwks } from '../../domain/clients/jwks-source.ts'
import type { Core } from '../../domain/core.ts'
import { everyMember, findRole, requireRole } from '../../domain/organizations/membership.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { allow as allowOwnSystem } from '../../domain/system-authorizations/own-sandbox.ts'

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

// Apps that the portal registers by a button, each under a client id that the organization's id makes: pressed twice, it is one.

type ButtonApp = Omit<NewClient, 'environment' | 'appId'> & { clientId: string; organizationId: string }

/**
 * Registers the app for the sandbox. One that is there already gets this configuration.
 * @returns the secret of an app made now; it exists in this response only
 * @throws Problem `validation` naming the field at fault, `conflict` for an app that was removed
 */
export async function registerButtonApp(core: Core, app: ButtonApp, actor: Actor): Promise<string | null> {
  const { clientId, organizationId: _, ...configuration } = app
  const secret = await create(core, app, actor)
  if (secret === 'known')
    await clients.replace(core, clientId, configuration, actor).catch((thrown: unknown) => {
      if (!isProblem(thrown) || thrown.kind !== 'not_found') throw thrown
      throw new Problem('conflict', { message: 'This app was removed. Write to us to get it back.' })
    })
  return secret === 'known' ? null : secret.value
}

async function create(core: Core, app: ButtonApp, actor: Actor): Promise<{ value: string | null } | 'known'> {
  try {
    const { secret } = await clients.create(core, { ...app, environment: 'sandbox' }, actor)
    return { value: secret }
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    return 'known'
  }
}

/**
 * Lets a backend app in at the organization's own sandbox, if the actor may and there is no decision yet: one that
 * was stopped stays out.
 */
export async function letInOnce(
  core: Core,
  { clientId, organizationId }: Pick<ButtonApp, 'clientId' | 'organizationId'>,
  actor: Actor,
): Promise<void> {
  const { prisma } = core
  const role = await findRole(prisma, { organizationId, accountId: actor.accountId })
  if (role === null || !ownPracticeRoles.includes(role)) return
  if ((await findOwnSystem(core, { clientId, organizationId })) !== null) return
  await allowOwnSystem(core, clientId, actor)
}

/** What was decided about a backend app at its organization's own sandbox; null: nothing yet. */
function findOwnSystem(
  { prisma }: Pick<Core, 'prisma'>,
  { clientId, organizationId }: Pick<ButtonApp, 'clientId' | 'organizationId'>,
) {
  const practice = { organizationId, environment: 'sandbox', purpose: 'organization_sandbox' } as const
  return prisma.practiceSystemAuthorization.findFirst({
    where: { clientId, practice },
    select: { state: true },
  })
}
