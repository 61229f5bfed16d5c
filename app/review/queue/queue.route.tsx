import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Inbox } from 'lucide-react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { queueStages } from '../../../server/contract/workflows/review-queue.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { counted } from '../../lib/dates.ts'
import { getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { ReviewMetricsCard } from '../registrations/review-metrics.tsx'
import { readQueue } from './queue.server.ts'
import { QueueFilter } from './queue-filter.tsx'
import { QueueViews, type ShownQueue } from './queue-pane.tsx'
import { queueQuery, requestPath } from './queue-query.ts'
import { QueueTable } from './queue-table.tsx'
import { Shortcuts } from './shortcuts.tsx'

export const meta: MetaFunction = () => [{ title: 'Queue · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { account } = session
  const [queue, metrics] = await Promise.all([
    readQueue(args, session),
    args.context.services.registrations.reviews.metrics(session),
  ])
  return { account: { name: account.name, email: account.email }, queue, metrics }
})

export default function QueuePage() {
  const { account, queue, metrics } = useLoaderData<typeof loader>()
  const { ask, listed } = queue
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title="Queue" action={<QueueViews {...queue} to={paths.reviewQueue} />}>
        {counted(listed.total, 'request')} · {queueStages[ask.stage].toLowerCase()}, the first due first.{' '}
        <Link to={paths.staff}>Review console</Link>
      </PageHeader>
      <FirstDue queue={queue} />
      <QueueFilter ask={ask} />
      <Shortcuts />
      {listed.rows.length === 0 ? (
        <EmptyState icon={Inbox} title={ask.q === '' ? 'No requests here' : `No request matches “${ask.q}”`}>
          Requests that developers submit are listed here until a reviewer decides. Clear the filters to see
          the whole queue.
        </EmptyState>
      ) : (
        <Card label="Queue">
          <QueueTable queue={queue} />
          <Pager label="the queue" listed={listed} />
        </Card>
      )}
      <ReviewMetricsCard metrics={metrics} />
    </ConsoleFrame>
  )
}

/** The first request due that the reader may decide on. */
function FirstDue({ queue: { ask, listed } }: { queue: ShownQueue }) {
  const first = listed.rows.find(({ barred, assignee }) => !barred && (assignee?.isReader ?? true))
  const clock = first?.promise ?? first?.rule
  if (ask.stage !== 'waiting' || listed.page > 1 || !first || clock?.state !== 'running') return null
  return (
    <Banner
      tone={clock.overdue ? 'bad' : 'turn'}
      who="Your turn."
      title={
        <>
          {first.name || 'A request without a name'} {clock.overdue ? 'was due' : 'is due'}{' '}
          <Moment at={clock.dueAt} as="deadline" />.
        </>
      }
      action={
        <LinkButton look="primary" to={requestPath(first) + queueQuery(ask)}>
          Open request
        </LinkButton>
      }
    >
      The public page counts every promise that is not kept.
    </Banner>
  )
}
