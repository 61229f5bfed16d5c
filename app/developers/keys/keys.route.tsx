import type { MetaFunction } from '@remix-run/react'
import { Link, Outlet, useLoaderData, useLocation, useRevalidator } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { useEffect } from 'react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { DataTable } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { KeyRound, Plus } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { doneCookie } from '../../lib/flash.ts'
import { readFields } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { KeyRow, keyHeads } from './key-row.tsx'
import { latestRefusals } from './latest-refusals.server.ts'
import { RefusalCard } from './refusal-card.tsx'
import { isOnItsWay, type RequestRecord, RequestRow, requestHeads } from './request-row.tsx'

export const meta: MetaFunction = () => [{ title: 'Keys · Sandpiper' }]
export const handle = { here: 'Keys' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, organization } = await getOrganization(args)
  const { keys, clock } = args.context.services
  const mine = { organizationId: organization.id, accountId: session.accountId }
  const query = new URL(args.request.url).searchParams
  const ended = query.get('show') === 'ended'
  const [{ counts, ...listed }, requests] = await Promise.all([
    keys.listPage({ ...mine, ended, ask: readPageAsk(query) }),
    keys.listRequests({
      ...mine,
      ask: readPageAsk(query, { q: 'requests-q', page: 'requests-page' }),
    }),
  ])
  return {
    base: paths.organizationKeys(organization.slug),
    refused: `${paths.organizationActivity(organization.slug)}?show=refused`,
    refusals: ended ? [] : await latestRefusals(args, listed.rows),
    mayRequest: organization.role !== 'viewer',
    now: clock(),
    ended,
    liveCount: counts.live,
    suspendedCount: counts.suspended,
    endedCount: counts.ended,
    listed,
    requests,
  }
})

/** Sends a claim link again. */
export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const requestId = String((await readFields(args.request)).get('request') ?? '')
  const answer = await args.context.services.keys.reissueClaim({ requestId }, actor)
  const headers: HeadersInit = answer.kind === 'sent' ? { 'set-cookie': doneCookie('claim_sent') } : {}
  return redirect(paths.organizationKeys(organization.slug), { headers })
})

export default function Keys() {
  const data = useLoaderData<typeof loader>()
  const { pathname } = useLocation()
  const deciding = pathname.endsWith('/revoke')
  useLookAgain(data.requests.rows.some(isOnItsWay))
  const nothing = data.liveCount + data.endedCount + data.requests.total === 0
  return (
    <div className="page">
      <PageHeader
        title="Keys"
        action={
          data.mayRequest &&
          !nothing && (
            <LinkButton to={`${data.base}/new`}>
              <Plus className="i" />
              Request a sandbox key
            </LinkButton>
          )
        }
      >
        Each key gives access to one practice. Keep it on a server.{' '}
        <Link to={guidePath('authentication')}>About access and expiry</Link>
      </PageHeader>
      <Outlet />
      {!deciding && <NextStep requests={data.requests.rows} />}
      {nothing ? <NoKeys {...data} /> : <Lists {...data} />}
    </div>
  )
}

type Data = ReturnType<typeof useLoaderData<typeof loader>>

/** While a key is being made, the page looks again every few seconds, for two minutes at most. */
function useLookAgain(wanted: boolean) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!wanted) return
    let left = 30
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') revalidate()
      left -= 1
      if (left === 0) clearInterval(timer)
    }, 4_000)
    return () => clearInterval(timer)
  }, [wanted, revalidate])
}

function NextStep({ requests }: { requests: readonly RequestRecord[] }) {
  const claimable = requests.find((request) => request.mayReveal)
  if (claimable?.claimExpiresAt) {
    return (
      <Banner
        tone="turn"
        who="Your turn."
        title={`The sandbox key “${claimable.name}” is ready to claim.`}
        action={
          <LinkButton look="primary" to={`/developers/keys/claim?request=${claimable.id}`}>
            Claim the key
          </LinkButton>
        }
      >
        Claim it by <Moment at={claimable.claimExpiresAt} />. After that the link expires, and you can request
        a new one{' '}
        {claimable.reissuesLeft === 0 ? 'by requesting a key again' : `up to ${claimable.reissuesLeft} times`}
        .
      </Banner>
    )
  }
  if (requests.some(isOnItsWay)) {
    return (
      <Banner tone="wait" who="Our turn." title="Your key is being created.">
        You get the claim link by email, usually within a minute. No action is needed.
      </Banner>
    )
  }
  return null
}

function NoKeys({ base, mayRequest }: Pick<Data, 'base' | 'mayRequest'>) {
  return (
    <EmptyState
      icon={KeyRound}
      title="No keys yet"
      action={
        mayRequest && (
          <LinkButton look="primary" to={`${base}/new`}>
            Request a sandbox key
          </LinkButton>
        )
      }
    >
      {mayRequest
        ? 'With a key, your server can read the sandbox. Requesting one takes about a minute.'
        : 'With a key, a server can read the sandbox. Your role is read-only. A developer or admin can request one.'}
    </EmptyState>
  )
}

function Lists(data: Data) {
  const { base, listed, requests, now, ended, liveCount, suspendedCount, endedCount, refusals, refused } =
    data
  const liveLabel = suspendedCount > 0 ? 'Active and suspended' : 'Active'
  const { rows: keys, q } = listed
  return (
    <>
      {requests.total > 0 && (
        <Card id="requests" title="Requests">
          <DataTable label="Requests" heads={requestHeads}>
            {requests.rows.map((request) => (
              <RequestRow key={request.id} record={request} now={now} />
            ))}
          </DataTable>
          <Pager label="requests" listed={requests} name="requests-page" />
        </Card>
      )}
      {liveCount + endedCount > 0 && (
        <>
          <Tabs
            label="Show"
            tabs={[
              { to: base, label: liveLabel, count: liveCount, current: !ended },
              { to: `${base}?show=ended`, label: 'Expired and revoked', count: endedCount, current: ended },
            ]}
          />
          {(q !== '' || listed.pages > 1) && <ListSearch label="Key name, prefix or practice" q={q} />}
          <Card>
            {keys.length === 0 ? (
              <p className="pad muted">
                {q !== ''
                  ? `No key matches “${q}”.`
                  : ended
                    ? 'No expired or revoked keys.'
                    : 'No active keys. Request one above.'}
              </p>
            ) : (
              <DataTable label={ended ? 'Expired and revoked keys' : `${liveLabel} keys`} heads={keyHeads}>
                {keys.map((key) => (
                  <KeyRow key={key.id} record={key} now={now} base={base} />
                ))}
              </DataTable>
            )}
            <Pager label="keys" listed={listed} />
            <footer>
              Bars show calls per day. Marks below the line are refused calls. A revoked key stops on its next
              request.
            </footer>
          </Card>
          <RefusalCard refusals={refusals} to={refused} />
        </>
      )}
    </>
  )
}
