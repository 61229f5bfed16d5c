import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Activity } from '../../components/ui/icons.ts'
import { Card, EmptyState, PageHeader } from '../../components/ui/page-parts.tsx'
import { actorOf, getSession, page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { CallTable } from '../../shared/activity/call-table.tsx'
import { KeyPrefix } from '../../shared/keys/key-words.tsx'

export const meta = () => [{ title: 'Activity of a key · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'practice')
  const { practiceConsole } = args.context.services
  const query = readActivityQuery(args.request.url)
  const { key, rows, next } = await practiceConsole.activity(
    { keyId: args.params.key ?? '', ...query, limit: 50 },
    actorOf(args, session),
  )
  return {
    key: {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      owner: key.organization?.name ?? 'Sandpiper',
      requestId: key.productionRequestId,
    },
    rows,
    next,
  }
})

export default function PracticeKeyActivity() {
  const { key, rows, next } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title={`Activity of ${key.name}`}>
        Every request that {key.owner} made with <KeyPrefix prefix={key.prefix} />, including refused ones.{' '}
        <Link to={paths.practiceKeyAccess(key.id)}>What it can read</Link>
        {' · '}
        <Link to={`${paths.practiceAudit}?${new URLSearchParams({ who: key.id })}`}>
          Whose records it read
        </Link>
        {key.requestId && (
          <>
            {' · '}
            <Link to={paths.practiceSponsorship(key.requestId)}>Key details</Link>
          </>
        )}
      </PageHeader>
      {rows.length === 0 ? (
        <EmptyState icon={Activity} title="No requests yet">
          Requests appear here a moment after they are made.
        </EmptyState>
      ) : (
        <Card label="Requests">
          <CallTable label="Requests" calls={rows} />
          {next && (
            <footer className="pad">
              <Link to={`?${new URLSearchParams({ before: next })}`}>Older requests</Link>
            </footer>
          )}
        </Card>
      )}
    </>
  )
}
