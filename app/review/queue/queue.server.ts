import type { Services } from '../../../server/services.ts'
import type { PageArgs, PortalSession } from '../../services.server.ts'
import { readQueueAsk } from './queue-query.ts'

/** The queue as the address asks for it, for the list and beside each request. */
export async function readQueue(args: PageArgs, { accountId }: PortalSession) {
  const ask = readQueueAsk(new URL(args.request.url).searchParams)
  return { ask, listed: await args.context.services.reviewQueues.read(ask, { accountId }) }
}

/** What stands beside a request: the queue, and what raises the request's risk. */
export async function readDesk(
  args: PageArgs,
  session: PortalSession,
  request: Parameters<Services['reviewQueues']['readRisk']>[0],
) {
  const { reviewQueues } = args.context.services
  const [queue, risk] = await Promise.all([readQueue(args, session), reviewQueues.readRisk(request, session)])
  return { queue, risk }
}

/** After a step: the same page, with the same queue beside it. */
export function backTo(args: PageArgs, path: string): string {
  const query = new URL(args.request.url).searchParams
  query.delete('index')
  return query.size === 0 ? path : `${path}?${query}`
}
