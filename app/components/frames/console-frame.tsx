import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Mark } from '../ui/brand.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

interface ConsoleFrameProps {
  account: { name: string; email: string }
  realm: 'staff' | 'practice'
  children: ReactNode
}

/** Bar and page for staff and practices. */
export function ConsoleFrame({ account, realm, children }: ConsoleFrameProps) {
  return (
    <div className="pub-page">
      <header className="topbar pub px-0">
        <div className="wrap bar-in">
          <Link className="brand" to="/">
            <Mark />
            Sandpiper
          </Link>
          <span className="grow muted">{realm === 'staff' ? 'Staff' : 'Practice'}</span>
          <ThemeSwitch />
          <AccountMenu account={account} realm={realm} />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="console">
        <div className="page">{children}</div>
      </main>
    </div>
  )
}
