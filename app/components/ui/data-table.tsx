// biome-ignore-all lint/a11y/noRedundantRoles: a browser drops a table's own roles on narrow screens, see DataTable
import type { ComponentProps, ReactNode } from 'react'

interface TableProps {
  label: string
  heads: readonly ReactNode[]
  /** Heads a last column of buttons, for screen readers alone. */
  act?: string
  children: ReactNode
  middle?: boolean
}

/**
 * Rows on wide screens, cards with labels on narrow ones. The roles are written out because a
 * browser drops a table's own when its parts are no longer displayed as one.
 */
export function DataTable({ label, heads, act, children, middle }: TableProps) {
  return (
    <table role="table" aria-label={label} className={middle ? 'table mid' : 'table'}>
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
      {label === undefined ? children : <span>{children}</span>}
    </td>
  )
}
