import { Link, Outlet, useLoaderData, useMatches, useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../server/contract/portal/paths.ts'
import { DropMenu } from '../components/ui/drop-menu.tsx'
import {
  Building2,
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
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { ErrorCard, ErrorPage, useErrorTitle } from '../shared/frames/error-page.tsx'
import type { NavItem } from '../shared/frames/side-frame.tsx'
import { chosenOf, isNamed, listPractices, practiceCookie } from './practice.server.ts'

export const loader = page(async (args) => {
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

/** The practice that the page shows. If the reader has no role for the page at the chosen one, it is another. */
function useShown({ practices, chosen }: Frame) {
  const leaf = useMatches().at(-1)?.data as
    | { practice?: { slug: string } | null; hasKey?: boolean }
    | undefined
  const slug = leaf?.practice?.slug ?? chosen
  const shown: FramePractice | null = practices.find((practice) => practice.slug === slug) ?? null
  return { shown, hasKey: leaf?.hasKey ?? false }
}

/** The frame of a practice's pages. A page without an entry in the navigation has its name in its `handle`. */
export default function PracticeFrame() {
  const handle = useMatches().at(-1)?.handle as { here?: string } | undefined
  return (
    <WithSidebar frame={useLoaderData<typeof loader>()} here={handle?.here}>
      <Outlet />
    </WithSidebar>
  )
}

/** Shows the error of a page inside the frame. */
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

function WithSidebar({
  frame,
  here,
  children,
}: {
  frame: Frame
  here?: string | undefined
  children: ReactNode
}) {
  const { shown, hasKey } = useShown(frame)
  const { inbox } = useRoot()
  return (
    <ConsoleFrame
      account={frame.account}
      realm="practice"
      label="Practice"
      items={itemsFor(shown, inbox ?? 0, hasKey)}
      whose={<PracticeMenu shown={shown} practices={frame.practices} />}
      here={here}
      groups={[
        {
          heading: 'Practices',
          entries: frame.practices.map(({ slug, name }) => ({
            to: practicePath(slug),
            label: name,
            where: '',
          })),
        },
      ]}
    >
      {children}
    </ConsoleFrame>
  )
}

const practicePath = (slug: string) => `${paths.practice}?${new URLSearchParams({ practice: slug })}`

/** Names the practice, and switches it for a person who works at several. */
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

type FramePractice = Frame['practices'][number]

/** The pages that a person may open at the practice shown. The inbox is open to every role. @param hasKey the request on the page has become a key */
function itemsFor(practice: FramePractice | null, inbox: number, hasKey: boolean): NavItem[] {
  const isAdmin = practice?.roles.includes('admin') ?? false
  const decides = isAdmin || (practice?.roles.includes('signatory') ?? false)
  const items: (NavItem & { shown: boolean })[] = [
    {
      shown: true,
      to: paths.practice,
      icon: ShieldCheck,
      label: 'Who has access',
      end: true,
      ...(decides && { tabs: accessTabs(hasKey).filter(({ forAdmins }) => isAdmin || !forAdmins) }),
    },
    { shown: true, to: paths.practiceInbox, icon: Inbox, label: 'Inbox', count: inbox },
    {
      shown: decides,
      to: paths.practiceRequests,
      icon: ClipboardCheck,
      label: 'Requests',
      tabs: [
        { to: paths.practiceRequests, label: 'Keys', within: hasKey ? [] : [sponsorships] },
        { to: paths.practiceSystems, label: 'Backend systems' },
      ],
    },
    { shown: decides, to: paths.practiceAgreements, icon: FileText, label: 'Agreements' },
    {
      shown: isAdmin,
      to: paths.practiceWithheld,
      icon: ScrollText,
      label: 'Patients',
      tabs: [
        { to: paths.practiceWithheld, label: 'Withheld patients' },
        { to: paths.practiceDisclosures, label: 'Disclosures' },
        { to: paths.practiceAudit, label: 'Access record' },
      ],
    },
    {
      shown: isAdmin,
      to: paths.practiceStaff,
      icon: Users,
      label: 'Staff',
      within: ['/practice/second-steps'],
    },
    { shown: decides, to: paths.practiceSettings, icon: Settings, label: 'Settings' },
    { shown: !decides, to: paths.practiceApps, icon: Smartphone, label: 'Apps you allowed' },
  ]
  return items.filter(({ shown }) => shown).map(({ shown: _, ...item }) => item)
}

const sponsorships = '/practice/sponsorships'

const accessTabs = (hasKey: boolean) => [
  {
    to: paths.practice,
    label: 'Keys and apps',
    end: true,
    within: ['/practice/keys', '/practice/use', ...(hasKey ? [sponsorships] : [])],
    forAdmins: false,
  },
  { to: paths.practiceAlerts, label: 'Alerts', forAdmins: true },
  { to: paths.practiceExports, label: 'Exports', forAdmins: false },
]
