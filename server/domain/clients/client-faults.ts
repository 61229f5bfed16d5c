/** What went wrong with an app's requests, for the organization it belongs to. */
import type { ActivityPage } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as clients from './registrations.ts'

/**
 * Refused requests of the app, newest first, each with its exact reason; the wire said less.
 * @throws Problem `not_found` unless the client is of an organization of the actor
 */
export async function list(
  core: Core,
  { clientId, before, limit }: { clientId: string; before?: string; limit: number },
  actor: Actor,
): Promise<ActivityPage> {
  const client = await clients.get(core, clientId, actor)
  return activityLog.page(core, {
    clientId: client.clientId,
    status: 'refused',
    limit,
    ...(before === undefined ? {} : { before }),
  })
}
