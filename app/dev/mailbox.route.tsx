import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { Mailbox } from '../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta = () => [{ title: 'Mailbox · Sandpiper' }]

const shown = 100

/** Emails of a server without a mail server, shown on this machine only. */
export const loader = page(async ({ context }) => {
  const { mailbox } = context.services.mail
  if (!context.mayDevelop || !mailbox) throw data(null, { status: 404 })
  return mailbox.list({ limit: shown })
})

export default function MailboxPage() {
  const mails = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-6">
        <PageHeader title="Mailbox">
          This installation has no mail server, so its emails appear here. Set SMTP_URL to send them instead.
        </PageHeader>
        {mails.length === 0 ? (
          <EmptyState icon={Mailbox} title="No emails yet">
            Sign up or request a key. The email appears here within a second. Reload the page.
          </EmptyState>
        ) : (
          <Card>
            <DataTable label="Emails" heads={['Subject', 'To', 'Date']}>
              {mails.map((mail) => (
                <Row key={mail.id}>
                  <Cell>
                    <Link className="label" to={`/dev/mail/${mail.id}`}>
                      {mail.subject}
                    </Link>
                    <span className="sub">{mail.template}</span>
                  </Cell>
                  <Cell label="To">{mail.to}</Cell>
                  <Cell label="Date">
                    <Moment at={mail.at} as="seconds" />
                  </Cell>
                </Row>
              ))}
            </DataTable>
          </Card>
        )}
      </div>
    </PublicFrame>
  )
}
