import { Link, useLoaderData } from '@remix-run/react'
import { describeRefusal } from '../../../server/contract/keys/refusal-reasons.ts'
import { useDays } from '../../../server/contract/portal/access-use.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, Facts, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { recordDate } from '../../lib/dates.ts'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Use by a key or app · Sandpiper' }]
export const handle = { still: true }

export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { kind = '', subject = '' } = args.params
  const { use, days } = await args.context.services.accessUse.detail(
    { practiceId: practice.id, kind, id: subject },
    actor,
  )
  const refusals = Object.entries(use.figures.refusals)
    .map(([code, count]) => ({ code, count, reason: describeRefusal(code) }))
    .sort((a, b) => b.count - a.count)
  return { practice: { slug: practice.slug }, use, days, refusals }
})

const n = (count: number) => count.toLocaleString('en-US')
const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

export default function UseOf() {
  const { practice, use, days, refusals } = useLoaderData<typeof loader>()
  const { figures } = use
  return (
    <>
      <PageHeader title={`Use of ${use.name}`}>
        {use.label} of {use.organizationName}, in the last {useDays} days.{' '}
        <Link to={`${paths.practice}?${new URLSearchParams({ practice: practice.slug })}`}>
          All keys and apps
        </Link>
      </PageHeader>
      <div className="stack gap-5">
        <Card padded title="Figures">
          <Facts
            of={{
              Calls: n(figures.calls),
              Served: n(figures.served),
              Refused: n(use.refused),
              'Not found (404)': n(figures.notFound),
              'From a browser': n(figures.browserCalls),
              'Patients, busiest day': n(figures.patients),
              'Patients, busiest hour': n(figures.peakPatients),
              Exports: n(figures.exports),
              'Classes read': use.classes.join('; ') || 'None',
              'Last used': figures.lastAt ? <Moment at={figures.lastAt} /> : 'Never (all calls refused)',
            }}
          />
        </Card>
        {refusals.length > 0 && (
          <Card title="Refusals">
            <DataTable label="Refusals" heads={['Reason', 'Calls']}>
              {refusals.map(({ code, count, reason }) => (
                <Row key={code}>
                  <Cell>
                    <span className="label">{reason}</span>
                    <span className="sub">{code}</span>
                  </Cell>
                  <Cell label="Calls">{n(count)}</Cell>
                </Row>
              ))}
            </DataTable>
          </Card>
        )}
        {use.sources.length > 0 && (
          <Card title="Networks">
            <DataTable label="Networks" heads={['Network', 'Calls']}>
              {use.sources.map(({ network, calls }) => (
                <Row key={network}>
                  <Cell>
                    <code>{network}</code>
                  </Cell>
                  <Cell label="Calls">{n(calls)}</Cell>
                </Row>
              ))}
            </DataTable>
          </Card>
        )}
        <Card title="Days">
          <DataTable
            label="Days"
            heads={['Day (UTC)', 'Calls', 'Refused', 'Not found', 'Patients', 'Exports']}
          >
            {days.map(({ day, figures: dayFigures }) => (
              <Row key={day}>
                <Cell>{recordDate(day)}</Cell>
                <Cell label="Calls">{n(dayFigures.calls)}</Cell>
                <Cell label="Refused">{n(sum(dayFigures.refusals))}</Cell>
                <Cell label="Not found">{n(dayFigures.notFound)}</Cell>
                <Cell label="Patients">{n(dayFigures.patients)}</Cell>
                <Cell label="Exports">{n(dayFigures.exports)}</Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      </div>
    </>
  )
}
