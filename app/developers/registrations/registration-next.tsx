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
      <Banner tone="bad" title="An email about this request could not be delivered.">
        Check the contacts and your account’s email address. The clocks keep running.
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
          Our review clock is paused until you answer. After 30 days without an answer we close the request.
          You can reopen it for a year.
        </Banner>
      )
    case 'rejected':
      return (
        <Banner tone="bad" title="Rejected. You can appeal for 30 days.">
          {rejection.map((code) => (
            <span className="block" key={code}>
              {rejectionReasons[code].sentence} {rejectionReasons[code].template}
            </span>
          ))}
        </Banner>
      )
    case 'enabling':
      return (
        <Banner tone="wait" title="Approved. We are checking the authorization server.">
          {probeFailure ?? 'The app is enabled when the server accepts it.'}
        </Banner>
      )
    case 'enabled':
      return openChange ? (
        <Banner tone="wait" title="A change is in review. The current configuration stays active.">
          <Link to={openChange}>View change</Link>
        </Banner>
      ) : (
        <Banner tone="ok" title="Enabled. The authorization server accepts the app." />
      )
    case 'submitted':
    case 'resubmitted':
    case 'in_review':
      return (
        <Banner tone="wait" title="A reviewer has your request. No action is needed.">
          We email you when there is a question or a decision.
        </Banner>
      )
    default:
      return null
  }
}
