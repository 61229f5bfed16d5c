import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { CircleCheck, TriangleAlert } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { page } from '../../services.server.ts'
import { AssertionFindings, firstFault } from './assertion-report.tsx'
import { getApp } from './own-app.server.ts'

export const meta: MetaFunction = () => [{ title: 'Refused assertion · Sandpiper' }]
export const handle = { here: 'Apps / Errors / Assertion' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { app, actor, base } = await getApp(args)
  const { clientId, name } = app
  const correlationId = args.params.correlation ?? ''
  const attempt = await args.context.services.assertionDoctor.replay({ clientId, correlationId }, actor)
  return { base, name, attempt }
})

export default function AppRefusal() {
  const { base, name, attempt } = useLoaderData<typeof loader>()
  const { at, correlationId, report, now } = attempt
  return (
    <div className="page">
      <PageHeader title="Refused assertion">
        The assertion <Link to={base}>{name}</Link> sent to the token endpoint, check by check.
      </PageHeader>
      {now && (
        <Banner
          tone={now.accepted ? 'ok' : 'turn'}
          icon={now.accepted ? CircleCheck : TriangleAlert}
          title={now.accepted ? 'No check fails any more.' : `It would still be refused: ${firstFault(now)}`}
        >
          {now.accepted
            ? 'Send a new assertion. This one’s signature was not stored, so we couldn’t check it again.'
            : 'Fix the failed checks below, from the top.'}
        </Banner>
      )}
      <Card label="Request">
        <Facts
          className="pad facts wide"
          of={{
            Refused: <Moment at={at} as="seconds" />,
            'Correlation ID': <code className="breaks">{correlationId}</code>,
            Header: <Said values={report.header} />,
            Claims: <Said values={report.claims} />,
          }}
        />
      </Card>
      {now && (
        <section className="stack" aria-labelledby="now">
          <h2 id="now">With the current keys and registration</h2>
          <Card>
            <AssertionFindings report={now} label="Checks against the current registration" />
          </Card>
        </section>
      )}
      <section className="stack" aria-labelledby="then">
        <h2 id="then">When it was sent</h2>
        <Card>
          <AssertionFindings report={report} label="Checks when it was sent" />
        </Card>
      </section>
    </div>
  )
}

/** Known fields, as they came. */
function Said({ values }: { values: Readonly<Record<string, string>> }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return <>None that we know</>
  return entries.map(([field, value]) => (
    <code key={field} className="block breaks">
      {field}: {value}
    </code>
  ))
}
