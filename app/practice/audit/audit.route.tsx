import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Download, ScrollText } from '../../components/ui/icons.ts'
import { EmptyState, PageHeader, Tabs } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'
import { readRecord } from './audit-query.ts'
import { AccessFilters, RecordCard } from './audit-tables.tsx'

export const meta = () => [{ title: 'Access record · Sandpiper' }]

export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { practiceAudit } = args.context.services
  const record = await readRecord(practiceAudit, practice.id, args.request.url, actor)
  return { practice: { slug: practice.slug, name: practice.name }, ...record }
})

export default function PracticeAudit() {
  const { practice, ...record } = useLoaderData<typeof loader>()
  const { query, view, changes, access } = record
  const base = { practice: practice.slug }
  const { before: _, ...filters } = query
  const accessQuery = `?${new URLSearchParams(base)}`
  const changesQuery = `?${new URLSearchParams({ ...base, view: 'changes' })}`
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Access record"
        action={
          view === 'access' && (
            <a className="btn" href={`/practice/audit.csv?${new URLSearchParams({ ...base, ...filters })}`}>
              <Download className="i" />
              {isFiltered ? 'Download these rows' : 'Download the record'}
            </a>
          )
        }
      >
        {view === 'access'
          ? `Every access to records of ${practice.name}: who, when, why, and the outcome.`
          : `Changes that people and deadlines made for ${practice.name} in this portal.`}{' '}
        <Link to={`${paths.practiceDisclosures}${accessQuery}`}>Make an accounting of disclosures</Link>
      </PageHeader>
      <Tabs
        label="Record type"
        tabs={[
          { to: accessQuery, label: 'Access to records', current: view === 'access' },
          { to: changesQuery, label: 'Changes', current: view === 'changes' },
        ]}
      />
      {view === 'access' && <AccessFilters query={query} practice={practice.slug} />}
      {access.length + changes.length === 0 ? (
        <Nothing view={view} isFiltered={isFiltered} />
      ) : (
        <RecordCard record={record} base={base} />
      )}
    </>
  )
}

function Nothing({ view, isFiltered }: { view: 'access' | 'changes'; isFiltered: boolean }) {
  if (view === 'changes')
    return (
      <EmptyState icon={ScrollText} title="No changes yet">
        Decisions about keys, systems, agreements and staff are listed here.
      </EmptyState>
    )
  return (
    <EmptyState icon={ScrollText} title={isFiltered ? 'No access matches the filters' : 'No access yet'}>
      Each time a key, app or system requests a record, the access is listed here and kept for six years.
    </EmptyState>
  )
}
