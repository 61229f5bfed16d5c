import { Link } from '@remix-run/react'
import {
  type RejectionReason,
  rejectionReasons,
} from '../../../server/contract/workflows/registration-checks.ts'
import type { RegistrationState } from '../../../server/contract/workflows/registration-workflow.ts'
import { Banner } from '../../components/ui/banner.tsx'

interface RegistrationNextProps {
  state: RegistrationState
  items: readonly unknown[]
  probeFailure: string | null
  unreachable: boolean
  /** Where the change that is being reviewed is shown. */
  openChange: string | null
  rejection: readonly RejectionReason[]
}

/** What is next, who must act, and what otherwise. */
export function RegistrationNext({
  state,
  items,
  probeFailure,
  unreachable,
  openChange,
  rejection,
}: RegistrationNextProps) {
  if (unreachable)
    return (
      <Banner tone="bad" title="A mail about this request could not be delivered.">
        Look at the contacts, and at the address of your account. The clocks run on.
      </Banner>
    )
  switch (state) {
    case 'needs_info':
      return (
        <Banner
          tone="turn"
          who="Your turn."
          title={`Answer ${items.length} ${items.length === 1 ? 'question' : 'questions'} about your app.`}
        >
          Our promise waits until you do. After thirty silent days we close the request; you can open it again
          for a year.
        </Banner>
      )
    case 'rejected':
      return (
        <Banner tone="bad" title="Not enabled. You may appeal for thirty days.">
          {rejection.map((code) => (
            <span className="block" key={code}>
              {rejectionReasons[code].sentence} {rejectionReasons[code].template}
            </span>
          ))}
        </Banner>
      )
    case 'enabling':
      return (
        <Banner tone="wait" title="Approved. We ask the sign-in server as your app would.">
          {probeFailure ?? 'It is enabled when the server has answered.'}
        </Banner>
      )
    case 'enabled':
      return openChange ? (
        <Banner tone="wait" title="A change is being looked at; the old configuration serves.">
          <Link to={openChange}>To the change</Link>
        </Banner>
      ) : (
        <Banner tone="ok" title="Enabled. The sign-in server accepts the app." />
      )
    case 'submitted':
    case 'resubmitted':
    case 'in_review':
      return (
        <Banner tone="wait" title="A reviewer looks at it. You need do nothing.">
          You hear by mail as soon as something is asked or decided.
        </Banner>
      )
    default:
      return null
  }
}
