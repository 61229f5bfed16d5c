import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../server/contract/portal/paths.ts'
import { PageHeader } from '../components/ui/page-header.tsx'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'

interface OpsFrameProps {
  account: { name: string; email: string }
  title: string
  lead: ReactNode
  action?: ReactNode
  /** Where it belongs, when that is not the console itself. */
  up?: { to: string; label: string }
  children: ReactNode
}

/** A page of operations: its title, one sentence, and the way back. */
export function OpsFrame({ account, title, lead, action, up, children }: OpsFrameProps) {
  const { to, label } = up ?? { to: paths.staff, label: 'Back to the console' }
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHeader title={title} action={action}>
        {lead} <Link to={to}>{label}</Link>
      </PageHeader>
      {children}
    </ConsoleFrame>
  )
}
