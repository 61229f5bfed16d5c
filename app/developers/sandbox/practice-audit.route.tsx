import { Link, useLoaderData } from '@remix-run/react'
import { ScrollText } from '../../components/ui/icons.ts'
import { Card, EmptyState } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { readRecord } from '../../shared/practice/audit-query.ts'
import { AccessFilters, AccessTable, ChangesTable } from '../../shared/practice/audit-tables.tsx'
import { OwnPracticeHeader } from './own-practice-header.tsx'
import { getOwnPractice } from './sandbox.server.ts'

export const meta = () => [{ title: 'Sandbox access record · Sandpiper' }]
export const handle = { here: 'Test / Practice / Access record' }

export const loader = page(async (args) => {
  const { actor, practice, to } = await getOwnPractice(args)
  const { practiceAudit } = args.context.services
  return { practice, to, ...(await readRecord(practiceAudit, practice.id, args.request.url, actor)) }
})

export default function OwnPracticeAudit() {
  const { practice, to, query, view, changes, access, next } = useLoaderData<typeof loader>()
  const { before: _, ...filters } = query
  const older = { ...filters, ...(view === 'changes' ? { view } : {}), before: next ?? '' }
  return (
    <div className="page">
      <OwnPracticeHeader title="Access record" practice={practice} to={to} here="audit" />
      <nav className="row wraps" aria-label="Record type">
        <Link className="btn sm" aria-current={view === 'access' ? 'page' : undefined} to={to.audit}>
          Access to records
        </Link>
        <Link
          className="btn sm"
          aria-current={view === 'changes' ? 'page' : undefined}
          to={`${to.audit}?view=changes`}
        >
          Changes
        </Link>
      </nav>
      {view === 'access' && <AccessFilters query={query} clear={to.audit} />}
      {access.length + changes.length === 0 ? (
        <EmptyState icon={ScrollText} title={view === 'access' ? 'No access found' : 'No changes yet'}>
          {view === 'access'
            ? 'Every read of a record in your sandbox is listed here. Change the filters, or read a record first.'
            : 'Changes to apps, FHIR access and people of the practice are listed here.'}
        </EmptyState>
      ) : (
        <Card label="Record">
          {view === 'access' ? <AccessTable rows={access} /> : <ChangesTable rows={changes} />}
          {next && (
            <footer className="pad">
              <Link to={`?${new URLSearchParams(older)}`}>Older</Link>
            </footer>
          )}
        </Card>
      )}
    </div>
  )
}
