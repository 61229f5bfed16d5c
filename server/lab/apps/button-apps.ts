/** Apps that the portal registers by a button, each under a client id that the organization's id makes: pressed twice, it is one. */
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { ownPracticeRoles } from '../../contract/lab/own-practice.ts'
import type { Actor } from '../../domain/actor.ts'
import type { NewClient } from '../../domain/clients/client-types.ts'
import * as clients from '../../domain/clients/clients.ts'
import type { Core } from '../../domain/core.ts'
import { findRole } from '../../domain/organizations/membership.ts'
import { allow as allowOwnSystem } from '../../domain/system-authorizations/own-sandbox.ts'

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

/** As {@link registerButtonApp}, but leaves an app that is there already as it is. */
export async function ensureButtonApp(core: Core, app: ButtonApp, actor: Actor): Promise<void> {
  await create(core, app, actor)
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
 * Lets a backend app in at the organization's own sandbox, if the actor may and nobody has decided about it: one that
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
export function findOwnSystem(
  { prisma }: Pick<Core, 'prisma'>,
  { clientId, organizationId }: Pick<ButtonApp, 'clientId' | 'organizationId'>,
) {
  const practice = { organizationId, environment: 'sandbox', purpose: 'organization_sandbox' } as const
  return prisma.practiceSystemAuthorization.findFirst({
    where: { clientId, practice },
    select: { state: true },
  })
}
