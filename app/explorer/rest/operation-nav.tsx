import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { OperationSummary } from '../../shared/operations/operation.ts'

interface OperationNavProps {
  operations: readonly OperationSummary[]
  current: string
  /** Query string that keeps the chosen practice and level on the next page. */
  search: string
}

/** Lists every operation by its tag. On narrow screens the list is folded. */
export function OperationNav(props: OperationNavProps) {
  return (
    <>
      <nav className="ex-ops wide-only" aria-label="REST operations">
        <Operations {...props} />
      </nav>
      <details className="ex-fold narrow-only">
        <summary>All operations</summary>
        <nav className="ex-ops" aria-label="REST operations">
          <Operations {...props} />
        </nav>
      </details>
    </>
  )
}

function Operations({ operations, current, search }: OperationNavProps) {
  return byTag(operations).map(([tag, rows]) => (
    <section key={tag}>
      <p className="small muted">{tag}</p>
      {rows.map(({ operationId, method, path }) => (
        <Link
          key={operationId}
          to={paths.explorerOperation(operationId) + search}
          prefetch="intent"
          aria-current={operationId === current ? 'page' : undefined}
        >
          <i>{method}</i>
          <span>{path}</span>
        </Link>
      ))}
    </section>
  ))
}

export function byTag(operations: readonly OperationSummary[]): [tag: string, rows: OperationSummary[]][] {
  const tags = new Map<string, OperationSummary[]>()
  for (const operation of operations) tags.set(operation.tag, [...(tags.get(operation.tag) ?? []), operation])
  return [...tags]
}
