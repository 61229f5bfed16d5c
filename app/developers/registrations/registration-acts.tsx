import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { stepUpMinutes } from '../../../server/contract/portal/step-up.ts'
import { reviewTextLength } from '../../../server/contract/workflows/registration-checks.ts'
import type { RegistrationView } from '../../../server/domain/registrations/read-registration.ts'
import { ActionForm } from '../../components/ui/action-form.tsx'
import { Check } from '../../components/ui/choice.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Card, Moment } from '../../components/ui/page-parts.tsx'
import { ConfirmButton } from '../../shared/sign-in/confirm-first.tsx'

/** The version that the page shows, and a key with which each of its forms is applied only once. */
interface Once {
  version: number
  onceKey: string
}

interface SubmitProps {
  terms: { version: string }
  once: Once
  /** The page that confirms the password first; null if that isn't needed now. */
  stepUp: string | null
}

export function SubmitRegistration({ terms, once, stepUp }: SubmitProps) {
  return (
    <Card id="hand-in" title="Submit for production">
      {stepUp ? <AskForProof to={stepUp} /> : <SubmitForm terms={terms} once={once} />}
    </Card>
  )
}

/** Requires a fresh proof before a step that binds the organization. */
function AskForProof({ to }: { to: string }) {
  return (
    <div className="pad stack">
      <p>
        This binds your organization, so it needs your password and an authenticator code from the last{' '}
        {stepUpMinutes} minutes. You return here afterwards.
      </p>
      <ConfirmButton to={to} />
    </div>
  )
}

function SubmitForm({ terms, once }: Omit<SubmitProps, 'stepUp'>) {
  return (
    <ActionForm
      {...once}
      intent="submit"
      button="Submit"
      busy="Checking"
      look="primary"
      className="pad stack"
    >
      <input type="hidden" name="termsVersion" value={terms.version} />
      <Check name="acceptTerms">
        I accept the{' '}
        <Link to={paths.registrationTerms} target="_blank" rel="noreferrer">
          registration terms, version {terms.version}
          <span className="sr"> (opens in a new tab)</span>
        </Link>
      </Check>
      <p>
        We run all checks again. The list of checks is <Link to={paths.registrationChecks}>published</Link>{' '}
        and the same for everyone. It is free.
      </p>
    </ActionForm>
  )
}

type Item = RegistrationView['items'][number]

/** Every question with a field for its answer. All answers are sent together. */
export function AnswerItems({ items, form, once }: { items: readonly Item[]; form: string; once: Once }) {
  return (
    <Card id="questions" title="Questions" aside={<Link to={form}>Edit the form first</Link>}>
      <ActionForm
        {...once}
        intent="resubmit"
        button="Send answers"
        look="primary"
        className="pad stack gap-5"
      >
        {items.map(({ id, sentence, text, answer, askedAt }, index) => (
          <TextArea
            key={id}
            name={`a-${id}`}
            label={`${index + 1}. ${sentence}`}
            lead={
              <>
                “{text}” <Moment at={askedAt} />
              </>
            }
            value={answer ?? ''}
            maxLength={reviewTextLength.max}
          />
        ))}
      </ActionForm>
    </Card>
  )
}

export function Appeal({ once }: { once: Once }) {
  return (
    <Card id="appeal" title="Appeal">
      <ActionForm {...once} intent="appeal" button="Appeal" look="primary" className="pad stack">
        <TextArea
          name="text"
          label="What should another reviewer know?"
          hint="You can appeal within 30 days of the rejection. Our five business days start again."
          rows={4}
          maxLength={reviewTextLength.max}
        />
      </ActionForm>
    </Card>
  )
}
