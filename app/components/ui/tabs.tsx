import { Link, useLocation } from '@remix-run/react'

interface Tab {
  to: string
  label: string
  count?: number
  /** By default the tab whose path is the page's own. */
  current?: boolean
}

/** Views of one list, or pages of one subject. They are links, so each has an address and works without a script. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { pathname } = useLocation()
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, label, count, current = to === pathname }) => (
        <Link key={to} to={to} aria-current={current ? 'page' : undefined} preventScrollReset>
          {label} {count !== undefined && <span className="n">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
