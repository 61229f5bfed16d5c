import { Link, NavLink } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import {
  Activity,
  AppWindow,
  BookOpen,
  Building2,
  ChevronRight,
  ChevronsUpDown,
  FileText,
  FlaskConical,
  HeartPulse,
  House,
  Inbox,
  KeyRound,
  Plus,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Users,
} from '../../components/ui/icons.ts'
import { docsHome } from '../guides/guide-path.ts'
import { PaletteButton } from './palette-button.tsx'
import type { ShellOrganization } from './shell-organization.ts'
import { type NavItem, SideFrame } from './side-frame.tsx'

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
    { to: paths.organizationActivity(organization.slug), icon: Activity, label: 'Activity' },
    { to: `${base}/members`, icon: Users, label: 'Members' },
    { to: `${base}/settings`, icon: Settings, label: 'Settings' },
  ]
}

/** Frame of every page of a signed-in developer. */
export function Shell(props: ShellProps) {
  const items = navItems(props)
  const { organization, organizations, here, account, rail = false } = props
  return (
    <SideFrame
      account={account}
      realm="developer"
      label="Developer"
      items={items}
      help={<HelpLinks />}
      crumb={
        <>
          <OrganizationMenu organization={organization} organizations={organizations} />
          <ChevronRight className="i" />
          <b className="here">{here}</b>
        </>
      }
      search={<PaletteButton items={items} organizations={organizations} />}
      rail={rail}
    >
      {props.children}
    </SideFrame>
  )
}

function HelpLinks() {
  return (
    <>
      <NavLink to={docsHome} prefetch="intent">
        <BookOpen className="i" />
        Documentation
      </NavLink>
      <a href={paths.status}>
        <HeartPulse className="i" />
        Status
      </a>
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
