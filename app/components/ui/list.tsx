// biome-ignore-all lint/a11y/noRedundantRoles: a browser drops a table's own roles on narrow screens, see DataTable
/** A list as a table, its search and its pages. */
import { Form, Link, useLocation, useSubmit } from '@remix-run/react'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { pageRows, searchCharactersMax } from '../../../server/contract/portal/paging.ts'
import type { LucideIcon } from './icons.ts'
import { Button, EmptyState, LinkButton } from './page-parts.tsx'

interface TableProps {
  label: string
  heads: readonly ReactNode[]
  /** The heading of a last column of buttons, for screen readers. */
  act?: string
  children: ReactNode
  middle?: boolean
  /** Shows two cells a line and no heads on narrow screens, for values that need no heads. */
  dense?: boolean
}

/**
 * Rows on wide screens, cards with labels on narrow ones. The roles are written out because a
 * browser drops a table's own when its parts are no longer displayed as one.
 */
export function DataTable({ label, heads, act, children, middle, dense }: TableProps) {
  return (
    <table role="table" aria-label={label} className={`table${middle ? ' mid' : ''}${dense ? ' dense' : ''}`}>
      <thead role="rowgroup">
        <tr role="row">
          {heads.map((head, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: heads never change their order
            <th role="columnheader" scope="col" key={place}>
              {head}
            </th>
          ))}
          {act && (
            <th role="columnheader" scope="col">
              <span className="sr">{act}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
}

export function Row(props: ComponentProps<'tr'>) {
  return <tr role="row" {...props} />
}

interface CellProps extends ComponentProps<'td'> {
  /** The column's head, shown beside the value where the row is a card. */
  label?: string
}

export function Cell({ label, children, ...rest }: CellProps) {
  return (
    <td role="cell" data-l={label} {...rest}>
      {label === undefined || children == null ? children : <span>{children}</span>}
    </td>
  )
}

interface SearchProps {
  label: string
  q: string
  /** The field's name. On a page with several lists, each needs its own. */
  name?: string
  /** Searches as a person types. */
  live?: boolean
}

const searchAfterMs = 300

/** Searches a list. Keeps the URL's other parameters, except page numbers. Works without a script. */
export function ListSearch({ label, q, name = 'q', live = false }: SearchProps) {
  const { search, pathname } = useLocation()
  const submit = useSubmit()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // A search that starts after a click on a link or another form would cancel that navigation.
    const stop = () => clearTimeout(timer.current)
    document.addEventListener('click', stop, true)
    document.addEventListener('submit', stop, true)
    return () => {
      stop()
      document.removeEventListener('click', stop, true)
      document.removeEventListener('submit', stop, true)
    }
  }, [])
  const searchLater = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => submit(currentTarget, { replace: true, preventScrollReset: true }),
      searchAfterMs,
    )
  }
  const others = [...new URLSearchParams(search)].filter(([key]) => key !== name && !key.endsWith('page'))
  return (
    <Form
      method="get"
      action={pathname}
      className="card pad filter one"
      role="search"
      aria-label={label}
      {...(live && { onInput: searchLater })}
    >
      {others.map(([key, value]) => (
        <input type="hidden" key={`${key} ${value}`} name={key} value={value} />
      ))}
      <label className="field">
        <span className="label">{label}</span>
        <input
          // Without a key, the field keeps the caret while a search is loading.
          {...(!live && { key: q })}
          className="input"
          type="search"
          name={name}
          defaultValue={q}
          maxLength={searchCharactersMax}
        />
      </label>
      <div className="row">
        <Button type="submit">Search</Button>
        {q !== '' && (
          <LinkButton look="plain" to={`?${new URLSearchParams(others)}`}>
            Clear
          </LinkButton>
        )}
      </div>
    </Form>
  )
}

interface PagerProps {
  /** The list's name, for screen readers. */
  label: string
  listed: { page: number; pages: number; total: number }
  /** The query parameter. On a page with several lists, each needs its own. */
  name?: string
}

/** The range of rows, with links to the other pages; nothing if all rows fit on one page. */
export function Pager({ label, listed: { page, pages, total }, name = 'page' }: PagerProps) {
  const { search } = useLocation()
  if (pages === 1) return null
  const to = (number: number) => {
    const query = new URLSearchParams(search)
    query.set(name, String(number))
    return `?${query}`
  }
  const first = (page - 1) * pageRows + 1
  return (
    <nav className="pager row between pad" aria-label={`Pages of ${label}`}>
      <span className="small muted">
        {first.toLocaleString('en-US')}–{Math.min(page * pageRows, total).toLocaleString('en-US')} of{' '}
        {total.toLocaleString('en-US')}
      </span>
      <span className="row">
        {page > 1 && (
          <Link className="btn sm" rel="prev" to={to(page - 1)}>
            Previous
          </Link>
        )}
        <span className="small muted" aria-current="page">
          Page {page} of {pages}
        </span>
        {page < pages && (
          <Link className="btn sm" rel="next" to={to(page + 1)}>
            Next
          </Link>
        )}
      </span>
    </nav>
  )
}

interface SearchedListProps {
  listed: PagerProps['listed'] & { q: string }
  /** The label of the search field. */
  search: string
  /** The noun for a row, as in “No key matches …”. */
  one: string
  /** The icon, title and text that say, while there are no rows, what is listed and why it is empty. */
  icon: LucideIcon
  title: string
  empty: ReactNode
  children: ReactNode
}

/** A list with its search, or a note that nothing matches or that there is nothing yet. */
export function SearchedList({ listed, search, one, icon, title, empty, children }: SearchedListProps) {
  const { q, pages, total } = listed
  const nothing =
    q === '' ? (
      <EmptyState icon={icon} title={title}>
        {empty}
      </EmptyState>
    ) : (
      <p className="muted">
        No {one} matches “{q}”.
      </p>
    )
  return (
    <>
      {(q !== '' || pages > 1) && <ListSearch label={search} q={q} />}
      {total > 0 ? children : nothing}
    </>
  )
}
