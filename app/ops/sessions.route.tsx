import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { UserX } from '../components/ui/icons.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader, Tabs } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { openOps, performAct, withoutAct } from './ops.server.ts'
import { OpsAct, OpsActLink, useAsked } from './ops-act.tsx'

export const meta = () => [{ title: 'Sessions · Sandpiper' }]

const mine = ['end_session', 'end_sessions'] as const
const realmNames = {
  developer: 'Developers',
  staff: 'Staff',
  practice: 'Practices',
  patient: 'Patients',
} as const
type SessionRealm = keyof typeof realmNames

function readRealm(request: Request): SessionRealm | null {
  const realm = new URL(request.url).searchParams.get('realm') ?? ''
  return Object.hasOwn(realmNames, realm) ? (realm as SessionRealm) : null
}

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, mine)
  const realm = readRealm(args.request)
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const list = await args.context.services.operations.sessions.list({ realm, ask }, actor)
  return { act, realm, ...list }
})

export const action = page((args) => performAct(args, mine, withoutAct(args.request)))

export default function Sessions() {
  const { realm, sessions: listed, counts } = useLoaderData<typeof loader>()
  const asked = useAsked()
  const { rows: sessions, q } = listed
  const about = sessions.find(({ id, accountId }) => id === asked?.id || accountId === asked?.id)
  const every = counts.reduce((sum, { live }) => sum + live, 0)
  return (
    <>
      <PageHeader title="Sessions">Who is signed in now, and from where.</PageHeader>
      <OpsAct about={about ? `${about.name}, ${about.email}` : null} />
      <Tabs
        label="Sessions by sign-in page"
        tabs={[
          { to: '?', label: 'All', count: every, current: realm === null },
          ...counts.map((each) => ({
            to: `?realm=${each.realm}`,
            label: realmNames[each.realm],
            count: each.live,
            current: each.realm === realm,
          })),
        ]}
      />
      <ListSearch label="Name or email address" q={q} />
      {sessions.length === 0 && q !== '' ? (
        <p className="muted">No session matches “{q}”.</p>
      ) : sessions.length === 0 ? (
        <EmptyState icon={UserX} title="No one is signed in here">
          Sessions expire after twelve hours for staff and after thirty days for developers.
        </EmptyState>
      ) : (
        <Card label="Active sessions">
          <DataTable label="Active sessions" heads={['Person', 'Device', 'Last seen']} act="Actions">
            {sessions.map((row) => (
              <Row key={row.id}>
                <Cell>
                  {row.name}
                  <span className="sub breaks">{row.email}</span>
                </Cell>
                <Cell label="Device">
                  {row.device}
                  <span className="sub">
                    <code className="breaks">{row.ip}</code>
                  </span>
                </Cell>
                <Cell label="Last seen">
                  <Moment at={row.lastSeenAt} />
                  <span className="sub">
                    {row.own ? 'this session, ' : ''}since <Moment at={row.createdAt} as="date" />
                  </span>
                </Cell>
                <Cell className="act">
                  <span className="row">
                    <OpsActLink
                      act="end_session"
                      id={row.id}
                      version={0}
                      label="End"
                      of={`this session of ${row.name}`}
                    />
                    <OpsActLink
                      act="end_sessions"
                      id={row.accountId}
                      version={0}
                      label="End all sessions"
                      of={`: sessions of ${row.name}`}
                    />
                  </span>
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="sessions" listed={listed} />
        </Card>
      )}
    </>
  )
}
