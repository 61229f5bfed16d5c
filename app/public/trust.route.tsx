import { windowTable } from '../../server/contract/http/limits.ts'
import { dataHandling, feeStatement, trustStatements } from '../../server/contract/portal/trust.ts'
import { CircleDashed, Hourglass } from '../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Card, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta = () => [{ title: 'Trust · Sandpiper' }]

const tags = {
  under_way: ['In progress', Hourglass],
  remediation: ['Remediation ongoing', Hourglass],
  not_done: ['Not complete', CircleDashed],
} as const

export default function Trust() {
  return (
    <PublicFrame>
      <div className="wrap sec stack gap-5">
        <PageHeader title="Trust">
          The current state of certification, security and data handling. This page contains no plans.
        </PageHeader>
        <Card id="state" title="Certification and reviews">
          <ul className="list pad">
            {trustStatements.map(({ title, state, text }) => (
              <li key={title}>
                <div className="row between">
                  <h3>{title}</h3>
                  <Tag icon={tags[state][1]}>{tags[state][0]}</Tag>
                </div>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </Card>
        <Card id="data" title="How data is handled">
          <ul className="list pad">
            {dataHandling.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </Card>
        <Card id="limits" title="Limits">
          <DataTable label="Limits" heads={['Limit', 'Per second', 'Per minute']}>
            {Object.entries(windowTable).map(([name, { title, windows }]) => (
              <Row key={name}>
                <Cell>{title}</Cell>
                <Cell label="Per second">{windows[0].requests.toLocaleString('en-US')}</Cell>
                <Cell label="Per minute">{windows[1].requests.toLocaleString('en-US')}</Cell>
              </Row>
            ))}
          </DataTable>
          <footer>Higher limits are free on request.</footer>
        </Card>
        <Card id="fees" title="Fees for the FHIR API and Bulk Data">
          <div className="pad stack">
            <p>{feeStatement.none}</p>
            <p>{feeStatement.apart}</p>
          </div>
        </Card>
      </div>
    </PublicFrame>
  )
}
