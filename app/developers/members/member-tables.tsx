import { Form } from '@remix-run/react'
import type { OrganizationRole } from '../../../server/contract/portal/organization-roles.ts'
import type { Services } from '../../../server/services.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, LinkButton, Moment, Tag } from '../../components/ui/page-parts.tsx'

type Organization = Awaited<ReturnType<Services['organizations']['get']>>
type Member = Organization['members'][number]

interface MemberTableProps {
  members: readonly Member[]
  you: string
  yourRole: OrganizationRole
  /** Roles that the reader may grant. Without any, the table is read-only. */
  grantable: readonly OrganizationRole[]
  /** The page that resets a member's two-step sign-in; null if the reader may not. */
  resetOf: (accountId: string) => string | null
}

/** Members and their roles. Only people whose role the reader could have given can be changed. */
export function MemberTable({ members, you, grantable, resetOf }: MemberTableProps) {
  return (
    <Card>
      <DataTable label="Members" heads={['Name', 'Role', 'Since']} act="Actions" middle>
        {members.map((member) => (
          <Row key={member.accountId}>
            <Cell>
              <span className="label">{member.name}</span>
              {member.accountId === you && <span className="muted"> (you)</span>}
              <span className="sub">{member.email}</span>
            </Cell>
            <Cell label="Role">
              {grantable.includes(member.role) ? (
                <RoleForm member={member} grantable={grantable} />
              ) : (
                member.role
              )}
            </Cell>
            <Cell label="Since">
              <Moment at={member.since} as="date" />
            </Cell>
            <Cell className="act">
              <ResetLink name={member.name} to={resetOf(member.accountId)} />
              {grantable.includes(member.role) && member.accountId !== you && (
                <details className="drop inline-block">
                  <summary className="btn sm danger">
                    Remove<span className="sr"> {member.name}</span>
                  </summary>
                  <Form method="post" className="panel stack tight text-left">
                    <p className="small whitespace-normal">
                      {member.name} loses access to this organization immediately. Keys they created are kept.
                    </p>
                    <input type="hidden" name="member" value={member.accountId} />
                    <Button
                      type="submit"
                      size="sm"
                      look="danger"
                      className="filled"
                      name="intent"
                      value="remove"
                    >
                      Remove {member.name}
                    </Button>
                  </Form>
                </details>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}

function ResetLink({ name, to }: { name: string; to: string | null }) {
  return (
    to && (
      <LinkButton size="sm" to={to}>
        Reset the two-step sign-in<span className="sr"> of {name}</span>
      </LinkButton>
    )
  )
}

function RoleForm({ member, grantable }: { member: Member; grantable: readonly OrganizationRole[] }) {
  return (
    <Form method="post" className="row gap-2">
      <input type="hidden" name="member" value={member.accountId} />
      <select
        className="input small-select"
        name="role"
        defaultValue={member.role}
        key={member.role}
        aria-label={`Role of ${member.name}`}
      >
        {grantable.map((role) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </select>
      <Button type="submit" size="sm" name="intent" value="change-role">
        Change<span className="sr"> the role of {member.name}</span>
      </Button>
    </Form>
  )
}

type Invitation = Organization['invitations'][number]

export function InvitationTable({
  invitations,
  mayChange,
}: {
  invitations: readonly Invitation[]
  mayChange: boolean
}) {
  return (
    <Card id="invited" title="Invited">
      <DataTable label="Invitations" heads={['Email', 'Role', 'State', 'Invited by']} act="Actions" middle>
        {invitations.map((invitation) => (
          <Row key={invitation.id}>
            <Cell>
              <span className="label">{invitation.email}</span>
            </Cell>
            <Cell label="Role">{invitation.role}</Cell>
            <Cell label="State">
              {invitation.state === 'invited' ? (
                <>
                  Pending
                  <span className="sub">
                    Until <Moment at={invitation.expiresAt} />
                  </span>
                </>
              ) : (
                <Tag bare>Link expired</Tag>
              )}
            </Cell>
            <Cell label="Invited by">{invitation.invitedBy}</Cell>
            <Cell className="act">
              {mayChange && (
                <Form method="post">
                  <input type="hidden" name="invitation" value={invitation.id} />
                  <Button type="submit" size="sm" name="intent" value="renew">
                    Send again<span className="sr"> to {invitation.email}</span>
                  </Button>{' '}
                  <Button type="submit" size="sm" look="danger" name="intent" value="cancel">
                    Cancel<span className="sr"> the invitation of {invitation.email}</span>
                  </Button>
                </Form>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
