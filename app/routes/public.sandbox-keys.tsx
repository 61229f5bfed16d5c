import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { limits } from '../../server/contract/limits.ts'
import { paths } from '../../server/contract/paths.ts'
import { Gate } from '../components/frames/gate.tsx'
import { LinkButton } from '../components/ui/button.tsx'
import { counted, waitFor } from '../dates.ts'
import { page } from '../services.server.ts'

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
        <section className="card pad stack" aria-labelledby="median">
          <h2 id="median">How long it takes</h2>
          {medianSeconds === null ? (
            <p>No key was issued in the last 90 days, so there is no figure yet.</p>
          ) : (
            <p>
              <strong>Half of the keys took no longer than {waitFor(medianSeconds)}</strong> from the request
              to the claim link: the median of {counted(keys, 'key')} in the last 90 days.
            </p>
          )}
        </section>
        <section className="card pad stack" aria-labelledby="steps">
          <h2 id="steps">The steps</h2>
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
        </section>
        {address && (
          <section className="card pad stack" aria-labelledby="by-mail">
            <h2 id="by-mail">By mail</h2>
            <p>
              Write to <a href={`mailto:${address}`}>{address}</a> what you are building. The answer carries a
              link on which you fill in the rest. Attachments are not kept.
            </p>
          </section>
        )}
        <section className="card pad stack" aria-labelledby="found">
          <h2 id="found">Found a key in the open?</h2>
          <p>
            <Link to={paths.reportKey}>Report it</Link>. It stops at once.
          </p>
        </section>
      </div>
    </Gate>
  )
}
