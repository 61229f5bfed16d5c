import { Form, useLocation } from '@remix-run/react'
import { dueFilters } from '../../../server/contract/portal/inbox-filter.ts'
import { inboxKindNames } from '../../../server/contract/workflows/inbox.ts'
import { Field, Select } from '../../components/ui/form.tsx'
import { Button, LinkButton } from '../../components/ui/page-parts.tsx'
import type { InboxData } from './inbox.server.ts'

export const isFiltered = ({ q, kind, due, from }: InboxData['ask']) =>
  q !== '' || kind !== null || due !== null || from !== null

const all = { value: '', label: 'All' }

/** Filters that are part of the address, so that a list can be kept as a bookmark; sent without a script. */
export function InboxFilters({ ask, summary }: Pick<InboxData, 'ask' | 'summary'>) {
  const { pathname } = useLocation()
  const { view, q, kind, due, from } = ask
  const isSet = isFiltered(ask)
  const isLong = view === 'done' || summary.open + summary.snoozed > 5
  if (!isSet && !isLong) return null
  return (
    <details open={isSet}>
      <summary>Filter</summary>
      <Form method="get" action={pathname} className="card pad stack mt-3" role="search" aria-label="Filters">
        {view !== 'open' && <input type="hidden" name="show" value={view} />}
        <div className="grid g2">
          {view !== 'done' && (
            <>
              <Select
                key={`kind ${kind}`}
                name="kind"
                label="Subject"
                value={kind ?? ''}
                options={[
                  all,
                  ...summary.kinds.map((each) => ({ value: each, label: inboxKindNames[each] })),
                ]}
              />
              <Select
                key={`due ${due}`}
                name="due"
                label="Due"
                value={due ?? ''}
                options={[all, ...Object.entries(dueFilters).map(([value, label]) => ({ value, label }))]}
              />
              <Select
                key={`from ${from}`}
                name="from"
                label="Requested by"
                value={from ?? ''}
                options={[all, ...summary.askers.map((name) => ({ value: name, label: name }))]}
              />
            </>
          )}
          <Field key={`q ${q}`} name="q" type="search" label="Name, organization or practice" value={q} />
        </div>
        <div className="row">
          <Button type="submit">Apply filters</Button>
          {isSet && (
            <LinkButton look="plain" to={view === 'open' ? pathname : `${pathname}?show=${view}`}>
              Clear filters
            </LinkButton>
          )}
        </div>
      </Form>
    </details>
  )
}
