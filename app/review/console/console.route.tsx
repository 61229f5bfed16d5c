import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { type Listed, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type ReviewFlag, reviewFlags } from '../../../server/contract/workflows/key-review.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Inbox, TriangleAlert } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { ago, counted } from '../../lib/dates.ts'
import { getSession, page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { MfaBanner } from '../../shared/sign-in/mfa-banner.tsx'
import { OpsIndex } from './ops-index.tsx'
import { PlatformNow } from './platform-now.tsx'

export const meta: MetaFunction = () => [{ title: 'Staff · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { account, accountId, expiresAt, mfaState } = session
  const ops = account.staffRole === 'ops'
  const { inbox, keys, clock, mfaFactors, operations, reviewQueue } = args.context.services
  const waiting = await reviewQueue({ accountId })
  const registered = waiting.filter(({ kind }) => kind === 'registration')
  const production = waiting.filter(({ kind }) => kind === 'production_key_request')
  const queue = ops
    ? null
    : await keys.reviewQueue({ accountId }, readPageAsk(new URL(args.request.url).searchParams))
  return {
    account: { name: account.name, email: account.email },
    ops,
    expiresAt,
    mfa: mfaState,
    recoveryCodesLeft: (await mfaFactors.find(accountId)).recoveryCodesLeft,
    overdue: registered.filter(({ overdue }) => overdue).length,
    overdueKeys: production.filter(({ overdue }) => overdue).length,
    inbox: await inbox.count({}, session),
    registered: registered.length,
    production: production.length,
    now: clock(),
    queue: queue && {
      ...queue,
      rows: queue.rows.map(({ id, name, flags, createdAt, updatedAt, organization }) => ({
        id,
        name,
        createdAt,
        waitsSince: updatedAt,
        organization: organization.name,
        flags: flags.map((flag) => reviewFlags[flag as ReviewFlag] ?? flag),
      })),
    },
    platform: ops ? await toPlatformNow(args.context.services.status) : null,
    rolesToDecide: ops ? await operations.people.countDecidable({ accountId }) : 0,
    outbox: ops ? await args.context.services.mail.outboxSummary() : null,
  }
})

async function toPlatformNow(status: LoaderFunctionArgs['context']['services']['status']) {
  const { platform, starting, reachable, open } = await status.page()
  return { platform, starting, reachable, open: open.map(({ id, stage, title }) => ({ id, stage, title })) }
}

export default function StaffConsole() {
  const { platform } = useLoaderData<typeof loader>()
  const {
    account,
    ops,
    outbox,
    rolesToDecide,
    expiresAt,
    mfa,
    recoveryCodesLeft,
    overdue,
    overdueKeys,
    inbox,
    registered,
    production,
    queue,
    now,
  } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={ops ? 'Operations' : 'Review'}>
        You are signed in as {ops ? 'operations' : 'a reviewer'}. This session ends on{' '}
        <Moment at={expiresAt} />.
      </PageHeader>
      <MfaBanner
        state={mfa}
        recoveryCodesLeft={recoveryCodesLeft}
        recoveryCodes={paths.staffRecoveryCodes}
        others="Staff of their own"
      />
      {overdue > 0 && (
        <Banner
          tone="bad"
          title={`${counted(overdue, 'registration')} ${overdue === 1 ? 'is' : 'are'} overdue.`}
          action={<LinkButton to={paths.reviewQueue}>To the queue</LinkButton>}
        >
          The public statistics count every missed deadline.
        </Banner>
      )}
      {overdueKeys > 0 && (
        <Banner
          tone="bad"
          title={`${counted(overdueKeys, 'production key')} ${overdueKeys === 1 ? 'is' : 'are'} overdue.`}
          action={<LinkButton to={paths.productionQueue}>To the queue</LinkButton>}
        >
          Both sides have signed everything. Only our decision is missing.
        </Banner>
      )}
      {rolesToDecide > 0 && (
        <Banner
          tone="turn"
          who="Your turn."
          title={`${counted(rolesToDecide, 'role request')} ${rolesToDecide === 1 ? 'needs' : 'need'} a second operator.`}
          action={<LinkButton to={paths.staffPeople}>Review requests</LinkButton>}
        >
          A role request expires after seven days.
        </Banner>
      )}
      {platform && <PlatformNow {...platform} />}
      <p>
        <Link to={paths.staffInbox}>Inbox</Link> ({inbox} for you) ·{' '}
        <Link to={paths.reviewQueue}>App registrations</Link> ({registered} to review) ·{' '}
        <Link to={paths.productionQueue}>Production keys</Link> ({production} to review)
      </p>
      {outbox && <Outbox outbox={outbox} now={now} />}
      {ops && <OpsIndex />}
      {queue && (queue.q !== '' || queue.pages > 1) && <ListSearch label="Key or organization" q={queue.q} />}
      {queue && queue.total > 0 && <KeyQueue queue={queue} now={now} />}
      {queue && queue.total === 0 && queue.q !== '' && (
        <p className="muted">No request for a sandbox key matches “{queue.q}”.</p>
      )}
      {queue && queue.total === 0 && queue.q === '' && (
        <EmptyState
          icon={Inbox}
          title={registered + production === 0 ? 'You’re all caught up' : 'No sandbox key to review'}
        >
          Requests for sandbox keys that fail the automatic check are listed here.
        </EmptyState>
      )}
    </ConsoleFrame>
  )
}

interface KeyQueueProps {
  queue: Listed<{
    id: string
    name: string
    organization: string
    flags: readonly string[]
    waitsSince: Date
  }>
  now: Date
}

/** Requests for sandbox keys that a person decides, the longest waiting first. */
function KeyQueue({ queue, now }: KeyQueueProps) {
  return (
    <Card id="queue" title="Sandbox key requests">
      <DataTable label="Sandbox key requests" heads={['Request', 'Reason for review', 'Waiting']}>
        {queue.rows.map(({ id, name, organization, flags, waitsSince }) => (
          <Row key={id}>
            <Cell>
              <Link className="label" to={paths.keyReview(id)}>
                {name}
              </Link>
              <span className="sub">{organization}</span>
            </Cell>
            <Cell label="Reason">
              {flags.map((flag) => (
                <span className="sub" key={flag}>
                  {flag}
                </span>
              ))}
            </Cell>
            <Cell label="Waiting">
              since {ago(waitsSince, now)}
              <span className="sub">
                <Moment at={waitsSince} />
              </span>
            </Cell>
          </Row>
        ))}
      </DataTable>
      <Pager label="requests for sandbox keys" listed={queue} />
      <footer>Decide each one on the same business day.</footer>
    </Card>
  )
}

/** Longer than the delay before an email's second attempt. */
const heldUpMs = 5 * 60_000
const isHeldUp = (oldest: Date | string, now: Date | string) =>
  new Date(now).getTime() - new Date(oldest).getTime() > heldUpMs

interface OutboxProps {
  now: Date
  outbox: { waiting: number; failed: number; oldestWaitingAt: Date | null }
}

/** Unsent emails. They show when the mail server is down. */
function Outbox({ outbox, now }: OutboxProps) {
  return (
    <>
      {outbox.failed > 0 && (
        <Banner
          tone="bad"
          icon={TriangleAlert}
          title={`${counted(outbox.failed, 'email')} failed.`}
          action={<LinkButton to={paths.staffMail}>To the outbox</LinkButton>}
        >
          Check the mail server and the log. The requests succeeded. Only the emails are missing.
        </Banner>
      )}
      {outbox.oldestWaitingAt && isHeldUp(outbox.oldestWaitingAt, now) && (
        <Banner
          tone="turn"
          title="Emails are delayed."
          action={<LinkButton to={`${paths.staffMail}?state=waiting`}>View emails</LinkButton>}
        >
          {counted(outbox.waiting, 'waiting email')}, the oldest since <Moment at={outbox.oldestWaitingAt} />.
          They will be sent when the mail server responds.
        </Banner>
      )}
      <Card id="outbox" title="Email outbox">
        <Facts
          className="pad facts wide"
          of={{
            Waiting: outbox.waiting,
            'Oldest waiting': outbox.oldestWaitingAt ? <Moment at={outbox.oldestWaitingAt} /> : 'None',
            Failed: outbox.failed,
          }}
        />
      </Card>
    </>
  )
}
