/** The app of a launch without an account: nobody registered it, and its redirect URIs make its client id. */
import { createHash } from 'node:crypto'
import { isProblem } from '../../contract/http/problems.ts'
import { type OpenLaunch, openLaunchAudience, openLaunchScopes } from '../../contract/lab/open-launch.ts'
import { unregisteredApps } from '../../contract/smart/unregistered-apps.ts'
import * as clients from '../../domain/clients/clients.ts'
import type { Core } from '../../domain/core.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'

const idCharacters = 24
const dayMs = 86_400_000

/** The same for the same redirect URIs and audience, so that an app keeps its client id for good. */
export function openClientId({ kind, redirect }: Pick<OpenLaunch, 'kind' | 'redirect'>): string {
  const uris = JSON.stringify(sorted(redirect))
  const digest = createHash('sha256').update(uris).digest('base64url').slice(0, idCharacters)
  return `${unregisteredApps.prefix}${openLaunchAudience(kind)}-${digest}`
}

/** Makes the app where it is missing, and lets it in at this practice only. @returns its client id */
export async function ensureOpenClient(core: Core, launch: OpenLaunch, practiceId: string): Promise<string> {
  const clientId = openClientId(launch)
  const audience = openLaunchAudience(launch.kind)
  const known = await core.prisma.client.findUnique({ where: { id: clientId }, select: { id: true } })
  if (known === null) {
    try {
      await clients.create(
        core,
        {
          clientId,
          organizationId: null,
          environment: 'sandbox',
          audience,
          authentication: 'none',
          // Nothing that the visitor typed: other people read the name.
          name: unregisteredApps.name,
          description: 'Opened from the launch page, without an account.',
          scope: openLaunchScopes[audience],
          redirectUris: sorted(launch.redirect),
        },
        null,
      )
    } catch (thrown) {
      // Two launches at once make one app.
      if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    }
  }
  await clients.enableAt(core, { clientId, practiceId }, null)
  return clientId
}

/** Tick: grants of a day ago, and the apps that nothing hangs on any more. */
export async function forgetOpenClients({ prisma }: Core, now: Date): Promise<void> {
  const before = new Date(now.getTime() - dayMs)
  const startsWith = unregisteredApps.prefix
  const old = { clientId: { startsWith }, createdAt: { lte: before } }
  await deleteInBatches((limit) => prisma.grant.deleteMany({ where: old, limit }))
  const unused = {
    id: { startsWith },
    createdAt: { lte: before },
    grants: { none: {} },
    launchSimulations: { none: {} },
    launchContexts: { none: {} },
    authorizationRequests: { none: {} },
  }
  await deleteInBatches((limit) => prisma.client.deleteMany({ where: unused, limit }))
}

const sorted = (uris: readonly string[]) => [...new Set(uris)].sort()
