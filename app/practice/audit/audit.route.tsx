import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { ScrollText } from 'lucide-react'
import { Card } from '../../components/ui/card.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { page } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { readAuditQuery, toAccessFilter } from '../../shared/practice/audit-query.ts'
import { AccessFilters, AccessTable, ChangesTable } from '../../shared/practice/audit-tables.tsx'
import { getPractice } from '../practice.server.ts'
import { PracticeChooser } from '../practice-chooser.tsx'

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
        <AccessFilters query={query}>
          <input type="hidden" name="practice" value={practice.slug} />
        </AccessFilters>
      )}
      {access.length + changes.length === 0 ? (
        <EmptyState icon={ScrollText} title="Nothing here">
          {view === 'access' ? 'No access fits the filters.' : 'Nothing was changed yet.'}
        </EmptyState>
      ) : (
        <Card label="Record">
          {view === 'access' ? <AccessTable rows={access} /> : <ChangesTable rows={changes} />}
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
