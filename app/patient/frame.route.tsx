import { Link, Outlet, useLoaderData } from '@remix-run/react'
import { paths } from '../../server/contract/portal/paths.ts'
import { Mark } from '../components/ui/brand.tsx'
import { Tabs } from '../components/ui/page-parts.tsx'
import { getSession, page } from '../services.server.ts'
import { AccountMenu } from '../shared/frames/account-menu.tsx'
import { Main } from '../shared/frames/main.tsx'
import { ThemeSwitch } from '../shared/frames/theme-switch.tsx'

const pages = [
  { to: paths.patientApps, label: 'Apps you allowed' },
  { to: paths.patientAccess, label: 'Who read your records' },
  { to: paths.patientSessions, label: 'Sessions' },
]

export const loader = page(async (args) => {
  const { account } = await getSession(args, 'patient')
  return { name: account.name, email: account.email }
})

/** The top bar and the page for patients. */
export default function PatientFrame() {
  return (
    <div className="pub-page">
      <header className="topbar pub px-0">
        <div className="wrap bar-in">
          <Link className="brand" to="/">
            <Mark />
            Sandpiper
          </Link>
          <span className="grow muted">Patient</span>
          <ThemeSwitch />
          <AccountMenu account={useLoaderData<typeof loader>()} realm="patient" />
        </div>
      </header>
      <Main className="console">
        <div className="page">
          <Tabs label="Patient" tabs={pages} />
          <Outlet />
        </div>
      </Main>
    </div>
  )
}
