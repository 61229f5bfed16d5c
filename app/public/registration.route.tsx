import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { feeStatement } from '../../server/contract/portal/trust.ts'
import {
  infoReasons,
  type RegistrationCheckId,
  registrationChecks,
  rejectionReasons,
} from '../../server/contract/workflows/registration-checks.ts'
import { Card } from '../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta: MetaFunction = () => [
  { title: 'Exactly what we check · Sandpiper' },
  {
    name: 'description',
    content: 'How an app is registered: every check, both clocks, and how well we keep them.',
  },
]

export const loader = page(({ context }: LoaderFunctionArgs) =>
  context.services.registrations.serviceFigures(),
)

const parts = [
  ['authenticity', 'Who asks', 'Decided within ten business days of receipt, whatever else is open.'],
  ['configuration', 'What is asked for', 'Decided apart: a fault here never holds up the other.'],
] as const

const checks = Object.entries(registrationChecks) as [
  RegistrationCheckId,
  (typeof registrationChecks)[RegistrationCheckId],
][]

export default function RegistrationChecks() {
  return (
    <PublicFrame>
      <div className="wrap sec stack gap-6">
        <PageHeader title="Exactly what we check">
          The same for everybody. Nobody is asked for anything, or turned away for anything, that is not in
          these lists. <Link to={paths.registrationPolicy}>Policy</Link> ·{' '}
          <Link to={paths.registrationTerms}>Terms</Link>
        </PageHeader>
        <Figures />
        {parts.map(([part, title, text]) => (
          <section className="card" key={part} aria-labelledby={part}>
            <div className="head">
              <div>
                <h2 id={part}>{title}</h2>
                <p className="small muted">{text}</p>
              </div>
            </div>
            <DataTable label={title} heads={['Check', 'What we look at', 'By']}>
              {checks
                .filter(([, check]) => check.part === part)
                .map(([id, check]) => (
                  <Row key={id} id={id}>
                    <Cell>
                      <b>{check.title}</b>
                    </Cell>
                    <Cell label="What we look at">{check.look}</Cell>
                    <Cell label="By">{check.automatic ? 'The linter, before you submit' : 'A person'}</Cell>
                  </Row>
                ))}
            </DataTable>
          </section>
        ))}
        <Reasons title="What we may ask for" reasons={infoReasons} />
        <Reasons title="Why we may say no" reasons={rejectionReasons} />
        <Card id="fee" title="What it costs">
          <div className="pad stack">
            <p>{feeStatement.none}</p>
            <p>{feeStatement.apart}</p>
          </div>
        </Card>
      </div>
    </PublicFrame>
  )
}

function Figures() {
  const figures = useLoaderData<typeof loader>()
  const { enabled, medianBusinessDays, p95BusinessDays, needingInfo, promiseBreaches, ruleBreaches } = figures
  const days = (count: number | null) => (count === null ? 'None yet' : `${count} business days`)
  return (
    <section className="card" aria-labelledby="figures">
      <div className="head">
        <div>
          <h2 id="figures">How well we keep it</h2>
          <p className="small muted">
            The last 365 days, computed from the log of events as you open this page.
          </p>
        </div>
      </div>
      <dl className="pad key-facts">
        <Figure name="Enabled" value={String(enabled)} />
        <Figure name="Half within" value={days(medianBusinessDays)} />
        <Figure name="95 of 100 within" value={days(p95BusinessDays)} />
        <Figure
          name="Asked for something"
          value={needingInfo === null ? 'None yet' : `${Math.round(needingInfo * 100)} of 100`}
        />
        <Figure name="Promise broken" value={String(promiseBreaches)} />
        <Figure name="Rule broken" value={String(ruleBreaches)} />
      </dl>
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="label">{value}</dd>
    </div>
  )
}

interface ReasonsProps {
  title: string
  reasons: Readonly<Record<string, { check: RegistrationCheckId; sentence: string; template: string }>>
}

function Reasons({ title, reasons }: ReasonsProps) {
  return (
    <Card title={title}>
      <DataTable label={title} heads={['Reason', 'Of the check', 'What would change it']}>
        {Object.entries(reasons).map(([code, { check, sentence, template }]) => (
          <Row key={code}>
            <Cell>
              {sentence}
              <span className="sub">
                <code>{code}</code>
              </span>
            </Cell>
            <Cell label="Of the check">{registrationChecks[check].title}</Cell>
            <Cell label="What would change it">{template}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
