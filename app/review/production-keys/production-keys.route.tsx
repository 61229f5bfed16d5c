import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Inbox } from 'lucide-react'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { counted } from '../../lib/dates.ts'
import { getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { levelWords, StateTag } from '../../shared/production-keys/production-parts.tsx'

export const meta: MetaFunction = () => [{ title: 'Production keys · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account, accountId } = await getSession(args, 'staff')
  const queue = await args.context.services.productionKeys.queue({ accountId })
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const listed = pageOf(ask, queue, (row) => [row.name, row.organizationName, row.practiceName])
  return { account: { name: account.name, email: account.email }, listed }
})

export default function ProductionQueue() {
  const { account, listed } = useLoaderData<typeof loader>()
  const { rows: queue, q } = listed
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title="Production keys">
        By due date, the first due first: five business days from complete papers.{' '}
        <Link to={paths.reviewQueue}>Registrations</Link> · <Link to={paths.staff}>Other requests</Link>
      </PageHeader>
      {(q !== '' || listed.pages > 1) && <ListSearch label="Key, organization or practice" q={q} />}
      {queue.length === 0 ? (
        <EmptyState icon={Inbox} title={q === '' ? 'You’re all caught up' : `No request matches “${q}”`}>
          Requests land here when the practice vouches and both documents are signed.
        </EmptyState>
      ) : (
        <Card label="Requests">
          <DataTable
            label="Production keys that wait"
            heads={['Request', 'Practice', 'State', 'Due', 'Claimed']}
          >
            {queue.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <Link className="label" to={paths.reviewProductionKey(row.id)}>
                    {row.name}
                  </Link>
                  <span className="sub">
                    {row.organizationName}, {levelWords[row.level]}
                  </span>
                </Cell>
                <Cell label="Practice">{row.practiceName}</Cell>
                <Cell label="State">
                  <StateTag state={row.state} />
                  {row.secondWanted && <span className="sub">A second reviewer is wanted</span>}
                </Cell>
                <Cell label="Due">
                  {row.clock === null ? (
                    'No clock'
                  ) : row.clock.state === 'paused' ? (
                    `Paused, ${counted(row.clock.remainingDays, 'day')} left`
                  ) : (
                    <>
                      <Moment at={row.clock.dueAt} as="deadline" />
                      <span className="sub">
                        {row.clock.overdue ? (
                          <Tag tone="bad" bare>
                            Overdue
                          </Tag>
                        ) : (
                          `${row.clock.usedDays} of ${counted(row.clock.days, 'day')} used`
                        )}
                      </span>
                    </>
                  )}
                </Cell>
                <Cell label="Claimed">{row.claimedBy ?? 'Nobody'}</Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="production keys" listed={listed} />
        </Card>
      )}
    </ConsoleFrame>
  )
}
