import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { page } from '../../services.server.ts'
import { AssertionFindings, firstFault } from './assertion-report.tsx'
import { getApp } from './own-app.server.ts'

export const meta: MetaFunction = () => [{ title: 'A refused assertion · Sandpiper' }]
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
      <PageHeader title="A refused assertion">
        What <Link to={base}>{name}</Link> sent to the token endpoint, check by check.
      </PageHeader>
      {now && (
        <Banner
          tone={now.accepted ? 'ok' : 'turn'}
          icon={now.accepted ? CircleCheck : TriangleAlert}
          title={
            now.accepted ? 'Nothing of it fails any more.' : `It would be refused again: ${firstFault(now)}`
          }
        >
          {now.accepted
            ? 'Send a new assertion: the signature of this one is not kept and was not looked at again.'
            : 'Repair what fails below, from the top.'}
        </Banner>
      )}
      <Card label="The call">
        <Facts
          className="pad facts wide"
          of={{
            Refused: <Moment at={at} as="seconds" />,
            'Correlation id': <code className="breaks">{correlationId}</code>,
            Header: <Said values={report.header} />,
            Claims: <Said values={report.claims} />,
          }}
        />
      </Card>
      {now && (
        <section className="stack" aria-labelledby="now">
          <h2 id="now">With the keys and the registration of today</h2>
          <Card>
            <AssertionFindings report={now} label="Checks against what is registered today" />
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
