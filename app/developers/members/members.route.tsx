import { Link, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { invitationForm, roleForm } from '../../../server/contract/forms/account.ts'
import {
  mayGrant,
  type OrganizationRole,
  roleDescriptions,
} from '../../../server/contract/portal/organization-roles.ts'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { ListSearch, Pager } from '../../components/ui/list.tsx'
import { Card, Facts, PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runAction, runForm } from '../../lib/submission.server.ts'
import { findStepUp, getOrganization, page } from '../../services.server.ts'
import { InvitationTable, MemberTable } from './member-tables.tsx'

export const meta = () => [{ title: 'Members · Sandpiper' }]
export const handle = { here: 'Organization / Members' }

export const loader = page(async (args) => {
  const { session, organization, actor, mine } = await getOrganization(args)
  const { mfaAdmin } = args.context.services
  const { members, invitations, role, name } = await args.context.services.organizations.get(mine)
  const query = new URL(args.request.url).searchParams
  const listed = pageOf(readPageAsk(query), members, (member) => [member.name, member.email])
  const accountIds = listed.rows.map(({ accountId }) => accountId)
  const holders = await mfaAdmin.listMembers({ organizationId: organization.id, accountIds }, actor)
  return {
    name,
    role,
    you: session.accountId,
    grantable: mayGrant[role],
    members: listed,
    resettable: holders.filter(({ mayReset }) => mayReset).map(({ accountId }) => accountId),
    slug: organization.slug,
    stepUp: mayGrant[role].length > 0 ? findStepUp(args, session) : null,
    invitations: pageOf(
      readPageAsk(query, { q: 'q', page: 'invitations-page' }),
      invitations.filter((invitation) => invitation.state !== 'cancelled'),
      (invited) => [invited.email],
    ),
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { organizations } = args.context.services
  const fields = await readFields(args.request)
  const back = paths.organizationMembers(organization.slug)
  const organizationId = organization.id
  if (fields.get('intent') === 'invite')
    return runForm(fields, invitationForm, async (value) => {
      await organizations.invite({ organizationId, ...value }, actor)
      return goOn(back, 'invitation_sent')
    })
  return runAction(
    args,
    stepForms,
    {
      'change-role': ({ member, role }) =>
        organizations.changeRole({ organizationId, memberAccountId: member, role }, actor),
      remove: ({ member }) => organizations.removeMember({ organizationId, memberAccountId: member }, actor),
      renew: ({ invitation }) => organizations.renewInvitation({ invitationId: invitation }, actor),
      cancel: ({ invitation }) => organizations.cancelInvitation({ invitationId: invitation }, actor),
    },
    { to: (intent) => ({ path: back, done: doneByIntent[intent] }), fields },
  )
})

const invitation = z.object({ invitation: z.string() })
const stepForms = {
  'change-role': roleForm.extend({ member: z.string() }),
  remove: z.object({ member: z.string() }),
  renew: invitation,
  cancel: invitation,
}
const doneByIntent = {
  'change-role': 'role_changed',
  remove: 'member_removed',
  renew: 'invitation_renewed',
  cancel: 'invitation_cancelled',
} as const

export default function Members() {
  const { name, slug, grantable, members, invitations, you, role, resettable, stepUp } =
    useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Members">The people who work in {name}, and pending invitations.</PageHeader>
      <Refusal />
      {(members.q !== '' || members.pages > 1 || invitations.pages > 1) && (
        <ListSearch label="Name or email address" q={members.q} />
      )}
      {members.q !== '' && members.total + invitations.total === 0 && (
        <p className="muted">No one matches “{members.q}”.</p>
      )}
      <MemberTable
        members={members.rows}
        you={you}
        yourRole={role}
        grantable={grantable}
        resetOf={(accountId) =>
          resettable.includes(accountId) ? paths.resetMemberMfa(slug, accountId) : null
        }
      />
      <Pager label="members" listed={members} />
      {stepUp && (
        <p className="muted">
          To change a role, remove a member or invite an owner or admin,{' '}
          <Link to={stepUp}>confirm your password first</Link>.
        </p>
      )}
      {grantable.length > 0 && <InviteForm grantable={grantable} />}
      {invitations.total > 0 && (
        <>
          <InvitationTable invitations={invitations.rows} mayChange={grantable.length > 0} />
          <Pager label="invitations" listed={invitations} name="invitations-page" />
        </>
      )}
      <Card id="roles" title="Roles and permissions">
        <Facts className="pad facts wide" of={roleDescriptions} />
      </Card>
    </div>
  )
}

/** Invites one person by mail. */
function InviteForm({ grantable }: { grantable: readonly OrganizationRole[] }) {
  const options = grantable.map((role) => ({ value: role, label: role, sub: roleDescriptions[role] }))
  return (
    <Card
      id="invite"
      title="Invite a member"
      aside={<span className="small muted">The link in the email expires after seven days</span>}
    >
      <ContractForm
        labels={{ email: 'Work email', role: 'Role' }}
        defaultValue={{ role: 'developer' }}
        button="Send invitation"
        busy="Sending"
        className="pad stack read"
      >
        <input type="hidden" name="intent" value="invite" />
        <Field
          name="email"
          type="email"
          autoComplete="off"
          hint="They sign in or sign up with exactly this address."
        />
        <Choices name="role" options={options} />
      </ContractForm>
    </Card>
  )
}
