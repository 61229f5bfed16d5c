import { Outlet, useLoaderData, useMatches, useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../server/contract/portal/paths.ts'
import {
  Building2,
  ClipboardCheck,
  HeartPulse,
  Inbox,
  ListChecks,
  ScrollText,
  Users,
} from '../components/ui/icons.ts'
import { useRoot } from '../lib/root-data.ts'
import { getSession, page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { ErrorCard, ErrorPage, useErrorTitle } from '../shared/frames/error-page.tsx'
import type { NavItem } from '../shared/frames/side-frame.tsx'

export const loader = page(async (args) => {
  const { account } = await getSession(args, 'staff')
  return {
    account: { name: account.name, email: account.email },
    isOperator: account.staffRole === 'ops',
  }
})

type Frame = ReturnType<typeof useLoaderData<typeof loader>>

/** The frame of every staff page. A page's `handle` says whether it needs the full width. */
export default function StaffFrame() {
  const handle = useMatches().at(-1)?.handle as { here?: string; rail?: boolean } | undefined
  return (
    <WithSidebar frame={useLoaderData<typeof loader>()} here={handle?.here} rail={handle?.rail}>
      <Outlet />
    </WithSidebar>
  )
}

/** Shows the error of a page inside the frame. */
export function ErrorBoundary() {
  const frame = useRouteLoaderData<typeof loader>('review/frame.route')
  const title = useErrorTitle()
  if (!frame) return <ErrorPage />
  return (
    <WithSidebar frame={frame} here={title}>
      <ErrorCard />
    </WithSidebar>
  )
}

interface WithSidebarProps {
  frame: Frame
  here?: string | undefined
  rail?: boolean | undefined
  children: ReactNode
}

function WithSidebar({ frame: { account, isOperator }, here, rail = false, children }: WithSidebarProps) {
  const { inbox } = useRoot()
  return (
    <ConsoleFrame
      account={account}
      realm="staff"
      label="Staff"
      items={[...itemsForAll(inbox ?? 0), ...(isOperator ? itemsForOperators : [])]}
      whose={<span className="org-name">Staff</span>}
      here={here}
      rail={rail}
    >
      {children}
    </ConsoleFrame>
  )
}

const itemsForAll = (inbox: number): NavItem[] => [
  {
    to: paths.reviewQueue,
    icon: ClipboardCheck,
    label: 'Queue',
    within: ['/staff/production-keys', '/staff/key-requests'],
  },
  { to: paths.staffInbox, icon: Inbox, label: 'Inbox', count: inbox },
]

const itemsForOperators: NavItem[] = [
  {
    to: paths.staffPractices,
    icon: Building2,
    label: 'Practices',
    tabs: [
      { to: paths.staffPractices, label: 'Practices' },
      { to: paths.staffAgreements, label: 'Agreements' },
      { to: paths.staffCredentials, label: 'Keys and apps' },
      { to: paths.keyLimits, label: 'Key limits' },
    ],
  },
  {
    to: paths.staffPeople,
    icon: Users,
    label: 'People',
    tabs: [
      { to: paths.staffPeople, label: 'Staff' },
      { to: paths.staffMfaList, label: 'Two-step sign-in' },
    ],
  },
  {
    to: paths.staffIncidents,
    icon: HeartPulse,
    label: 'Status',
  },
  {
    to: paths.staffJobs,
    icon: ListChecks,
    label: 'Jobs and email',
    tabs: [
      { to: paths.staffJobs, label: 'Jobs' },
      { to: paths.staffMail, label: 'Email' },
    ],
  },
  { to: paths.staffAudit, icon: ScrollText, label: 'Audit' },
]
