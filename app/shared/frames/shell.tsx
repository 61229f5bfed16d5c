import { Link, useMatches } from '@remix-run/react'
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
  FlaskConical,
  HeartPulse,
  House,
  KeyRound,
  Plus,
  SquareTerminal,
} from '../../components/ui/icons.ts'
import { docsHome } from '../guides/guide-path.ts'
import { PaletteButton } from './palette-button.tsx'
import type { ShellOrganization } from './palette-groups.ts'
import { type NavItem, SideFrame } from './side-frame.tsx'

export interface ShellProps {
  account: { name: string; email: string }
  organizations: readonly ShellOrganization[]
  organization: ShellOrganization | null
  /** Keys that wait for the reader. */
  waiting?: number
  /** Entries of the reader's inbox. */
  inbox: number
  /** The page's name in the breadcrumb, after the organization. */
  here: string
  /** Reduces the sidebar to icons, for pages that need the width. */
  rail?: boolean
  children: ReactNode
}

function navItems({
  organization,
  waiting,
  inbox,
}: Pick<ShellProps, 'organization' | 'waiting' | 'inbox'>): NavItem[] {
  const docs = { to: docsHome, icon: BookOpen, label: 'Docs' }
  if (!organization) return [docs]
  const { slug } = organization
  const base = paths.organization(slug)
  const sandbox = paths.sandbox(slug)
  const lab = paths.lab(slug)
  return [
    { to: base, icon: House, label: 'Home', end: true, count: inbox, within: [paths.inbox] },
    {
      to: paths.organizationApps(slug),
      icon: AppWindow,
      label: 'Apps',
      within: [`${base}/registrations`],
    },
    {
      to: paths.organizationKeys(slug),
      icon: KeyRound,
      label: 'Keys',
      count: waiting,
      within: [`${base}/production-keys`],
    },
    {
      to: sandbox,
      icon: FlaskConical,
      label: 'Test',
      tabs: [
        { to: sandbox, label: 'Your sandbox' },
        { to: paths.sandboxPeople(slug), label: 'People' },
        { to: paths.sandboxSignIns(slug), label: 'Sign-ins' },
        { to: lab.launch, label: 'Launch' },
        { to: lab.faults, label: 'Faults' },
        { to: lab.inferno, label: 'Inferno' },
      ],
    },
    { to: paths.logs(slug), icon: Activity, label: 'Logs' },
    { to: paths.explorer, icon: SquareTerminal, label: 'Explorer' },
    {
      to: paths.organizationMembers(slug),
      icon: Building2,
      label: 'Organization',
      tabs: [
        { to: paths.organizationMembers(slug), label: 'Members' },
        { to: paths.agreements(slug), label: 'Agreements' },
        { to: paths.securityProfile(slug), label: 'Security profile' },
        { to: `${base}/settings`, label: 'Settings' },
      ],
    },
    docs,
  ]
}

/** Every page of the sidebar, each tab by its own name. */
function pagesOf(items: readonly NavItem[]) {
  return items.flatMap(({ tabs, ...item }) => tabs ?? [item])
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
      search={<PaletteButton items={pagesOf(items)} organizations={organizations} />}
      rail={rail}
    >
      {props.children}
    </SideFrame>
  )
}

/** The page's name from its `handle`, for the breadcrumb. */
export function useHere(otherwise: string): string {
  const handle = useMatches().at(-1)?.handle as { here?: string } | undefined
  return handle?.here ?? otherwise
}

function HelpLinks() {
  return (
    <a href={paths.status}>
      <HeartPulse className="i" />
      Status
    </a>
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
        {organizations.map(({ slug, name }) => (
          <Link
            key={slug}
            className="item"
            to={paths.organization(slug)}
            aria-current={slug === organization?.slug || undefined}
          >
            <Building2 className="i" />
            {name}
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
