import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { UserX } from '../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { openOps, performAction } from './ops.server.ts'
import { OpsActionForm, OpsActionLink, useRequested } from './ops-action.tsx'

export const meta = () => [{ title: 'Staff · Sandpiper' }]

const pageActions = [
  'create_staff',
  'resend_staff_link',
  'request_staff_role',
  'approve_staff_role',
  'reject_staff_role',
  'withdraw_staff_role',
  'remove_staff_role',
  'disable_staff',
  'enable_staff',
] as const

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions, paths.staffPeople)
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const people = await args.context.services.operations.people.list(ask, actor)
  return { act, ...people }
})

export const action = page((args) => performAction(args, pageActions, paths.staffPeople))

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Person = Loaded['listed']['rows'][number]
type RoleRequest = Loaded['requests'][number]

const roles = { reviewer: 'Reviewer', ops: 'Operator' } as const
const states = {
  active: { tone: 'ok', label: 'Active' },
  invited: { tone: 'quiet', label: 'No password yet' },
  disabled: { tone: 'quiet', label: 'Disabled' },
} as const

export default function StaffPeople() {
  const { listed, requests } = useLoaderData<typeof loader>()
  const requested = useRequested()
  return (
    <>
      <PageHeader title="Staff">
        Reviewers decide on requests. Operators run the installation. Every role needs a second operator’s
        approval.
      </PageHeader>
      {requested ? (
        <OpsActionForm about={findAbout(requested.id, listed.rows, requests)} />
      ) : (
        <div>
          <OpsActionLink act="create_staff" id="" version={0} label="Create staff account" about="" />
        </div>
      )}
      {requests.length > 0 && <RoleRequests requests={requests} />}
      <ListSearch label="Name or email address" q={listed.q} />
      {listed.rows.length === 0 ? (
        <EmptyState icon={UserX} title="No staff account matches">
          Search for part of a name or email address.
        </EmptyState>
      ) : (
        <Card label="Staff accounts">
          <DataTable label="Staff accounts" heads={['Person', 'Role', 'State']} act="Actions">
            {listed.rows.map((person) => (
              <Row key={person.id}>
                <Cell>
                  {person.name}
                  <span className="sub breaks">{person.email}</span>
                </Cell>
                <Cell label="Role">
                  {person.role ? roles[person.role] : 'None'}
                  {person.roleRequested && <span className="sub">Role requested</span>}
                </Cell>
                <Cell label="State">
                  <Tag tone={states[person.state].tone}>{states[person.state].label}</Tag>
                  {person.own && <span className="sub">Your account</span>}
                  {person.isDemo && <span className="sub">Demonstration account</span>}
                </Cell>
                <Cell className="act">
                  <PersonActs person={person} />
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="staff accounts" listed={listed} />
        </Card>
      )}
    </>
  )
}

function PersonActs({ person }: { person: Person }) {
  const { id, version, name, role, state, isDemo, own, roleRequested } = person
  if (isDemo) return null
  const target = { id, version, about: `of ${name}` }
  if (state === 'disabled') return <OpsActionLink act="enable_staff" label="Enable" {...target} />
  return (
    <span className="row">
      {!own && !roleRequested && (
        <OpsActionLink act="request_staff_role" label={role ? 'Change role' : 'Request role'} {...target} />
      )}
      {state === 'invited' && role && (
        <OpsActionLink act="resend_staff_link" label="Send a new link" {...target} about={`to ${name}`} />
      )}
      {role && <OpsActionLink act="remove_staff_role" label="Remove role" {...target} />}
      <OpsActionLink act="disable_staff" label="Disable" {...target} about={`account of ${name}`} />
    </span>
  )
}

function RoleRequests({ requests }: { requests: readonly RoleRequest[] }) {
  return (
    <Card id="requests" title="Role requests">
      <DataTable label="Role requests" heads={['Person', 'Role', 'Requested by', 'Expires']} act="Actions">
        {requests.map((request) => (
          <Row key={request.id}>
            <Cell>
              {request.name}
              <span className="sub breaks">{request.email}</span>
            </Cell>
            <Cell label="Role">{roles[request.role]}</Cell>
            <Cell label="Requested by">
              {request.requestedBy}
              <span className="sub breaks">{request.reason}</span>
            </Cell>
            <Cell label="Expires">
              <Moment at={request.expiresAt} />
            </Cell>
            <Cell className="act">
              <RequestActs request={request} />
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}

function RequestActs({ request: { id, name, role, own, decidable } }: { request: RoleRequest }) {
  const target = { id, version: 0, about: `${roles[role]} for ${name}` }
  return (
    <span className="row">
      {own && <OpsActionLink act="withdraw_staff_role" label="Withdraw" {...target} />}
      {decidable && <OpsActionLink act="approve_staff_role" label="Approve" {...target} />}
      {decidable && <OpsActionLink act="reject_staff_role" label="Reject" {...target} />}
      {!own && !decidable && <span className="muted">Another operator must decide</span>}
    </span>
  )
}

/** Describes the person of the form in one line. */
function findAbout(id: string, people: readonly Person[], requests: readonly RoleRequest[]): string | null {
  const request = requests.find((candidate) => candidate.id === id)
  if (request) return `${roles[request.role]} for ${request.name}, ${request.email}`
  const person = people.find((candidate) => candidate.id === id)
  return person ? `${person.name}, ${person.email}` : null
}
