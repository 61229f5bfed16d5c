import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Card } from '../../components/ui/card.tsx'

const groups = [
  {
    title: 'The platform',
    pages: [
      { to: paths.statusOverrides, label: 'Components', about: 'State of each, and states set by hand' },
      { to: paths.staffIncidents, label: 'Incidents', about: 'What everybody is told, and maintenance' },
      { to: paths.staffJobs, label: 'Jobs', about: 'The queue, and what failed in it' },
      { to: paths.staffMail, label: 'Mail', about: 'What waits, what failed, what left' },
      { to: paths.staffConstants, label: 'Constants', about: 'What is on, and which numbers hold' },
    ],
  },
  {
    title: 'Access',
    pages: [
      { to: paths.staffPeople, label: 'Staff', about: 'Accounts, roles, role requests' },
      { to: paths.staffPractices, label: 'Practices', about: 'Suspend, resume, FHIR policy' },
      { to: paths.staffCredentials, label: 'Keys and apps', about: 'Find one, stop it' },
      { to: paths.keyLimits, label: 'Limits of keys', about: 'Limits granted on request' },
      { to: paths.staffSessions, label: 'Sessions', about: 'Who is signed in' },
      {
        to: paths.staffMfaList,
        label: 'Second steps of staff',
        about: 'A new start for who lost theirs',
      },
    ],
  },
  {
    title: 'The record',
    pages: [
      { to: paths.staffAudit, label: 'Audit', about: 'Search, file, chain' },
      { to: paths.staffAgreements, label: 'Agreements', about: 'Who is bound, until when' },
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
