import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import type { PortalSession } from '../../services.server.ts'
import { readQueueAsk } from './queue-query.ts'

/** The queue as the address asks for it, for the list and beside each request. */
export async function readQueue(args: LoaderFunctionArgs, { accountId }: PortalSession) {
  const ask = readQueueAsk(new URL(args.request.url).searchParams)
  return { ask, listed: await args.context.services.reviewQueues.read(ask, { accountId }) }
}

/** After a step: the same page, with the same queue beside it. */
export function backTo(args: ActionFunctionArgs, path: string): string {
  const query = new URL(args.request.url).searchParams
  for (const name of ['index', 'reply']) query.delete(name)
  return query.size === 0 ? path : `${path}?${query}`
}
