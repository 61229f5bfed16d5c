import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { isMailName, registry } from '../../emails/registry.ts'
import { renderMail } from '../../emails/render.tsx'
import { PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { MailPreview } from './mail-preview.tsx'

export const meta = () => [{ title: 'Email template · Sandpiper' }]

export const loader = page(async ({ context, params }) => {
  const { env } = context.services
  const name = params.template ?? ''
  if (!context.mayDevelop || !isMailName(name)) throw data(null, { status: 404 })
  const { example, links } = registry[name]
  const mail = await renderMail(name, {
    props: example,
    links: Object.fromEntries(links.map((link) => [link, `${env.PUBLIC_ORIGIN}/example-of-a-link`])),
    origin: env.PUBLIC_ORIGIN,
    zone: env.BUSINESS_TZ,
    reference: 'example',
  })
  return { name, ...mail }
})

export default function MailTemplate() {
  const { name, subject, html, text } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-6">
        <p>
          <Link to="/dev/emails">All templates</Link>
        </p>
        <PageHeader title={subject}>
          Template <code>{name}</code>
        </PageHeader>
        <MailPreview html={html} text={text} />
      </div>
    </PublicFrame>
  )
}
