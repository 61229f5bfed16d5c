import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Inbox, ShieldOff, TriangleAlert } from 'lucide-react'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { getSession, page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Staff · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { account, expiresAt, secondFactor } = await getSession(args, 'staff')
  const ops = account.staffRole === 'ops'
  return {
    account: { name: account.name, email: account.email },
    ops,
    expiresAt,
    /** A published sign-in: said, so that nobody takes it for how staff sign in. */
    demonstration: secondFactor === 'not_asked',
    outbox: ops ? await args.context.services.mail.outboxSummary() : null,
  }
})

export default function StaffConsole() {
  const { account, ops, outbox, expiresAt, demonstration } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title={ops ? 'Operations' : 'Review'}>
        You are signed in as {ops ? 'operations' : 'a reviewer'}. This session ends on{' '}
        <Moment at={expiresAt} />.
      </PageHead>
      {demonstration && (
        <Banner tone="wait" icon={ShieldOff} title="A demonstration sign-in has no second step.">
          Staff of their own set up an authenticator app at their first sign-in and give its code at every
          one.
        </Banner>
      )}
      {outbox && <Outbox outbox={outbox} />}
      {!ops && (
        <Empty icon={Inbox} title="Nothing waits for review">
          Registrations and production requests are not open yet, so none can arrive. They will land here by
          the date their promise ends.
        </Empty>
      )}
    </ConsoleFrame>
  )
}

interface OutboxProps {
  outbox: { waiting: number; failed: number; oldestWaitingAt: Date | null }
}

/** Mail that has not left, so that a mail server that is down is seen. */
function Outbox({ outbox }: OutboxProps) {
  return (
    <>
      {outbox.failed > 0 && (
        <Banner tone="bad" icon={TriangleAlert} title={`${outbox.failed} mails were given up.`}>
          Look at the mail server and the log. The requests behind them succeeded; only the mail is missing.
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
        <footer>Components, incidents, limits and jobs come to this page as they are built.</footer>
      </section>
    </>
  )
}
