import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { ScrollText } from 'lucide-react'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Field, Select } from '../../components/ui/field.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { getPractice } from '../practice.server.ts'
import { PracticeChooser } from '../practice-chooser.tsx'
import { readAuditQuery, toAccessFilter } from './audit-query.ts'

export const meta: MetaFunction = () => [{ title: 'Audit · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account, practice, practices } = await getPractice(args, ['admin'])
  const { practiceAudit } = args.context.services
  const query = readAuditQuery(args.request.url)
  const changesView = new URL(args.request.url).searchParams.get('view') === 'changes'
  const common = {
    account,
    practice: { slug: practice.slug, name: practice.name },
    practices,
    query,
  }
  if (changesView) {
    const changes = await practiceAudit.changes(practice.id, { before: query.before, limit: 100 }, actor)
    return { ...common, view: 'changes' as const, changes: changes.rows, access: [], next: changes.next }
  }
  const access = await practiceAudit.access(practice.id, toAccessFilter(query, 100), actor)
  return { ...common, view: 'access' as const, changes: [], access: access.rows, next: access.next }
})

export default function PracticeAudit() {
  const { account, practice, practices, query, view, changes, access, next } = useLoaderData<typeof loader>()
  const of = { practice: practice.slug }
  const { before: _, ...filters } = query
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader
        title="Audit"
        action={
          <a className="btn" href={`/practice/audit.csv?${new URLSearchParams({ ...of, ...filters })}`}>
            Download as CSV
          </a>
        }
      >
        {view === 'access'
          ? `Who asked for records of ${practice.name}, when, what for, and whether it was served.`
          : `What people and time changed about ${practice.name} in this portal.`}
      </PageHeader>
      <PracticeChooser practice={practice} practices={practices} />
      <nav className="row wraps" aria-label="Which record">
        <Link
          className="btn sm"
          aria-current={view === 'access' ? 'page' : undefined}
          to={`?${new URLSearchParams(of)}`}
        >
          Access to records
        </Link>
        <Link
          className="btn sm"
          aria-current={view === 'changes' ? 'page' : undefined}
          to={`?${new URLSearchParams({ ...of, view: 'changes' })}`}
        >
          Changes
        </Link>
      </nav>
      {view === 'access' && (
        <Form method="get" className="card pad stack" role="search" aria-label="Filters">
          <input type="hidden" name="practice" value={practice.slug} />
          <div className="grid g2">
            <Field name="from" label="From, yyyy-mm-dd" value={query.from ?? ''} />
            <Field name="to" label="To, yyyy-mm-dd" value={query.to ?? ''} />
            <Field name="patient" label="Patient id" value={query.patient ?? ''} mono />
            <Field name="type" label="Type of record" value={query.type ?? ''} />
            <Field name="action" label="Action" value={query.action ?? ''} />
            <Field name="who" label="Key, app or person, as in the list" value={query.who ?? ''} mono />
          </div>
          <Select
            name="outcome"
            label="Outcome"
            value={query.outcome ?? ''}
            options={[
              { value: '', label: 'Every outcome' },
              { value: 'served', label: 'Served' },
              { value: 'refused', label: 'Refused' },
              { value: 'failed', label: 'Failed' },
            ]}
          />
          <div>
            <Button type="submit">Filter</Button>
          </div>
        </Form>
      )}
      {access.length + changes.length === 0 ? (
        <EmptyState icon={ScrollText} title="Nothing here">
          {view === 'access' ? 'No access fits the filters.' : 'Nothing was changed yet.'}
        </EmptyState>
      ) : (
        <Card label="Record">
          {view === 'access' ? (
            <DataTable label="Access to records" heads={['When', 'Who', 'What', 'Patient', 'For', 'Outcome']}>
              {access.map((row, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of one correlation id are alike, and never move
                <Row key={`${row.correlationId} ${place}`}>
                  <Cell>
                    <Moment at={row.at} as="seconds" />
                  </Cell>
                  <Cell label="Who">
                    {row.who}
                    <span className="sub">
                      <code className="breaks">{row.principalId}</code>
                    </span>
                  </Cell>
                  <Cell label="What">
                    {row.action}
                    {row.resourceType && ` ${row.resourceType}`}
                    <span className="sub">{row.count.toLocaleString('en-US')} records</span>
                  </Cell>
                  <Cell label="Patient">{row.patientId ? <code>{row.patientId}</code> : 'None named'}</Cell>
                  <Cell label="For">{row.purpose.replaceAll('_', ' ')}</Cell>
                  <Cell label="Outcome">{row.outcome}</Cell>
                </Row>
              ))}
            </DataTable>
          ) : (
            <DataTable label="Changes" heads={['When', 'Who', 'What']}>
              {changes.map((row) => (
                <Row key={row.id}>
                  <Cell>
                    <Moment at={row.at} as="seconds" />
                  </Cell>
                  <Cell label="Who">{row.who}</Cell>
                  <Cell label="What">
                    <code className="breaks">{row.action}</code>
                  </Cell>
                </Row>
              ))}
            </DataTable>
          )}
          {next && (
            <footer className="pad">
              <Link
                to={`?${new URLSearchParams({ ...of, ...filters, ...(view === 'changes' ? { view } : {}), before: next })}`}
              >
                Older
              </Link>
            </footer>
          )}
        </Card>
      )}
    </ConsoleFrame>
  )
}
