import { Link, NavLink, useLocation } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { useRoot } from '../lib/root-data.ts'

/** The explorer's own pages, on each of them. */
export function ExplorerNav() {
  const { account } = useRoot()
  const { pathname } = useLocation()
  const onReference = pathname === paths.explorerReference
  const pages = [
    { to: paths.explorer, label: 'REST' },
    { to: paths.explorerFhir, label: 'FHIR' },
    { to: paths.explorerMcp, label: 'MCP' },
    { to: paths.explorerReference, label: 'Reference' },
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
          // The reference has a policy of its own, which comes with its document.
          <NavLink key={to} to={to} end reloadDocument={to === paths.explorerReference || onReference}>
            {label}
          </NavLink>
        ),
      )}
    </nav>
  )
}
