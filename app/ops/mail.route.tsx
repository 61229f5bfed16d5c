import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { MailCheck } from '../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../components/ui/list.tsx'
import { Banner, Card, Moment, PageHeader, Tabs } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { openOps, performAction, withoutAct } from './ops.server.ts'
import { OpsActionForm, OpsActionLink, useRequested } from './ops-action.tsx'

export const meta = () => [{ title: 'Email · Sandpiper' }]

const pageActions = ['resend_mail', 'leave_mail_unsent'] as const
const states = { failed: 'Failed', waiting: 'Waiting', sending: 'Sending', sent: 'Sent' } as const
type State = keyof typeof states
/** Longer than the time before an email's second attempt. */
const delayMs = 5 * 60_000
const emptyTitles: Record<State, string> = {
  failed: 'No failed emails',
  waiting: 'No waiting emails',
  sending: 'No email is being sent',
  sent: 'No emails sent yet',
}

const readState = (request: Request): State => {
  const name = new URL(request.url).searchParams.get('state') ?? ''
  return Object.hasOwn(states, name) ? (name as State) : 'failed'
}

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions)
  const state = readState(args.request)
  const list = await args.context.services.operations.mails.list(
    { state, ask: readPageAsk(new URL(args.request.url).searchParams) },
    actor,
  )
  const { clock, mail } = args.context.services
  const oldestWaitingAt = await mail.oldestWaitingAt()
  return {
    act,
    delayedSince:
      oldestWaitingAt && clock().getTime() - oldestWaitingAt.getTime() > delayMs ? oldestWaitingAt : null,
    state,
    ...list,
  }
})

export const action = page((args) => performAction(args, pageActions, withoutAct(args.request)))

type Mail = ReturnType<typeof useLoaderData<typeof loader>>['mails']['rows'][number]

export default function MailOutbox() {
  const { delayedSince, state, mails: listed, counts } = useLoaderData<typeof loader>()
  const requested = useRequested()
  const { rows: mails } = listed
  const mail = mails.find(({ id }) => id === requested?.id)
  return (
    <>
      <PageHeader title="Email">
        Emails we sent, or tried to send. Only the recipient can read their content.
      </PageHeader>
      {delayedSince && (
        <Banner tone="turn" title="Emails are delayed.">
          The oldest has been waiting since <Moment at={delayedSince} />. Emails are sent when the mail server
          responds.
        </Banner>
      )}
      <OpsActionForm about={mail ? `${mail.template}, to ${mail.to}` : `Email ${requested?.id}`} />
      <Tabs
        label="Emails by state"
        tabs={(Object.keys(states) as State[]).map((name) => ({
          to: `?state=${name}`,
          label: states[name],
          count: counts[name] ?? 0,
          current: name === state,
        }))}
      />
      <SearchedList
        listed={listed}
        search="Template or whole email address"
        one="email"
        icon={MailCheck}
        title={emptyTitles[state]}
        empty="Sent and failed emails are kept for thirty days."
      >
        <Card label={states[state]}>
          <DataTable label={`${states[state]} emails`} heads={['Email', 'When', 'Last error']} act="Actions">
            {mails.map((row) => (
              <Row key={row.id}>
                <Cell>
                  <code>{row.template}</code>
                  <span className="sub">{row.to}</span>
                </Cell>
                <Cell label="When">
                  <Moment at={row.sentAt ?? row.createdAt} />
                  <span className="sub">
                    {row.attempts === 1 ? '1 attempt' : `${row.attempts} attempts`}
                    {row.state === 'waiting' && (
                      <>
                        , next <Moment at={row.nextAttemptAt} as="time" />
                      </>
                    )}
                  </span>
                </Cell>
                <Cell label="Last error">
                  {row.lastError ? <span className="breaks">{row.lastError}</span> : 'None'}
                </Cell>
                <Cell className="act">
                  <MailActs mail={row} />
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="emails" listed={listed} />
        </Card>
      </SearchedList>
    </>
  )
}

function MailActs({ mail }: { mail: Mail }) {
  const { id, attempts, state, template, to, resendable, open } = mail
  const shared = { id, version: attempts, about: `the email ${template} to ${to}` }
  return (
    <span className="row">
      {resendable && <OpsActionLink {...shared} act="resend_mail" label="Resend" />}
      {open && <OpsActionLink {...shared} act="leave_mail_unsent" label="Leave unsent" />}
      {state === 'failed' && !resendable && <span className="sub">Its links were erased</span>}
      {state === 'failed' && !open && <span className="sub">Left unsent</span>}
    </span>
  )
}
