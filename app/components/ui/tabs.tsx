import { Link } from '@remix-run/react'

interface Tab {
  to: string
  label: string
  count?: number
  current: boolean
}

/** Views of one list. They are links, so each has an address and works without a script. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab.current ? 'page' : undefined} preventScrollReset>
          {tab.label} {tab.count !== undefined && <span className="n">{tab.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
