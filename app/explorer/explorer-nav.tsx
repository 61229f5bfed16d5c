import { Link, NavLink, useLocation } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { useRoot } from '../lib/root-data.ts'

/** The explorer's own pages, on each of them. */
export function ExplorerNav() {
  const { account } = useRoot()
  const { pathname } = useLocation()
  const pages = [
    { to: paths.explorer, label: 'REST' },
    { to: paths.explorerFhir, label: 'FHIR' },
    { to: paths.explorerMcp, label: 'MCP' },
    { to: paths.reference, label: 'Reference' },
    ...(account ? [{ to: paths.explorerHistory, label: 'History' }] : []),
  ]
  return (
    <nav className="ex-tabs" aria-label="Explorer">
      {pages.map(({ to, label }) =>
        to === paths.explorer && pathname.startsWith(paths.explorerOperation('')) ? (
          <Link key={to} to={to} aria-current="true">
            {label}
          </Link>
        ) : (
          <NavLink key={to} to={to} end>
            {label}
          </NavLink>
        ),
      )}
    </nav>
  )
}
