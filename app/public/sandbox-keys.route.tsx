import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { limits } from '../../server/contract/http/limits.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { LinkButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { counted, waitFor } from '../lib/dates.ts'
import { page } from '../services.server.ts'
import { Gate } from '../shared/frames/gate.tsx'

export const meta: MetaFunction = () => [{ title: 'How a sandbox key is issued · Sandpiper' }]

export const loader = page(async ({ context }: LoaderFunctionArgs) => {
  const { keys, env } = context.services
  return { ...(await keys.timeToIssue()), address: env.INBOUND_SMTP_PORT ? env.KEYS_ADDRESS : null }
})

export default function SandboxKeys() {
  const { keys, medianSeconds, address } = useLoaderData<typeof loader>()
  return (
    <Gate
      title="How a sandbox key is issued"
      lead="Free, for synthetic people only, and usually within a minute."
      wide
    >
      <div className="stack">
        <Card padded id="median" title="How long it takes">
          {medianSeconds === null ? (
            <p>No key was issued in the last 90 days, so there is no figure yet.</p>
          ) : (
            <p>
              <strong>Half of the keys took no longer than {waitFor(medianSeconds)}</strong> from the request
              to the claim link: the median of {counted(keys, 'key')} in the last 90 days.
            </p>
          )}
        </Card>
        <Card padded id="steps" title="The steps">
          <ol className="stack tight">
            <li>You say what you are building, who answers technical questions, and accept the terms.</li>
            <li>
              A check runs by itself. A request that speaks of real data, or comes after a leak, goes to a
              reviewer, who answers the same business day.
            </li>
            <li>
              A claim link comes by mail. It lives {limits.claimLinkHours} hours, and shows the key once.
            </li>
            <li>
              The key lives {limits.keyDays} days. You can extend it, rotate it with a grace, limit it to your
              networks, and see every call it made.
            </li>
          </ol>
          <div className="row">
            <LinkButton look="primary" to={paths.keys}>
              Get a sandbox key
            </LinkButton>
          </div>
        </Card>
        {address && (
          <Card padded id="by-mail" title="By mail">
            <p>
              Write to <a href={`mailto:${address}`}>{address}</a> what you are building. The answer carries a
              link on which you fill in the rest. Attachments are not kept.
            </p>
          </Card>
        )}
        <Card padded id="found" title="Found a key in the open?">
          <p>
            <Link to={paths.reportKey}>Report it</Link>. It stops at once.
          </p>
        </Card>
      </div>
    </Gate>
  )
}
