import type { SubmissionResult } from '@conform-to/react'
import { Form, Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type OpsAction, opsActForm, opsActions, opsReason } from '../../../server/contract/ops-actions.ts'
import { LinkButton, SubmitButton } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { ErrorSummary, formProps, useContractForm } from '../ui/form.tsx'

/** What each act does to whom, in the words of its form. */
const consequences: Readonly<Record<OpsAction, string>> = {
  retry_job: 'It is due at once, with its attempts begun anew.',
  give_up_job: 'It leaves the queue for good. What it was for stays undone, unless a tick finds it again.',
  resend_mail: 'It leaves again under the same Message-ID, so that nobody reads it twice as two.',
  end_session: 'The browser is signed out on its next request.',
  end_sessions: 'Every browser of this account is signed out on its next request.',
  set_practice_fhir: 'It holds from the next request on. Admins of the practice are told.',
  suspend_practice:
    'From the next request on no key and no app reaches its records. Exports that run are cancelled, production keys are suspended, and both sides are told.',
  resume_practice:
    'Keys and apps reach its records again, unless something else is in the way of one of them. Both sides are told.',
  suspend_key:
    'Its next request is refused with 401. Its owner is told; for a production key the practice too.',
  resume_key: 'Its requests are answered again, when nothing else is in the way. Its owner is told.',
  revoke_key: 'It cannot be brought back. Its owner is told; for a production key the practice too.',
  grant_key_limits: 'It holds from the next request on.',
  end_key_limits: 'The published limits hold from the next request on.',
  suspend_client: 'It gets no token, and its tokens are refused. Its owners are told.',
  resume_client: 'It may ask for tokens again. Its owners are told.',
  remove_client: 'Its client id is unknown from then on. It cannot be brought back. Its owners are told.',
  check_chain:
    'Every hash is computed anew, from the first row on. It takes seconds for a hundred thousand rows.',
}

const dangers = new Set<OpsAction>([
  'give_up_job',
  'suspend_practice',
  'suspend_key',
  'revoke_key',
  'suspend_client',
  'remove_client',
])

interface OpsActProps {
  asked: { act: OpsAction; id: string; version: number }
  /** What it is done to. */
  about?: ReactNode
  /** The page that asks for fresh proof first; null when it was given. */
  stepUp: string | null
  lastResult: SubmissionResult<string[]> | null | undefined
  /** Where the page is without this form. */
  back: string
}

/** The form of one act, on top of its page: what it does, why, and who you are. */
export function OpsAct({ asked, about, stepUp, lastResult, back }: OpsActProps) {
  return (
    <section className="card pad stack" aria-labelledby="act">
      <h2 id="act">{opsActions[asked.act].title}</h2>
      {about && <p>{about}</p>}
      <p className="muted">{consequences[asked.act]}</p>
      {stepUp === null ? (
        <ActForm asked={asked} lastResult={lastResult} back={back} />
      ) : (
        <div className="row">
          <LinkButton look="primary" to={stepUp}>
            Confirm that it is you
          </LinkButton>
          <Link to={back}>Leave it</Link>
        </div>
      )}
    </section>
  )
}

function ActForm({ asked, lastResult, back }: Pick<OpsActProps, 'asked' | 'lastResult' | 'back'>) {
  const { act, id, version } = asked
  const [form, fields] = useContractForm({ schema: opsActForm, lastResult })
  return (
    <Form method="post" {...formProps(form)} className="stack">
      <ErrorSummary form={form} fields={fields} labels={{ reason: 'Reason' }} />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="version" value={version} />
      <TextArea
        meta={fields.reason}
        label="Reason"
        rows={2}
        hint={`In ${opsReason.least} to ${opsReason.most} characters. Kept in the audit with your name; who is told of it reads it.`}
      />
      <div className="row">
        <SubmitButton look={dangers.has(act) ? 'danger' : 'primary'} busy="Doing it">
          {opsActions[act].title}
        </SubmitButton>
        <Link to={back}>Leave it</Link>
      </div>
    </Form>
  )
}

/** A link that opens the form of an act on the page it stands on. @param keep the page's own filters */
export function OpsActLink(props: {
  act: OpsAction
  id: string
  version: number
  label: string
  /** Said to who cannot see the row. */
  of: string
  keep?: Readonly<Record<string, string>>
}) {
  const { act, id, version, label, of, keep = {} } = props
  const query = new URLSearchParams({ ...keep, act, id, version: String(version) })
  return (
    <LinkButton size="sm" look={dangers.has(act) ? 'danger' : 'outline'} to={`?${query}`}>
      {label}
      <span className="sr"> {of}</span>
    </LinkButton>
  )
}
