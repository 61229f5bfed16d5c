import { Link, useLoaderData } from '@remix-run/react'
import { limits } from '../../server/contract/http/limits.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { Card, LinkButton } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'

export const meta = () => [{ title: 'How a sandbox key is issued · Sandpiper' }]

export const loader = page(async ({ context }) => {
  const { env } = context.services
  return { address: env.INBOUND_SMTP_PORT ? env.keysAddress : null }
})

export default function SandboxKeys() {
  const { address } = useLoaderData<typeof loader>()
  return (
    <Gate
      title="How a sandbox key is issued"
      lead="Free, for synthetic patients only, and usually issued within a minute."
      wide
    >
      <div className="stack">
        <Card padded id="steps" title="Steps">
          <ol className="stack tight">
            <li>Describe what you are building, name a technical contact, and accept the terms.</li>
            <li>
              An automatic check runs. If a request mentions real data or follows a leak, a reviewer answers
              on the same business day.
            </li>
            <li>
              Your first key appears right after sign-up. For each later key you get a claim link by email,
              which expires after {limits.claimLinkHours} hours. A key is shown once.
            </li>
            <li>
              The key expires after {limits.keyDays} days. You can extend it, rotate it with a grace period,
              restrict it to your networks, and see every call it made.
            </li>
          </ol>
          <div className="row">
            <LinkButton look="primary" to={paths.keys}>
              Get a sandbox key
            </LinkButton>
          </div>
        </Card>
        {address && (
          <Card padded id="by-mail" title="By email">
            <p>
              Write to <a href={`mailto:${address}`}>{address}</a> and describe what you are building. The
              reply has a link where you complete the request. We don’t keep attachments.
            </p>
          </Card>
        )}
        <Card padded id="found" title="Found a leaked key?">
          <p>
            <Link to={paths.reportKey}>Report it</Link>. We revoke it immediately.
          </p>
        </Card>
      </div>
    </Gate>
  )
}
