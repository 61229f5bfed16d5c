import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { feeStatement } from '../../server/contract/portal/trust.ts'
import {
  infoReasons,
  type RegistrationCheckId,
  registrationChecks,
  rejectionReasons,
} from '../../server/contract/workflows/registration-checks.ts'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Card, Facts, PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta = () => [
  { title: 'What we check · Sandpiper' },
  {
    name: 'description',
    content: 'How we review an app: every check, both deadlines, and how well we meet them.',
  },
]

export const loader = page(({ context }) => context.services.registrations.serviceFigures())

const parts = [
  [
    'authenticity',
    'Your organization',
    'Decided within ten business days of receipt, independently of the app.',
  ],
  ['configuration', 'Your app', 'Decided separately: a problem here doesn’t delay the other decision.'],
] as const

const checks = Object.entries(registrationChecks) as [
  RegistrationCheckId,
  (typeof registrationChecks)[RegistrationCheckId],
][]

export default function RegistrationChecks() {
  return (
    <PublicFrame>
      <div className="wrap sec stack gap-5">
        <PageHeader title="What we check">
          The checks are the same for everyone. We ask for nothing else, and we reject requests only for the
          reasons listed here. <Link to={paths.registrationPolicy}>Policy</Link> ·{' '}
          <Link to={paths.registrationTerms}>Terms</Link>
        </PageHeader>
        <Figures />
        {parts.map(([part, title, text]) => (
          <Card key={part} id={part} title={title} aside={<span className="small muted">{text}</span>}>
            <DataTable label={title} heads={['Check', 'What we check', 'Checked by']}>
              {checks
                .filter(([, check]) => check.part === part)
                .map(([id, check]) => (
                  <Row key={id} id={id}>
                    <Cell>
                      <b>{check.title}</b>
                    </Cell>
                    <Cell label="What we check">{check.look}</Cell>
                    <Cell label="Checked by">
                      {check.automatic ? 'Automated check, before you submit' : 'A reviewer'}
                    </Cell>
                  </Row>
                ))}
            </DataTable>
          </Card>
        ))}
        <Reasons title="What we may ask you for" reasons={infoReasons} />
        <Reasons title="Reasons for a rejection" reasons={rejectionReasons} />
        <Card id="fee" title="Fees">
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
    <Card
      id="figures"
      title="How well we meet our deadlines"
      aside={<span className="small muted">The last 365 days, calculated when you open this page.</span>}
    >
      <Facts
        boxes
        className="pad key-facts"
        of={{
          Enabled: enabled,
          Median: days(medianBusinessDays),
          '95th percentile': days(p95BusinessDays),
          'More information needed': needingInfo === null ? 'None yet' : `${Math.round(needingInfo * 100)}%`,
          'Decided later than promised': promiseBreaches,
          'Decided later than 45 CFR 170.404 requires': ruleBreaches,
        }}
      />
    </Card>
  )
}

interface ReasonsProps {
  title: string
  reasons: Readonly<Record<string, { check: RegistrationCheckId; sentence: string; template: string }>>
}

function Reasons({ title, reasons }: ReasonsProps) {
  return (
    <Card title={title}>
      <DataTable label={title} heads={['Reason', 'Check', 'What you can change']}>
        {Object.entries(reasons).map(([code, { check, sentence, template }]) => (
          <Row key={code}>
            <Cell>
              {sentence}
              <span className="sub">
                <code>{code}</code>
              </span>
            </Cell>
            <Cell label="Check">{registrationChecks[check].title}</Cell>
            <Cell label="What you can change">{template}</Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
