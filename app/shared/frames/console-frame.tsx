import { Link, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Mark } from '../../components/ui/brand.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { Inbox } from '../../components/ui/icons.ts'
import { Tabs } from '../../components/ui/tabs.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { AccountMenu } from './account-menu.tsx'
import { Main } from './main.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

type ConsoleRealm = 'staff' | 'patient'

const names: Readonly<Record<ConsoleRealm, string>> = {
  staff: 'Staff',
  patient: 'Patient',
}

const pages: Readonly<Record<ConsoleRealm, readonly { to: string; label: string }[]>> = {
  staff: [],
  patient: [
    { to: paths.patientApps, label: 'Apps you allowed' },
    { to: paths.patientAccess, label: 'Who read your records' },
    { to: paths.patientSessions, label: 'Sessions' },
  ],
}

interface ConsoleFrameProps {
  account: { name: string; email: string }
  realm: ConsoleRealm
  children: ReactNode
}

/** Bar and page for staff and patients. */
export function ConsoleFrame({ account, realm, children }: ConsoleFrameProps) {
  return (
    <div className="pub-page">
      <header className="topbar pub px-0">
        <div className="wrap bar-in">
          <Link className="brand" to="/">
            <Mark />
            Sandpiper
          </Link>
          <span className="grow muted">{names[realm]}</span>
          {realm === 'staff' && <InboxLink />}
          <ThemeSwitch />
          <AccountMenu account={account} realm={realm} />
        </div>
      </header>
      <Main className="console">
        <div className="page">
          {pages[realm].length > 0 && <Pages label={names[realm]} pages={pages[realm]} />}
          {children}
        </div>
      </Main>
    </div>
  )
}

function InboxLink() {
  const { inbox } = useRoot()
  return (
    <LinkButton look="plain" to={paths.staffInbox}>
      <Inbox className="i" />
      Inbox
      {inbox ? (
        <span className="count">
          {inbox}
          <span className="sr"> to-dos</span>
        </span>
      ) : null}
    </LinkButton>
  )
}

function Pages({ label, pages }: { label: string; pages: readonly { to: string; label: string }[] }) {
  const { pathname } = useLocation()
  return <Tabs label={label} tabs={pages.map((each) => ({ ...each, current: each.to === pathname }))} />
}
