import { Link, useLoaderData, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import {
  type OpsActField,
  type OpsAction,
  opsActFields,
  opsActions,
  opsReason,
} from '../../server/contract/portal/ops-actions.ts'
import { ContractForm, Field, Select, TextArea } from '../components/ui/form.tsx'
import { Card, LinkButton } from '../components/ui/page-parts.tsx'
import { ConfirmButton } from '../shared/sign-in/confirm-first.tsx'
import type { openOps, RequestedAction } from './ops.server.ts'

/** What each action does, as its form says. */
const consequences: Readonly<Record<OpsAction, string>> = {
  retry_job: 'It runs again immediately, with a new set of attempts.',
  give_up_job: 'It is removed from the queue. Its work stays undone, unless a schedule creates it again.',
  resend_mail: 'It is sent with the same Message-ID, so mail programs show it only once.',
  leave_mail_unsent: 'It stays among the failed emails and leaves the inbox. You can still resend it.',
  create_practice:
    'It has no records, and its FHIR API is off until its admin turns it on. Its slug can’t be changed later. Invite its admin next.',
  rename_practice: 'Every page shows the new name. Its addresses keep the slug.',
  invite_practice_admin:
    'We email a link to this address, valid for seven days. An earlier invitation for the address ends.',
  create_staff:
    'A second operator must approve the role within seven days. Then we email this person a link to choose a password, valid for three days.',
  resend_staff_link:
    'We email this person a link to choose a password, valid for three days. The earlier link stops working.',
  request_staff_role:
    'A second operator must approve the role within seven days. It replaces the current role.',
  approve_staff_role:
    'The person has this role from the next request. If they have no password yet, we email them a link to choose one.',
  reject_staff_role: 'The person does not get this role. It can be requested again.',
  withdraw_staff_role: 'The person does not get this role. You can request it again.',
  remove_staff_role:
    'The person loses access from the next request. A new role needs two operators again. Open role requests for this person end.',
  disable_staff:
    'All sessions end now, and the person can’t sign in. The account loses its role. Open role requests for this person end.',
  enable_staff: 'The person can sign in again, without a role. Request a role next.',
  suspend_practice:
    'From the next request, keys and apps can’t reach its records. Running exports are canceled, production keys are stopped, and we notify both sides.',
  resume_practice:
    'Keys and apps can reach its records again, unless another restriction applies. We notify both sides.',
  suspend_key:
    'Its next request gets a 401 response. We notify its owner and, for a production key, the practice.',
  resume_key: 'Its requests work again, unless another restriction applies. We notify its owner.',
  revoke_key: 'It can’t be restored. We notify its owner and, for a production key, the practice.',
  grant_key_limits: 'It applies from the next request.',
  end_key_limits: 'The published limits apply from the next request.',
  suspend_client: 'It can’t get tokens, and its existing tokens are refused. We notify its owners.',
  resume_client: 'It can request tokens again. We notify its owners.',
  remove_client: 'Its client ID stops working. It can’t be restored. We notify its owners.',
  check_chain:
    'Every hash is recalculated from the first row. This takes a few seconds per hundred thousand rows.',
}

const fieldLabels: Readonly<Record<OpsActField, string>> = {
  name: 'Name',
  slug: 'Slug',
  environment: 'Environment',
  email: 'Email address',
  role: 'Role',
}
const fieldHints: Readonly<Partial<Record<OpsActField, string>>> = {
  name: 'The name patients and developers know.',
  slug: 'Lowercase letters, digits and hyphens. Part of its FHIR and REST addresses.',
  email: 'The link goes to this address only.',
}
const personNameHint = 'First and last name, as colleagues know them.'

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

/** The action that the page's URL requests; null without one. */
export const useRequested = () => useLoaderData<ActData>().act.requested

type ActData = Pick<Awaited<ReturnType<typeof openOps>>, 'act'>

/** The form of the action that the page's URL requests. @param about the row that the action changes */
export function OpsActionForm({ about }: { about?: ReactNode }) {
  const { requested, stepUp, back } = useLoaderData<ActData>().act
  if (!requested) return null
  return (
    <Card padded id="act" title={opsActions[requested.act].title}>
      {about && <p>{about}</p>}
      <p className="muted">{consequences[requested.act]}</p>
      {stepUp === null ? (
        <ActForm {...requested} back={back} />
      ) : (
        <div className="row">
          <ConfirmButton to={stepUp} />
          <Link to={back}>Cancel</Link>
        </div>
      )}
    </Card>
  )
}

function ActForm({ act, id, version, back }: RequestedAction & { back: string }) {
  return (
    <ContractForm
      labels={{ ...fieldLabels, reason: 'Reason' }}
      keepAs={`${act} ${id}`}
      hidden={{ act, id, version }}
      button={opsActions[act].title}
      busy="Saving"
      look={dangers.has(act) ? 'danger' : 'primary'}
      leave={<Link to={back}>Cancel</Link>}
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
        hint={`${opsReason.least} to ${opsReason.most} characters. Stored in the audit log with your name. People we notify can read it.`}
      />
    </ContractForm>
  )
}

/** Opens the form of an action on the same page, with the same search, filters and page number. */
export function OpsActionLink(props: {
  act: OpsAction
  id: string
  version: number
  label: string
  /** The row that the link is about, for screen readers. */
  about: string
}) {
  const { act, id, version, label, about } = props
  const query = new URLSearchParams(useLocation().search)
  for (const [name, value] of Object.entries({ act, id, version: String(version) })) query.set(name, value)
  return (
    <LinkButton size="sm" look={dangers.has(act) ? 'danger' : 'outline'} to={`?${query}`}>
      {label}
      <span className="sr"> {about}</span>
    </LinkButton>
  )
}
