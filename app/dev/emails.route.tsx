import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { mailNames } from '../../emails/registry.ts'
import { PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta = () => [{ title: 'Email templates · Sandpiper' }]

/** A preview of the emails for developers of the portal, on this machine only. */
export const loader = page(({ context }) => {
  if (!context.mayDevelop) throw data(null, { status: 404 })
  return [...mailNames]
})

export default function MailTemplates() {
  const names = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-6">
        <PageHeader title="Email templates">Every email Sandpiper sends, with synthetic people.</PageHeader>
        <ul className="card pad list">
          {names.map((name) => (
            <li key={name}>
              <Link to={`/dev/emails/${name}`}>{name}</Link>
            </li>
          ))}
        </ul>
      </div>
    </PublicFrame>
  )
}
