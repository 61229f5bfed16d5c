import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { MailPreview } from './mail-preview.tsx'

export const meta = () => [{ title: 'Email · Sandpiper' }]

export const loader = page(async ({ context, params }) => {
  if (!context.mayDevelop) throw data(null, { status: 404 })
  const mail = await context.services.mail.mailbox?.get(params.mail ?? '')
  if (!mail) throw data(null, { status: 404 })
  const { to, from, subject, html, text, at } = mail
  return { to, from, subject, html, text, at }
})

export default function Mail() {
  const mail = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-6">
        <p>
          <Link to="/dev/mail">All emails</Link>
        </p>
        <PageHeader title={mail.subject}>
          From {mail.from} to {mail.to}, <Moment at={mail.at} as="seconds" />
        </PageHeader>
        <MailPreview html={mail.html} text={mail.text} />
      </div>
    </PublicFrame>
  )
}
