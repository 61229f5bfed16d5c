import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Inbox, TriangleAlert } from 'lucide-react'
import { type ReviewFlag, reviewFlags } from '../../server/contract/key-review.ts'
import { paths } from '../../server/contract/paths.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { OpsIndex } from '../components/frames/ops-index.tsx'
import { PlatformNow } from '../components/records/platform-now.tsx'
import { SecondStepBanner } from '../components/records/second-step-banner.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { LinkButton } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { ago, counted } from '../dates.ts'
import { getSession, page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Staff · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  const { account, accountId, expiresAt, secondFactor } = session
  const ops = account.staffRole === 'ops'
  const { keys, clock, secondFactors, registrations, productionKeys } = args.context.services
  const registered = await registrations.reviews.queue({}, { accountId })
  const production = await productionKeys.queue({ accountId })
  const queue = ops ? [] : await keys.reviewQueue({ accountId })
  return {
    account: { name: account.name, email: account.email },
    ops,
    expiresAt,
    secondStep: secondFactor,
    recoveryCodesLeft: (await secondFactors.find(accountId)).recoveryCodesLeft,
    overdue: registered.filter(({ clocks }) =>
      clocks.some(({ state, breachedAt }) => state !== 'stopped' && breachedAt !== null),
    ).length,
    overdueKeys: production.filter((row) => row.clock?.state === 'running' && row.clock.overdue).length,
    now: clock(),
    queue: queue.map(({ id, name, flags, createdAt, updatedAt, organization }) => ({
      id,
      name,
      createdAt,
      waitsSince: updatedAt,
      organization: organization.name,
      flags: flags.map((flag) => reviewFlags[flag as ReviewFlag] ?? flag),
    })),
    platform: ops ? await toPlatformNow(args.context.services.status) : null,
    outbox: ops ? await args.context.services.mail.outboxSummary() : null,
  }
})

async function toPlatformNow(status: LoaderFunctionArgs['context']['services']['status']) {
  const { platform, starting, reachable, open } = await status.page()
  return { platform, starting, reachable, open: open.map(({ id, stage, title }) => ({ id, stage, title })) }
}

export default function StaffConsole() {
  const { platform } = useLoaderData<typeof loader>()
  const { account, ops, outbox, expiresAt, secondStep, recoveryCodesLeft, overdue, overdueKeys, queue, now } =
    useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title={ops ? 'Operations' : 'Review'}>
        You are signed in as {ops ? 'operations' : 'a reviewer'}. This session ends on{' '}
        <Moment at={expiresAt} />.
      </PageHead>
      <SecondStepBanner
        state={secondStep}
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
          The public page counts every broken promise.
        </Banner>
      )}
      {overdueKeys > 0 && (
        <Banner
          tone="bad"
          title={`${counted(overdueKeys, 'production key')} ${overdueKeys === 1 ? 'is' : 'are'} overdue.`}
          action={<LinkButton to={paths.productionQueue}>To the queue</LinkButton>}
        >
          Both sides have signed everything, and wait for us.
        </Banner>
      )}
      {platform && <PlatformNow {...platform} />}
      <p>
        <Link to={paths.reviewQueue}>Registrations of apps</Link>
      </p>
      {outbox && <Outbox outbox={outbox} now={now} />}
      {ops && <OpsIndex />}
      {!ops && queue.length > 0 && <KeyQueue queue={queue} now={now} />}
      {!ops && queue.length === 0 && (
        <Empty icon={Inbox} title="Nothing waits for review">
          Requests for sandbox keys land here when the automatic check hands them to a person.
        </Empty>
      )}
    </ConsoleFrame>
  )
}

interface KeyQueueProps {
  queue: readonly {
    id: string
    name: string
    organization: string
    flags: readonly string[]
    waitsSince: Date
  }[]
  now: Date
}

/** Requests for sandbox keys that a person decides, the longest waiting first. */
function KeyQueue({ queue, now }: KeyQueueProps) {
  return (
    <section className="card" aria-labelledby="queue">
      <div className="head">
        <h2 id="queue">Requests for sandbox keys</h2>
      </div>
      <Table label="Requests for sandbox keys" heads={['Request', 'Why it is here', 'Waits']}>
        {queue.map(({ id, name, organization, flags, waitsSince }) => (
          <Row key={id}>
            <Cell>
              <Link className="label" to={paths.keyReview(id)}>
                {name}
              </Link>
              <span className="sub">{organization}</span>
            </Cell>
            <Cell label="Why">
              {flags.map((flag) => (
                <span className="sub" key={flag}>
                  {flag}
                </span>
              ))}
            </Cell>
            <Cell label="Waits">
              since {ago(waitsSince, now)}
              <span className="sub">
                <Moment at={waitsSince} />
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
      <footer>Each is decided the same business day.</footer>
    </section>
  )
}

/** Longer than a mail waits for its second try. */
const heldUpMs = 5 * 60_000
const isHeldUp = (oldest: Date | string, now: Date | string) =>
  new Date(now).getTime() - new Date(oldest).getTime() > heldUpMs

interface OutboxProps {
  now: Date
  outbox: { waiting: number; failed: number; oldestWaitingAt: Date | null }
}

/** Mail that has not left, so that a mail server that is down is seen. */
function Outbox({ outbox, now }: OutboxProps) {
  return (
    <>
      {outbox.failed > 0 && (
        <Banner
          tone="bad"
          icon={TriangleAlert}
          title={`${counted(outbox.failed, 'mail')} given up.`}
          action={<LinkButton to={paths.staffMail}>To the outbox</LinkButton>}
        >
          Look at the mail server and the log. The requests behind them succeeded; only the mail is missing.
        </Banner>
      )}
      {outbox.oldestWaitingAt && isHeldUp(outbox.oldestWaitingAt, now) && (
        <Banner
          tone="turn"
          title="Mail is held up."
          action={<LinkButton to={`${paths.staffMail}?state=waiting`}>To what waits</LinkButton>}
        >
          {counted(outbox.waiting, 'mail')} {outbox.waiting === 1 ? 'waits' : 'wait'}, the oldest since{' '}
          <Moment at={outbox.oldestWaitingAt} />. They leave by themselves when the mail server answers.
        </Banner>
      )}
      <section className="card" aria-labelledby="outbox">
        <div className="head">
          <h2 id="outbox">Mail outbox</h2>
        </div>
        <dl className="pad facts wide">
          <dt>Waiting</dt>
          <dd>{outbox.waiting}</dd>
          <dt>Oldest waiting</dt>
          <dd>{outbox.oldestWaitingAt ? <Moment at={outbox.oldestWaitingAt} /> : 'None'}</dd>
          <dt>Given up</dt>
          <dd>{outbox.failed}</dd>
        </dl>
      </section>
    </>
  )
}
