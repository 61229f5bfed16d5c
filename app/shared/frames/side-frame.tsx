import { Link, NavLink, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { Mark } from '../../components/ui/brand.tsx'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import { type LucideIcon, Menu } from '../../components/ui/icons.ts'
import { Tabs } from '../../components/ui/page-parts.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Main } from './main.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export interface NavItem {
  to: string
  icon: LucideIcon
  label: string
  end?: boolean
  /** Entries that wait for the reader. */
  count?: number | undefined
  /** Other paths of the entry, with everything below them. */
  within?: readonly string[]
  /** The entry's pages. They are tabs above each of these pages. */
  tabs?: readonly Pick<NavItem, 'to' | 'label' | 'end' | 'within'>[]
}

interface SideFrameProps {
  account: { name: string; email: string }
  realm: Realm
  /** Names the navigation. */
  label: string
  items: readonly NavItem[]
  /** Links at the foot of the sidebar. */
  help: ReactNode
  /** The breadcrumb in the top bar: the owner of the pages, and the page. */
  crumb: ReactNode
  search: ReactNode
  /** Reduces the sidebar to icons, for pages that need the width. */
  rail?: boolean
  children: ReactNode
}

/** Sidebar and top bar for people who are signed in. On narrow screens, a menu replaces the sidebar. */
export function SideFrame(props: SideFrameProps) {
  const { account, realm, label, items, help, crumb, search, rail = false, children } = props
  return (
    <div className={rail ? 'shell rail' : 'shell'}>
      <aside className="side" aria-label="Sidebar">
        <Link className="brand" to="/" aria-label="Sandpiper home">
          <Mark />
          Sandpiper
        </Link>
        <nav className="nav" aria-label={label}>
          <NavLinks items={items} titled={rail} />
        </nav>
        <nav className="nav foot" aria-label="Help">
          {help}
        </nav>
      </aside>
      <div>
        <header className="topbar">
          <div className="grow row flex-nowrap">
            <Link className="brand narrow-only" to="/" aria-label="Sandpiper home">
              <Mark />
            </Link>
            <div className="crumb">{crumb}</div>
          </div>
          {search}
          <ThemeSwitch />
          <AccountMenu account={account} realm={realm} />
          <DropMenu
            label="Menu"
            summaryClass="btn plain icon"
            summary={<Menu className="i" />}
            className="narrow-only"
          >
            <nav className="nav" aria-label="Menu">
              <NavLinks items={items} />
              <hr />
              {help}
            </nav>
          </DropMenu>
        </header>
        <Main>
          <PageTabs items={items} />
          {children}
        </Main>
      </div>
    </div>
  )
}

/** The length of the entry's longest path that equals the page's or is above it; 0 if none is. */
export function covered(
  pathname: string,
  { to, end, within = [] }: Pick<NavItem, 'to' | 'end' | 'within'>,
): number {
  const matches = [to, ...within].filter(
    (path) => pathname === path || (!(end && path === to) && pathname.startsWith(`${path}/`)),
  )
  return Math.max(0, ...matches.map(({ length }) => length))
}

/** The tabs of the entry that the page belongs to. */
function PageTabs({ items }: { items: readonly NavItem[] }) {
  const { pathname } = useLocation()
  const section = items.find(({ tabs }) => tabs?.some((tab) => covered(pathname, tab) > 0))
  if (!section?.tabs) return null
  const lengths = section.tabs.map((tab) => covered(pathname, tab))
  const here = lengths.indexOf(Math.max(...lengths))
  return (
    <div className="page section-tabs">
      <Tabs
        label={section.label}
        tabs={section.tabs.map(({ to, label }, index) => ({ to, label, current: index === here }))}
      />
    </div>
  )
}

function NavLinks({ items, titled = false }: { items: readonly NavItem[]; titled?: boolean }) {
  const { pathname } = useLocation()
  return items.map(({ to, icon: Icon, label, end, count, within = [], tabs = [] }) => {
    const linkProps = { to, prefetch: 'intent', title: titled ? label : undefined } as const
    const content = (
      <>
        <Icon className="i" />
        {label}
        {count ? (
          <span className="count">
            {count}
            <span className="sr"> to-dos</span>
          </span>
        ) : null}
      </>
    )
    const others = [...within, ...tabs.flatMap((tab) => [tab.to, ...(tab.within ?? [])])]
    const isBelow = others.some((path) => path !== to && covered(pathname, { to: path }) > 0)
    return isBelow ? (
      <Link key={to} {...linkProps} aria-current="true">
        {content}
      </Link>
    ) : (
      <NavLink key={to} {...linkProps} end={end}>
        {content}
      </NavLink>
    )
  })
}
