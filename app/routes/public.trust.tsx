import type { MetaFunction } from '@remix-run/react'
import { CircleDashed, Hourglass } from 'lucide-react'
import { windowTable } from '../../server/contract/limits.ts'
import { dataHandling, feeStatement, trustStatements } from '../../server/contract/trust.ts'
import { PublicFrame } from '../components/frames/public-frame.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { Tag } from '../components/ui/tag.tsx'

export const meta: MetaFunction = () => [{ title: 'Trust · Sandpiper' }]

const tags = {
  under_way: ['Under way', Hourglass],
  remediation: ['Remediation ongoing', Hourglass],
  not_done: ['Not complete', CircleDashed],
} as const

export default function Trust() {
  return (
    <PublicFrame>
      <div className="wrap sec stack gap-6">
        <PageHead title="Trust">What is so today, and what is not. Nothing on this page is a plan.</PageHead>
        <section className="card" aria-labelledby="state">
          <div className="head">
            <h2 id="state">Certification and reviews</h2>
          </div>
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
        </section>
        <section className="card" aria-labelledby="data">
          <div className="head">
            <h2 id="data">How data is handled</h2>
          </div>
          <ul className="list pad">
            {dataHandling.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>
        <section className="card" aria-labelledby="limits">
          <div className="head">
            <h2 id="limits">Limits</h2>
          </div>
          <Table label="Limits" heads={['Limit', 'A second', 'A minute']}>
            {Object.entries(windowTable).map(([name, { title, windows }]) => (
              <Row key={name}>
                <Cell>{title}</Cell>
                <Cell label="A second">{windows[0].requests.toLocaleString('en-US')}</Cell>
                <Cell label="A minute">{windows[1].requests.toLocaleString('en-US')}</Cell>
              </Row>
            ))}
          </Table>
          <footer>Higher limits are available free on request.</footer>
        </section>
        <section className="card" aria-labelledby="fees">
          <div className="head">
            <h2 id="fees">Fees of the FHIR API and Bulk Data</h2>
          </div>
          <div className="pad stack">
            <p>{feeStatement.none}</p>
            <p>{feeStatement.apart}</p>
          </div>
        </section>
      </div>
    </PublicFrame>
  )
}
