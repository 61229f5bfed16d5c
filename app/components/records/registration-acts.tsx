import { Form, Link } from '@remix-run/react'
import { paths } from '../../../server/contract/paths.ts'
import { reviewTextLength } from '../../../server/contract/registration-checks.ts'
import { stepUpMinutes } from '../../../server/contract/step-up.ts'
import { Button, LinkButton, SubmitButton } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { TextWarning } from '../ui/text-warning.tsx'

/** Which version the page showed, and a name for this one press of a button. */
interface Handle {
  version: number
  idempotencyKey: string
}

function Hidden({ version, idempotencyKey }: Handle) {
  return (
    <>
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
    </>
  )
}

interface SubmitProps {
  terms: { version: string; sha256: string }
  handleOf: Handle
  /** The page that asks for a fresh proof first; null when it was given. */
  stepUp: string | null
}

export function SubmitRegistration({ terms, handleOf, stepUp }: SubmitProps) {
  return (
    <section className="card" aria-labelledby="hand-in">
      <div className="head">
        <h2 id="hand-in">Submit for production</h2>
      </div>
      {stepUp ? <AskForProof to={stepUp} /> : <SubmitForm terms={terms} handleOf={handleOf} />}
    </section>
  )
}

/** Before what binds the organization. */
function AskForProof({ to }: { to: string }) {
  return (
    <div className="pad stack">
      <p>
        This binds your organization, so it asks for your password and a code of your authenticator app, given
        in the last {stepUpMinutes} minutes. You come back here.
      </p>
      <div>
        <LinkButton look="primary" to={to}>
          Confirm that it is you
        </LinkButton>
      </div>
    </div>
  )
}

function SubmitForm({ terms, handleOf }: Omit<SubmitProps, 'stepUp'>) {
  return (
    <Form method="post" className="pad stack">
      <Hidden {...handleOf} />
      <input type="hidden" name="termsVersion" value={terms.version} />
      <label className="check">
        <input type="checkbox" name="acceptTerms" />
        <span>
          I accept the{' '}
          <Link to={paths.registrationTerms} target="_blank" rel="noreferrer">
            registration terms, version {terms.version}
            <span className="sr"> (opens in a new tab)</span>
          </Link>
        </span>
      </label>
      <p className="small muted terms-hash">
        SHA-256 <code>{terms.sha256}</code>
      </p>
      <p>
        All checks are run again. What we look at is <Link to={paths.registrationChecks}>published</Link>, and
        the same for everybody. It costs nothing.
      </p>
      <div>
        <SubmitButton name="intent" value="submit" busy="Checking">
          Submit
        </SubmitButton>
      </div>
    </Form>
  )
}

interface Item {
  id: string
  sentence: string
  text: string
  answer: string | null
  askedAt: Date | string
}

/** Every question with a field for its answer; all of them go together. */
export function AnswerItems({
  items,
  form,
  handleOf,
}: {
  items: readonly Item[]
  form: string
  handleOf: Handle
}) {
  return (
    <section className="card" aria-labelledby="questions">
      <div className="head">
        <h2 id="questions">Questions</h2>
        <Link to={form}>Edit the form first</Link>
      </div>
      <Form method="post" className="pad stack gap-6">
        <Hidden {...handleOf} />
        {items.map(({ id, sentence, text, answer, askedAt }, place) => (
          <div className="field" key={id}>
            <label htmlFor={`a-${id}`}>
              {place + 1}. {sentence}
            </label>
            <p id={`${id}-asked`}>
              “{text}” <Moment at={askedAt} />
            </p>
            <textarea
              className="input"
              id={`a-${id}`}
              name={`a-${id}`}
              rows={3}
              maxLength={reviewTextLength.max}
              defaultValue={answer ?? ''}
              aria-describedby={`${id}-asked`}
            />
            <TextWarning field={`a-${id}`} />
          </div>
        ))}
        <div>
          <SubmitButton name="intent" value="resubmit" busy="Sending">
            Send answers
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}

export function Appeal({ handleOf }: { handleOf: Handle }) {
  return (
    <section className="card" aria-labelledby="appeal">
      <div className="head">
        <h2 id="appeal">Appeal</h2>
      </div>
      <Form method="post" className="pad stack">
        <Hidden {...handleOf} />
        <div className="field">
          <label htmlFor="text">What should another reviewer know?</label>
          <textarea className="input" id="text" name="text" rows={4} maxLength={reviewTextLength.max} />
          <p className="hint">Within thirty days of the rejection. Our promise starts again.</p>
          <TextWarning field="text" intent="appeal" />
        </div>
        <div>
          <SubmitButton name="intent" value="appeal" busy="Sending">
            Appeal
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}

interface StepProps {
  intent: string
  word: string
  handleOf: Handle
  danger?: boolean
}

export function StepForm({ intent, word, handleOf, danger }: StepProps) {
  return (
    <Form method="post">
      <Hidden {...handleOf} />
      <Button type="submit" name="intent" value={intent} look={danger ? 'danger' : 'outline'}>
        {word}
      </Button>
    </Form>
  )
}
