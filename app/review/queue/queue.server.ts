import type { Services } from '../../../server/services.ts'
import type { PageArgs, PortalSession } from '../../services.server.ts'
import { readQueueAsk } from './queue-query.ts'

/** The queue with the filters of the page's URL. */
export async function readQueue(args: PageArgs, { accountId }: PortalSession) {
  const ask = readQueueAsk(new URL(args.request.url).searchParams)
  return { ask, listed: await args.context.services.reviewQueues.read(ask, { accountId }) }
}

/** What a request's page shows beside the request: the queue, and the request's risk. */
export async function readQueueAndRisk(
  args: PageArgs,
  session: PortalSession,
  request: Parameters<Services['reviewQueues']['readRisk']>[0],
) {
  const { reviewQueues } = args.context.services
  const [queue, risk] = await Promise.all([readQueue(args, session), reviewQueues.readRisk(request, session)])
  return { queue, risk }
}

/** The path with the queue's filters, so that a decision leads back to the same queue. */
export function withQueue(args: PageArgs, path: string): string {
  const query = new URL(args.request.url).searchParams
  // Remix adds `index` to the URL of a form on an index route.
  query.delete('index')
  return query.size === 0 ? path : `${path}?${query}`
}
