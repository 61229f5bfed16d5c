import { Link, useLoaderData } from '@remix-run/react'
import { ScrollText } from '../../components/ui/icons.ts'
import { EmptyState } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { readRecord } from '../../shared/practice/audit-query.ts'
import { AccessFilters, RecordCard } from '../../shared/practice/audit-tables.tsx'
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
  const { practice, to, ...record } = useLoaderData<typeof loader>()
  const { query, view, changes, access } = record
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
        <RecordCard record={record} />
      )}
    </div>
  )
}
