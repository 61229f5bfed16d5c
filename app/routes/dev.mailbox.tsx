import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Mailbox } from 'lucide-react'
import { PublicFrame } from '../components/frames/public-frame.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Mailbox · Sandpiper' }]

const shown = 100

/** Mail of a copy without a mail server, for this machine only. */
export const loader = page(async ({ context }: LoaderFunctionArgs) => {
  const { mailbox } = context.services.mail
  if (!context.mayDevelop || !mailbox) throw data(null, { status: 404 })
  return mailbox.list({ limit: shown })
})

export default function MailboxPage() {
  const mails = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-8">
        <PageHead title="Mailbox">
          This copy has no mail server, so its mail lands here. Set SMTP_URL to send it instead.
        </PageHead>
        {mails.length === 0 ? (
          <Empty icon={Mailbox} title="No mail yet">
            Sign up, or ask for a key: the mail shows here within a second. Load the page again.
          </Empty>
        ) : (
          <section className="card">
            <Table label="Mail" heads={['Subject', 'To', 'At']}>
              {mails.map((mail) => (
                <Row key={mail.id}>
                  <Cell>
                    <Link className="label" to={`/dev/mail/${mail.id}`}>
                      {mail.subject}
                    </Link>
                    <span className="sub">{mail.template}</span>
                  </Cell>
                  <Cell label="To">{mail.to}</Cell>
                  <Cell label="At">
                    <Moment at={mail.at} as="seconds" />
                  </Cell>
                </Row>
              ))}
            </Table>
          </section>
        )}
      </div>
    </PublicFrame>
  )
}
