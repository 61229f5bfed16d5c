import { Link, NavLink, Outlet, useLoaderData, useMatches, useRouteLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import type { ReactNode } from 'react'
import { paths } from '../../server/contract/portal/paths.ts'
import type { PracticeRole } from '../../server/domain/practices/practice-role.ts'
import { DropMenu } from '../components/ui/drop-menu.tsx'
import {
  Activity,
  BookOpen,
  Building2,
  ChevronRight,
  ChevronsUpDown,
  ClipboardCheck,
  FileText,
  Inbox,
  ScrollText,
  Settings,
  ShieldCheck,
  Smartphone,
  Users,
} from '../components/ui/icons.ts'
import { useRoot } from '../lib/root-data.ts'
import { page, setCookie } from '../services.server.ts'
import { ErrorCard, ErrorPage, useErrorTitle } from '../shared/frames/error-page.tsx'
import { SearchButton } from '../shared/frames/palette-button.tsx'
import { type NavItem, SideFrame } from '../shared/frames/side-frame.tsx'
import { docsHome } from '../shared/guides/guide-path.ts'
import { chosenOf, isNamed, listPractices, practiceCookie } from './practice.server.ts'

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, practices } = await listPractices(args)
  const chosen = chosenOf(args.request, practices)
  const cookie = chosen && isNamed(args.request) ? practiceCookie(args.request, chosen.slug) : null
  if (cookie) setCookie(args.context, cookie)
  const { account } = session
  return {
    account: { name: account.name, email: account.email },
    practices: practices.map(({ slug, name, roles }) => ({ slug, name, roles })),
    chosen: chosen?.slug ?? null,
  }
})

type Frame = ReturnType<typeof useLoaderData<typeof loader>>

/** The page may be about another practice than the chosen one, where the reader has no role for it there. */
function useShown({ practices, chosen }: Frame): FramePractice | null {
  const leaf = useMatches().at(-1)?.data as { practice?: { slug: string } | null } | undefined
  const slug = leaf?.practice?.slug ?? chosen
  return practices.find((each) => each.slug === slug) ?? null
}

/** Every page of the people of a practice. Each names itself in its `handle`. */
export default function PracticeFrame() {
  const handle = useMatches().at(-1)?.handle as { here?: string } | undefined
  return (
    <WithSidebar frame={useLoaderData<typeof loader>()} here={handle?.here ?? 'Practice'}>
      <Outlet />
    </WithSidebar>
  )
}

/** A page that fails leaves its frame standing. */
export function ErrorBoundary() {
  const frame = useRouteLoaderData<typeof loader>('practice/frame.route')
  const title = useErrorTitle()
  if (!frame) return <ErrorPage />
  return (
    <WithSidebar frame={frame} here={title}>
      <ErrorCard />
    </WithSidebar>
  )
}

function WithSidebar({ frame, here, children }: { frame: Frame; here: string; children: ReactNode }) {
  const shown = useShown(frame)
  const { inbox } = useRoot()
  const items = itemsFor(shown, inbox ?? 0)
  return (
    <SideFrame
      account={frame.account}
      realm="practice"
      label="Practice"
      items={items}
      help={<HelpLinks />}
      crumb={
        <>
          <PracticeMenu shown={shown} practices={frame.practices} />
          <ChevronRight className="i" />
          <b className="here">{here}</b>
        </>
      }
      search={
        <SearchButton
          groups={[
            { heading: 'Go to', entries: items.map(({ to, label }) => ({ to, label, where: '' })) },
            {
              heading: 'Practices',
              entries: frame.practices.map(({ slug, name }) => ({
                to: practicePath(slug),
                label: name,
                where: '',
              })),
            },
          ]}
        />
      }
    >
      <div className="page">{children}</div>
    </SideFrame>
  )
}

const practicePath = (slug: string) => `${paths.practice}?${new URLSearchParams({ practice: slug })}`

function HelpLinks() {
  return (
    <>
      <NavLink to={docsHome}>
        <BookOpen className="i" />
        Documentation
      </NavLink>
      <a href={paths.status}>
        <Activity className="i" />
        Status
      </a>
    </>
  )
}

/** For somebody who works at several practices: which one the pages are about. */
function PracticeMenu({
  shown,
  practices,
}: {
  shown: FramePractice | null
  practices: readonly FramePractice[]
}) {
  if (practices.length < 2) return <span className="org-name">{shown?.name ?? 'No practice'}</span>
  return (
    <DropMenu
      left
      label={`Practice: ${shown?.name ?? 'none'}. Switch`}
      summary={
        <>
          <span className="org-name">{shown?.name ?? 'Choose a practice'}</span>
          <ChevronsUpDown className="i" />
        </>
      }
    >
      <nav aria-label="Practices">
        {practices.map(({ slug, name }) => (
          <Link
            key={slug}
            className="item"
            to={practicePath(slug)}
            aria-current={slug === shown?.slug || undefined}
          >
            <Building2 className="i" />
            {name}
          </Link>
        ))}
      </nav>
    </DropMenu>
  )
}

interface FramePractice {
  slug: string
  name: string
  roles: readonly PracticeRole[]
}

/** The pages that a person may open at the practice shown. Allowed apps and the inbox are open to every role. */
function itemsFor(practice: FramePractice | null, inbox: number): NavItem[] {
  const isAdmin = practice?.roles.includes('admin') ?? false
  const decides = isAdmin || (practice?.roles.includes('signatory') ?? false)
  return [
    {
      to: paths.practice,
      icon: ShieldCheck,
      label: 'Who has access',
      end: true,
      within: [
        '/practice/keys',
        paths.practiceExports,
        paths.practiceWithheld,
        paths.practiceUse,
        paths.practiceAlerts,
        paths.practiceAccessReview,
        paths.practiceRecertification,
      ],
    },
    { to: paths.practiceInbox, icon: Inbox, label: 'Inbox', count: inbox },
    ...when(decides, {
      to: paths.practiceRequests,
      icon: ClipboardCheck,
      label: 'Requests',
      within: [paths.practiceSystems, '/practice/sponsorships'],
    }),
    ...when(decides, { to: paths.practiceAgreements, icon: FileText, label: 'Agreements' }),
    ...when(isAdmin, {
      to: paths.practiceAudit,
      icon: ScrollText,
      label: 'Access record',
      within: [paths.practiceDisclosures],
    }),
    ...when(isAdmin, {
      to: paths.practiceStaff,
      icon: Users,
      label: 'Staff',
      within: [paths.practiceMfaList],
    }),
    ...when(decides, { to: paths.practiceSettings, icon: Settings, label: 'Settings' }),
    { to: paths.practiceApps, icon: Smartphone, label: 'Apps you allowed' },
  ]
}

const when = (is: boolean, item: NavItem): NavItem[] => (is ? [item] : [])
