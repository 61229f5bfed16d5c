import { Link, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import {
  type OpsActField,
  type OpsAction,
  opsActFields,
  opsActForm,
  opsActions,
  opsReason,
} from '../../server/contract/portal/ops-actions.ts'
import { LinkButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { ContractForm } from '../components/ui/contract-form.tsx'
import { Field, Select, TextArea } from '../components/ui/field.tsx'

/** What each act does to whom, in the words of its form. */
const consequences: Readonly<Record<OpsAction, string>> = {
  retry_job: 'It is due at once, with its attempts begun anew.',
  give_up_job: 'It leaves the queue for good. What it was for stays undone, unless a tick finds it again.',
  resend_mail: 'It leaves again under the same Message-ID, so that nobody reads it twice as two.',
  end_session: 'The browser is signed out on its next request.',
  end_sessions: 'Every browser of this account is signed out on its next request.',
  set_practice_fhir: 'It holds from the next request on. Admins of the practice are told.',
  create_practice:
    'It has no records, and its FHIR API is off until its admin turns it on. Its slug cannot be changed later. Invite its admin next.',
  rename_practice:
    'People see the new name on every page, from the next request on. Its addresses keep the slug.',
  invite_practice_admin:
    'An email with a link, valid for seven days, goes to this address. An earlier invitation of the address ends.',
  create_staff:
    'Another operator has to approve the role within seven days. Then an email with a link to choose a password, valid for three days, goes to this address.',
  resend_staff_link:
    'An email with a link to choose a password, valid for three days, goes to this person. The earlier link stops working.',
  request_staff_role:
    'Another operator has to approve the role within seven days. It replaces the current role.',
  approve_staff_role:
    'The person has this role from the next request on. Without a password yet, the person gets an email with a link to choose one.',
  reject_staff_role: 'The person does not get this role. It can be requested again.',
  withdraw_staff_role: 'The person does not get this role. You can request it again.',
  remove_staff_role:
    'The person loses access from the next request on. Another role takes two operators again. Open role requests for this person end.',
  disable_staff:
    'All sessions end now, and the person cannot sign in. The account loses its role. Open role requests for this person end.',
  enable_staff: 'The person can sign in again, without a role. Request a role next.',
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

const fieldLabels: Readonly<Record<OpsActField, string>> = {
  name: 'Name',
  slug: 'Slug',
  environment: 'Environment',
  email: 'Email address',
  role: 'Role',
}
const fieldHints: Readonly<Partial<Record<OpsActField, string>>> = {
  name: 'As patients and developers know the practice.',
  slug: 'Lowercase letters, digits and hyphens. Part of its FHIR and REST addresses.',
  email: 'The link goes to this address only.',
}
const personNameHint = 'First and last name, as colleagues know the person.'

/** Fields with fixed choices; the others take text. */
const choices: Readonly<Partial<Record<OpsActField, readonly { value: string; label: string }[]>>> = {
  environment: [
    { value: 'production', label: 'Production' },
    { value: 'sandbox', label: 'Sandbox' },
  ],
  role: [
    { value: '', label: 'Choose a role' },
    { value: 'reviewer', label: 'Reviewer' },
    { value: 'ops', label: 'Operator' },
  ],
}

const dangers = new Set<OpsAction>([
  'give_up_job',
  'remove_staff_role',
  'disable_staff',
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
  /** Where the page is without this form. */
  back: string
}

/** The form of one act, on top of its page: what it does, why, and who you are. */
export function OpsAct({ asked, about, stepUp, back }: OpsActProps) {
  return (
    <Card padded id="act" title={opsActions[asked.act].title}>
      {about && <p>{about}</p>}
      <p className="muted">{consequences[asked.act]}</p>
      {stepUp === null ? (
        <ActForm asked={asked} back={back} />
      ) : (
        <div className="row">
          <LinkButton look="primary" to={stepUp}>
            Confirm that it is you
          </LinkButton>
          <Link to={back}>Leave it</Link>
        </div>
      )}
    </Card>
  )
}

function ActForm({ asked, back }: Pick<OpsActProps, 'asked' | 'back'>) {
  const { act, id, version } = asked
  return (
    <ContractForm
      schema={opsActForm}
      labels={{ ...fieldLabels, reason: 'Reason' }}
      keepAs={`${act} ${id}`}
      hidden={{ act, id, version }}
      button={opsActions[act].title}
      busy="Doing it"
      look={dangers.has(act) ? 'danger' : 'primary'}
      leave={<Link to={back}>Leave it</Link>}
      className="stack"
    >
      {(opsActFields[act] ?? []).map((name) => {
        const hint = act === 'create_staff' && name === 'name' ? personNameHint : fieldHints[name]
        const options = choices[name]
        return options ? (
          <Select key={name} name={name} options={options} />
        ) : (
          <Field key={name} name={name} hint={hint} />
        )
      })}
      <TextArea
        name="reason"
        rows={2}
        hint={`In ${opsReason.least} to ${opsReason.most} characters. Kept in the audit with your name; who is told of it reads it.`}
      />
    </ContractForm>
  )
}

/** A link that opens the form of an act on the page it stands on; its search, filters and page stay. */
export function OpsActLink(props: {
  act: OpsAction
  id: string
  version: number
  label: string
  /** Said to who cannot see the row. */
  of: string
}) {
  const { act, id, version, label, of } = props
  const query = new URLSearchParams(useLocation().search)
  for (const [name, value] of Object.entries({ act, id, version: String(version) })) query.set(name, value)
  return (
    <LinkButton size="sm" look={dangers.has(act) ? 'danger' : 'outline'} to={`?${query}`}>
      {label}
      <span className="sr"> {of}</span>
    </LinkButton>
  )
}
