import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Card } from '../../components/ui/card.tsx'

const groups = [
  {
    title: 'The platform',
    pages: [
      { to: paths.statusOverrides, label: 'Components', about: 'Current states and manual overrides' },
      { to: paths.staffIncidents, label: 'Incidents', about: 'Public incidents and maintenance' },
      { to: paths.staffJobs, label: 'Jobs', about: 'The queue and failed jobs' },
      { to: paths.staffMail, label: 'Email', about: 'Queued, failed and sent emails' },
      { to: paths.staffConstants, label: 'Constants', about: 'Settings and limits in effect' },
    ],
  },
  {
    title: 'Access',
    pages: [
      { to: paths.staffPeople, label: 'Staff', about: 'Accounts, roles, role requests' },
      { to: paths.staffPractices, label: 'Practices', about: 'Suspend, resume, FHIR policy' },
      { to: paths.staffCredentials, label: 'Keys and apps', about: 'Find and stop one' },
      { to: paths.keyLimits, label: 'Key limits', about: 'Custom limits granted on request' },
      { to: paths.staffSessions, label: 'Sessions', about: 'Who is signed in' },
      {
        to: paths.staffMfaList,
        label: 'Two-step sign-in of staff',
        about: 'Reset lost authenticator apps',
      },
    ],
  },
  {
    title: 'Records',
    pages: [
      { to: paths.staffAudit, label: 'Audit log', about: 'Search, export, verify the chain' },
      { to: paths.staffAgreements, label: 'Agreements', about: 'Who is bound, and until when' },
    ],
  },
] as const

/** Every page of operations, in three groups: a table of contents, not a row of tabs. */
export function OpsIndex() {
  return (
    <nav className="grid g3" aria-label="Operations">
      {groups.map(({ title, pages }) => (
        <Card key={title} padded title={title}>
          {pages.map(({ to, label, about }) => (
            <p key={to}>
              <Link className="label" to={to}>
                {label}
              </Link>
              <br />
              <span className="muted">{about}</span>
            </p>
          ))}
        </Card>
      ))}
    </nav>
  )
}
