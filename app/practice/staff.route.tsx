import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { practiceRoleNames, staffForms } from '../../server/contract/forms/production-keys.ts'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { Refusal } from '../components/ui/action-form.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { Field, optionsOf, Select } from '../components/ui/field.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { findStepUp } from '../lib/step-up.server.ts'
import { runAction } from '../lib/submission.server.ts'
import { here, page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { getPractice } from './practice.server.ts'
import { PracticeChooser } from './practice-chooser.tsx'

export const meta: MetaFunction = () => [{ title: 'Staff · Sandpiper' }]

type Role = keyof typeof practiceRoleNames
const roles = Object.keys(practiceRoleNames) as Role[]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, actor, account, practice, practices } = await getPractice(args, ['admin'])
  const query = new URL(args.request.url).searchParams
  const { people, invitations } = await args.context.services.practiceStaff.list(practice.id, actor, {
    people: readPageAsk(query),
    invitations: readPageAsk(query, { q: 'q', page: 'invitations-page' }),
  })
  return {
    account,
    practice: { slug: practice.slug, name: practice.name },
    practices,
    people,
    invitations,
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
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
  const { account, practice, practices, people, invitations, stepUp } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="Staff">
        Who works in this console for {practice.name}. An admin always stays; keys that somebody vouched for
        stop when they are no admin any more.
      </PageHeader>
      <PracticeChooser practice={practice} practices={practices} />
      <Refusal />
      {stepUp && (
        <Banner tone="turn" title="Changes need a fresh proof that it is you.">
          <Link to={stepUp}>Confirm that it is you</Link>
        </Banner>
      )}
      {(people.q !== '' || people.pages > 1 || invitations.pages > 1) && (
        <ListSearch label="Name or email address" q={people.q} />
      )}
      {people.q !== '' && people.total + invitations.total === 0 && (
        <p className="muted">Nobody matches “{people.q}”.</p>
      )}
      <Card label="People">
        <ul className="pad list">
          {people.rows.map((person) => (
            <Person key={person.accountId} person={person} mayChange={!stepUp} />
          ))}
        </ul>
        <Pager label="people" listed={people} />
      </Card>
      {invitations.total > 0 && <Invitations listed={invitations} />}
      {!stepUp && (
        <Form method="post" className="card pad stack" aria-label="Invite somebody">
          <h2>Invite somebody</h2>
          <Field name="email" label="Mail address" type="email" />
          <Select name="role" label="Role" value="admin" options={optionsOf(practiceRoleNames)} />
          <div>
            <SubmitButton name="intent" value="invite" busy="Sending">
              Send the invitation
            </SubmitButton>
          </div>
        </Form>
      )}
    </ConsoleFrame>
  )
}

interface RoleFormProps {
  intent: 'give' | 'take'
  account: string
  role: Role
  name: string
  children: React.ReactNode
}

function RoleForm({ intent, account, role, name, children }: RoleFormProps) {
  return (
    <Form method="post">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="role" value={role} />
      <SubmitButton size="sm" look={intent === 'take' ? 'danger' : 'outline'} name="intent" value={intent}>
        {children}
        <span className="sr">
          {' '}
          {role}, {name}
        </span>
      </SubmitButton>
    </Form>
  )
}

function Person({ person, mayChange }: { person: Loaded['people']['rows'][number]; mayChange: boolean }) {
  return (
    <li className="stack tight">
      <div>
        <b>{person.name}</b> <span className="small muted">{person.email}</span>
      </div>
      <ul className="stack tight">
        {person.roles.map((role) => (
          <li className="row between" key={role}>
            <span>{practiceRoleNames[role]}</span>
            {mayChange && (
              <RoleForm intent="take" account={person.accountId} role={role} name={person.name}>
                Take away
              </RoleForm>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <div className="row wraps">
          {roles
            .filter((role) => !person.roles.includes(role))
            .map((role) => (
              <RoleForm key={role} intent="give" account={person.accountId} role={role} name={person.name}>
                Make {role}
              </RoleForm>
            ))}
        </div>
      )}
    </li>
  )
}

function Invitations({ listed }: { listed: Loaded['invitations'] }) {
  return (
    <Card id="invited" title="Invited">
      <ul className="pad list">
        {listed.rows.map((invitation) => (
          <li className="row between" key={invitation.id}>
            <span>
              {invitation.email}, {invitation.role}
              <span className="sub">
                {invitation.over ? 'Ended ' : 'Until '}
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
