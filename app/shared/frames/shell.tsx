import { Link, NavLink } from '@remix-run/react'
import {
  AppWindow,
  Building2,
  ChevronRight,
  ChevronsUpDown,
  FileText,
  FlaskConical,
  House,
  Inbox,
  KeyRound,
  type LucideIcon,
  Menu,
  Plus,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Stethoscope,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Mark } from '../../components/ui/brand.tsx'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import { AccountMenu } from './account-menu.tsx'
import { PaletteButton } from './palette-button.tsx'
import type { ShellOrganization } from './shell-organization.ts'
import { ThemeSwitch } from './theme-switch.tsx'

interface ShellProps {
  account: { name: string; email: string }
  organizations: readonly ShellOrganization[]
  organization: ShellOrganization | null
  /** Keys that wait for the reader. */
  waiting?: number
  /** Entries of the reader's inbox. */
  inbox: number
  /** Where in the portal this is, after the organization. */
  here: string
  /** The page wants the whole width: the sidebar is a rail of icons. */
  rail?: boolean
  children: ReactNode
}

interface NavItem {
  to: string
  icon: LucideIcon
  label: string
  end?: boolean
  count?: number
}

function navItems({
  organization,
  waiting,
  inbox,
}: Pick<ShellProps, 'organization' | 'waiting' | 'inbox'>): NavItem[] {
  if (!organization) return []
  const base = paths.organization(organization.slug)
  return [
    { to: base, icon: House, label: 'Dashboard', end: true },
    { to: paths.inbox, icon: Inbox, label: 'Inbox', count: inbox },
    { to: `${base}/keys`, icon: KeyRound, label: 'Keys', count: waiting },
    { to: `${base}/production-keys`, icon: ShieldCheck, label: 'Production keys' },
    { to: `${base}/apps`, icon: AppWindow, label: 'Apps' },
    { to: paths.explorer, icon: SquareTerminal, label: 'Explorer' },
    { to: paths.sandbox(organization.slug), icon: FlaskConical, label: 'Sandbox' },
    { to: `${base}/members`, icon: Users, label: 'Members' },
    { to: `${base}/settings`, icon: Settings, label: 'Settings' },
  ]
}

/** Frame of every page of a signed-in developer. */
export function Shell(props: ShellProps) {
  const items = navItems(props)
  const { organization, organizations, here, account, rail = false } = props
  return (
    <div className={rail ? 'shell rail' : 'shell'}>
      <aside className="side" aria-label="Sidebar">
        <Link className="brand" to="/" aria-label="Sandpiper home">
          <Mark />
          Sandpiper
        </Link>
        <nav className="nav" aria-label="Developer">
          <NavLinks items={items} titled={rail} />
        </nav>
        <nav className="nav foot" aria-label="Help">
          <HelpLinks />
        </nav>
      </aside>
      <div>
        <header className="topbar">
          <div className="grow row flex-nowrap">
            <Link className="brand narrow-only" to="/" aria-label="Sandpiper home">
              <Mark />
            </Link>
            <div className="crumb">
              <OrganizationMenu organization={organization} organizations={organizations} />
              <ChevronRight className="i" />
              <b className="here">{here}</b>
            </div>
          </div>
          <PaletteButton items={items} organizations={organizations} />
          <ThemeSwitch />
          <AccountMenu account={account} realm="developer" />
          <DropMenu
            label="Menu"
            summaryClass="btn plain icon"
            summary={<Menu className="i" />}
            className="narrow-only"
          >
            <nav className="nav" aria-label="Menu">
              <NavLinks items={items} />
              <hr />
              <HelpLinks />
            </nav>
          </DropMenu>
        </header>
        <main id="main" tabIndex={-1}>
          {props.children}
        </main>
      </div>
    </div>
  )
}

function NavLinks({ items, titled = false }: { items: readonly NavItem[]; titled?: boolean }) {
  return items.map(({ to, icon: Icon, label, end, count }) => (
    <NavLink key={to} to={to} end={end} prefetch="intent" title={titled ? label : undefined}>
      <Icon className="i" />
      {label}
      {count ? (
        <span className="count">
          {count}
          <span className="sr"> waiting for you</span>
        </span>
      ) : null}
    </NavLink>
  ))
}

function HelpLinks() {
  return (
    <>
      <NavLink to={paths.keyDoctor} prefetch="intent">
        <Stethoscope className="i" />
        Key Doctor
      </NavLink>
      <a href="/sandbox/api/v1/openapi.json">
        <FileText className="i" />
        OpenAPI
      </a>
    </>
  )
}

function OrganizationMenu({
  organization,
  organizations,
}: Pick<ShellProps, 'organization' | 'organizations'>) {
  const name = organization?.name ?? 'No organization'
  return (
    <DropMenu
      left
      label={`Organization: ${name}. Switch`}
      summary={
        <>
          <span className="org-name">{name}</span>
          <ChevronsUpDown className="i" />
        </>
      }
    >
      <nav aria-label="Organizations">
        {organizations.map((each) => (
          <Link
            key={each.slug}
            className="item"
            to={paths.organization(each.slug)}
            aria-current={each.slug === organization?.slug || undefined}
          >
            <Building2 className="i" />
            {each.name}
          </Link>
        ))}
        <hr />
        <Link className="item" to={paths.newOrganization}>
          <Plus className="i" />
          Create an organization
        </Link>
      </nav>
    </DropMenu>
  )
}
