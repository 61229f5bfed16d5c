import { uuidPattern } from '../../../server/contract/http/uuid.ts'
import type { Services } from '../../../server/services.ts'
import type { PageArgs, PortalSession } from '../../services.server.ts'
import { readQueueAsk } from './queue-query.ts'
import type { Replies } from './saved-reply-picker.tsx'

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
  for (const name of ['index', 'reply']) query.delete(name)
  return query.size === 0 ? path : `${path}?${query}`
}

/** Saved replies, and the one that the address names with the facts of this request. */
export async function readReplies(
  { context, request }: PageArgs,
  session: PortalSession,
  view: Readonly<{ name: string; organizationName: string }>,
): Promise<Replies> {
  const { savedReplies } = context.services
  const id = new URL(request.url).searchParams.get('reply') ?? ''
  const names = { app: view.name, organization: view.organizationName }
  const [saved, filled] = await Promise.all([
    savedReplies.listReplies({}, session),
    uuidPattern.test(id) ? savedReplies.readFilledReply({ id, ...names }, session) : null,
  ])
  return { saved, filled }
}
