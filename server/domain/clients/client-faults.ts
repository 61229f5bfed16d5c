/** What went wrong with an app's requests, for the organization it belongs to. */
import type { ActivityLog, ActivityPage } from '../../audit/activity-log.ts'
import type { Actor } from '../actor.ts'
import type { Clients } from './client-types.ts'

type Dependencies = { clients: Clients; activityLog: ActivityLog }

export function createClientFaults({ clients, activityLog }: Dependencies) {
  /**
   * Refused requests of the app, newest first, each with its exact reason; the wire said less.
   * @throws Problem `not_found` unless the client is of an organization of the actor
   */
  async function list(
    { clientId, before, limit }: { clientId: string; before?: string; limit: number },
    actor: Actor,
  ): Promise<ActivityPage> {
    const client = await clients.get(clientId, actor)
    return activityLog.page({
      clientId: client.clientId,
      status: 'refused',
      limit,
      ...(before === undefined ? {} : { before }),
    })
  }

  return { list }
}
