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
  /** Heads a last column of buttons, for screen readers alone. */
  act?: string
  children: ReactNode
  middle?: boolean
  /** On narrow screens two cells a line, without their heads: for values that say what they are. */
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
  /** The head, said again beside the value when the row is a card. */
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
  /** Names the field: what is searched. */
  label: string
  q: string
  /** Of the field; another than `q` where a page has several lists. */
  name?: string
  /** Searches as a person types. */
  live?: boolean
}

const searchAfterMs = 300

/** Searches a list; everything else the address says stays, but for the page. Works without a script. */
export function ListSearch({ label, q, name = 'q', live = false }: SearchProps) {
  const { search, pathname } = useLocation()
  const submit = useSubmit()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // A press on a link or another form leads elsewhere: the search that waits would call it off.
    const stop = () => clearTimeout(timer.current)
    document.addEventListener('click', stop, true)
    document.addEventListener('submit', stop, true)
    return () => {
      stop()
      document.removeEventListener('click', stop, true)
      document.removeEventListener('submit', stop, true)
    }
  }, [])
  const later = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
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
      {...(live && { onInput: later })}
    >
      {others.map(([key, value]) => (
        <input type="hidden" key={`${key} ${value}`} name={key} value={value} />
      ))}
      <label className="field">
        <span className="label">{label}</span>
        <input
          // Typed on while a search is on its way, it keeps the caret.
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
  /** Of the list, for people who cannot see where it stands. */
  label: string
  listed: { page: number; pages: number; total: number }
  /** Of the page in the address; another than `page` where a page has several lists. */
  name?: string
}

/** Which rows these are, and the ways to the others; nothing where all fit on one page. */
export function Pager({ label, listed: { page, pages, total }, name = 'page' }: PagerProps) {
  const { search } = useLocation()
  if (pages === 1) return null
  const to = (wanted: number) => {
    const query = new URLSearchParams(search)
    query.set(name, String(wanted))
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
  /** Names the search field: what is searched. */
  search: string
  /** A row, as in “No key matches …”. */
  one: string
  /** Of the list while it has no rows: what it is, and why it is empty. */
  icon: LucideIcon
  title: string
  empty: ReactNode
  children: ReactNode
}

/** A list with its search, or what to say in its place: that nothing matches, or that there is nothing yet. */
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
