import { Form, Link, useLoaderData } from '@remix-run/react'
import { practiceRoleNames, staffForms } from '../../../server/contract/forms/production-keys.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Field, Select } from '../../components/ui/form.tsx'
import { Cell, DataTable, ListSearch, Pager, Row } from '../../components/ui/list.tsx'
import { Card, Moment, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { runAction } from '../../lib/submission.server.ts'
import { findStepUp, here, page } from '../../services.server.ts'
import { ConfirmBanner } from '../../shared/sign-in/confirm-first.tsx'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Staff · Sandpiper' }]

type Role = keyof typeof practiceRoleNames
const roles = Object.keys(practiceRoleNames) as Role[]

export const loader = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const query = new URL(args.request.url).searchParams
  const { people, invitations } = await args.context.services.practiceStaff.list(practice.id, actor, {
    people: readPageAsk(query),
    invitations: readPageAsk(query, { q: 'q', page: 'invitations-page' }),
  })
  const accountIds = people.rows.map(({ accountId }) => accountId)
  const holders = await args.context.services.mfaAdmin.listColleagues(accountIds, actor)
  return {
    practice: { slug: practice.slug, name: practice.name },
    mfa: Object.fromEntries(holders.map(({ accountId, ...holder }) => [accountId, holder])),
    people,
    invitations,
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { practiceStaff } = args.context.services
  const practiceId = practice.id
  return runAction(
    args,
    staffForms,
    {
      invite: (input) => practiceStaff.invite({ practiceId, ...input }, actor),
      give: ({ account, role }) => practiceStaff.give({ practiceId, accountId: account, role }, actor),
      take: ({ account, role }) => practiceStaff.take({ practiceId, accountId: account, role }, actor),
      cancel: ({ invitation }) => practiceStaff.cancel({ practiceId, invitationId: invitation }, actor),
    },
    {
      to: (intent) => ({
        path: here(args.request),
        done: intent === 'invite' ? 'practice_invited' : 'practice_staff_changed',
      }),
    },
  )
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function Staff() {
  const { practice, people, invitations, stepUp, mfa } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Staff">
        The people who sign in for {practice.name}, and their roles. At least one admin must remain.
      </PageHeader>
      <Refusal />
      {stepUp && (
        <ConfirmBanner to={stepUp} title="To invite people or change roles, confirm your password first." />
      )}
      {(people.q !== '' || people.pages > 1 || invitations.pages > 1) && (
        <ListSearch label="Name or email address" q={people.q} />
      )}
      {people.q !== '' && people.total + invitations.total === 0 && (
        <p className="muted">No one matches “{people.q}”.</p>
      )}
      {people.total > 0 && <People listed={people} mfa={mfa} mayChange={!stepUp} />}
      {invitations.total > 0 && <Invitations listed={invitations} />}
      <div className="grid main-aside">
        {stepUp ? <RoleWords /> : <InviteForm />}
        {!stepUp && <RoleWords />}
      </div>
    </>
  )
}

function InviteForm() {
  return (
    <Form method="post" className="card pad stack" aria-label="Invite a person">
      <h2>Invite a person</h2>
      <Field name="email" label="Email address" type="email" />
      <Select
        name="role"
        label="Role"
        value="admin"
        options={roles.map((role) => ({ value: role, label: capital(role) }))}
      />
      <SubmitButton name="intent" value="invite" busy="Sending">
        Send invitation
      </SubmitButton>
    </Form>
  )
}

/** What each role may do. */
function RoleWords() {
  return (
    <Card title="Roles" padded>
      <ul className="stack tight">
        {Object.values(practiceRoleNames).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <p className="small muted">
        If an admin who sponsors a key loses the role, the key stops until another admin becomes its sponsor.
      </p>
    </Card>
  )
}

const capital = (role: Role) => `${role.charAt(0).toUpperCase()}${role.slice(1)}`

interface RoleFormProps {
  intent: 'give' | 'take'
  account: string
  role: Role
  name: string
}

function RoleForm({ intent, account, role, name }: RoleFormProps) {
  const isTaken = intent === 'take'
  return (
    <Form method="post">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="role" value={role} />
      <SubmitButton size="sm" look={isTaken ? 'danger' : 'outline'} name="intent" value={intent}>
        {isTaken ? `Remove ${role}` : `Make ${role}`}
        <span className="sr">
          {isTaken ? ' role of ' : ': '}
          {name}
        </span>
      </SubmitButton>
    </Form>
  )
}

interface PeopleProps extends Pick<Loaded, 'mfa'> {
  listed: Loaded['people']
  mayChange: boolean
}

function People({ listed, mfa, mayChange }: PeopleProps) {
  return (
    <Card id="people" title="People">
      <DataTable
        label="People"
        heads={['Person', 'Roles', mayChange ? 'Change' : null].filter(Boolean)}
        middle
      >
        {listed.rows.map((person) => (
          <Row key={person.accountId}>
            <Cell>
              <span className="label">{person.name}</span>
              <span className="sub breaks">{person.email}</span>
              <MfaState name={person.name} accountId={person.accountId} holder={mfa[person.accountId]} />
            </Cell>
            <Cell label="Roles">{person.roles.map(capital).join(', ')}</Cell>
            {mayChange && (
              <Cell>
                <div className="row">
                  {roles.map((role) => (
                    <RoleForm
                      key={role}
                      intent={person.roles.includes(role) ? 'take' : 'give'}
                      account={person.accountId}
                      role={role}
                      name={person.name}
                    />
                  ))}
                </div>
              </Cell>
            )}
          </Row>
        ))}
      </DataTable>
      <Pager label="people" listed={listed} />
    </Card>
  )
}

interface MfaStateProps {
  accountId: string
  name: string
  holder: Loaded['mfa'][string] | undefined
}

/** Since when a person has two-step sign-in, with a link to reset it. */
function MfaState({ accountId, name, holder }: MfaStateProps) {
  if (!holder?.setUpAt) return null
  return (
    <span className="sub">
      Two-step sign-in since <Moment at={holder.setUpAt} as="date" />,{' '}
      {counted(holder.recoveryCodesLeft, 'recovery code')} left
      {holder.mayReset && (
        <>
          .{' '}
          <Link to={paths.resetPracticeMfa(accountId)}>
            Reset<span className="sr"> the two-step sign-in of {name}</span>
          </Link>
        </>
      )}
    </span>
  )
}

function Invitations({ listed }: { listed: Loaded['invitations'] }) {
  return (
    <Card id="invited" title="Invited">
      <ul className="pad list">
        {listed.rows.map((invitation) => (
          <li className="row between" key={invitation.id}>
            <span className="breaks">
              {invitation.email}, {invitation.role}
              <span className="sub">
                {invitation.over ? 'Expired ' : 'Expires '}
                <Moment at={invitation.expiresAt} />
              </span>
            </span>
            <Form method="post">
              <input type="hidden" name="invitation" value={invitation.id} />
              <SubmitButton size="sm" look="outline" name="intent" value="cancel">
                Withdraw<span className="sr"> the invitation of {invitation.email}</span>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      <Pager label="invitations" listed={listed} name="invitations-page" />
    </Card>
  )
}
