/** Emails to subscribers: one for each person and event, however often the job runs. */
import type { Prisma, StatusSubscription } from '../../../prisma/generated/client/client.ts'
import { type ComponentId, type ComponentState, components } from '../../contract/status/components.ts'
import { isTold } from '../../contract/status/subscriptions.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Core } from '../core.ts'
import { uuidOf } from '../uuid-of.ts'
import * as subscriptions from './subscriptions.ts'
import { wordsOf } from './subscriptions.ts'

type Notice = 'status-incident' | 'status-changed'
type Letter = {
  [Name in Notice]: Pick<EnqueuedMail<Name>, 'template' | 'props' | 'threadId'>
}[Notice]
/** An event, with its components and its email. */
type Event = Readonly<{ id: string; at: Date; about: readonly string[]; letter: Letter }>
const pageSize = 200
/** Older events get no emails, for example after the worker was off for a day. */
const newsMs = 86_400_000

/** @returns false if the link to unsubscribe can't be opened: without it, no email is sent to this subscriber */
async function notify(
  core: Core,
  tx: Prisma.TransactionClient,
  subscription: StatusSubscription,
  { id, letter }: Event,
): Promise<boolean> {
  const { mail } = core
  const manageUrl = subscriptions.manageLink(core, subscription)
  if (manageUrl === null) return false
  await mail.enqueue<Notice>(tx, {
    ...letter,
    to: subscription.email,
    links: { manageUrl },
    id: uuidOf(`${id} ${subscription.id}`),
  } as EnqueuedMail<Notice>)
  return true
}

async function findUpdate({ prisma }: Core, id: string): Promise<Event | null> {
  const update = await prisma.incidentUpdate.findUnique({
    where: { id },
    include: { incident: { include: { components: { orderBy: { component: 'asc' } } } } },
  })
  if (update === null) return null
  const { incident, stage, text, at } = update
  const about = incident.components.map(({ component }) => component)
  return {
    ...{ id, at, about },
    letter: {
      template: 'status-incident',
      threadId: incident.id,
      props: {
        incidentId: incident.id,
        kind: incident.kind as 'incident',
        stage: stage as 'resolved',
        title: incident.title,
        text,
        components: wordsOf(about as ComponentId[]),
        at: at.toISOString(),
        startsAt: incident.startsAt.toISOString(),
      },
    },
  }
}

async function findChange({ prisma }: Core, id: string): Promise<Event | null> {
  const change = await prisma.statusChange.findUnique({ where: { id } })
  if (change === null) return null
  const { component, fromState, toState, summary, at } = change
  return {
    ...{ id, at, about: [component] },
    letter: {
      template: 'status-changed',
      props: {
        componentName: components[component as ComponentId].name,
        from: (fromState ?? 'not_available') as ComponentState,
        to: toState as ComponentState,
        summary,
        at: at.toISOString(),
      },
    },
  }
}

/** @param cause the id of an incident's update, or of a component's change */
export async function tellSubscribers(core: Core, cause: { update?: string; change?: string }) {
  const { clock, prisma } = core
  const event = cause.update
    ? await findUpdate(core, cause.update)
    : await findChange(core, cause.change ?? '')
  if (event === null || clock().getTime() - event.at.getTime() > newsMs) return 0
  let notified = 0
  let after: string | undefined
  do {
    const page = await subscriptions.listSubscribers(core, after, pageSize)
    after = page.length === pageSize ? page.at(-1)?.id : undefined
    const subscribers = page.filter((subscription) => isTold(subscription.components, event.about))
    await prisma.$transaction(async (tx) => {
      for (const subscription of subscribers) if (await notify(core, tx, subscription, event)) notified += 1
    })
  } while (after !== undefined)
  return notified
}
