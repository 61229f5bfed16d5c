import type { MetaFunction } from '@remix-run/react'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { UserX } from 'lucide-react'
import { paths } from '../../server/contract/paths.ts'
import { OpsFrame } from '../components/frames/ops-frame.tsx'
import { OpsAct, OpsActLink } from '../components/records/ops-act.tsx'
import { Line } from '../components/records/production-acts.tsx'
import { Button } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { Tabs } from '../components/ui/tabs.tsx'
import { getOps, performAct, readAsked } from '../ops.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Sessions · Sandpiper' }]

const mine = ['end_session', 'end_sessions'] as const
const doors = {
  developer: 'Developers',
  staff: 'Staff',
  practice: 'Practices',
  patient: 'Patients',
} as const
type Door = keyof typeof doors

function readFilter(request: Request): { realm: Door | null; email: string } {
  const query = new URL(request.url).searchParams
  const realm = query.get('realm') ?? ''
  return {
    realm: Object.hasOwn(doors, realm) ? (realm as Door) : null,
    email: (query.get('email') ?? '').trim().slice(0, 320),
  }
}

const keep = ({ realm, email }: { realm: Door | null; email: string }) => ({
  ...(realm ? { realm } : {}),
  ...(email ? { email } : {}),
})

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account, stepUp } = await getOps(args)
  const filter = readFilter(args.request)
  const list = await args.context.services.operations.sessions.list(filter, actor)
  return { account, stepUp, filter, asked: readAsked(args.request, mine), ...list }
})

export const action = page((args: ActionFunctionArgs) =>
  performAct(args, mine, `${paths.staffSessions}?${new URLSearchParams(keep(readFilter(args.request)))}`),
)

export default function Sessions() {
  const { account, stepUp, filter, asked, sessions, counts } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()?.lastResult
  const about = sessions.find(({ id, accountId }) => id === asked?.id || accountId === asked?.id)
  const every = counts.reduce((sum, { live }) => sum + live, 0)
  return (
    <OpsFrame account={account} title="Sessions" lead="Who is signed in at this moment, and from where.">
      {asked && (
        <OpsAct
          asked={asked}
          about={about ? `${about.name}, ${about.email}` : null}
          stepUp={stepUp}
          lastResult={lastResult}
          back={`${paths.staffSessions}?${new URLSearchParams(keep(filter))}`}
        />
      )}
      <Tabs
        label="Sessions by front door"
        tabs={[
          { to: '?', label: 'All', count: every, current: filter.realm === null },
          ...counts.map(({ realm, live }) => ({
            to: `?realm=${realm}`,
            label: doors[realm],
            count: live,
            current: filter.realm === realm,
          })),
        ]}
      />
      <Form method="get" className="card pad stack" role="search" aria-label="Find a person">
        {filter.realm && <input type="hidden" name="realm" value={filter.realm} />}
        <Line id="email" name="email" type="email" label="Mail address" value={filter.email} />
        <div>
          <Button type="submit">Look up</Button>
        </div>
      </Form>
      {sessions.length === 0 ? (
        <Empty icon={UserX} title="Nobody is signed in here">
          Sessions end by themselves: after twelve hours for staff, after thirty days for developers.
        </Empty>
      ) : (
        <section className="card" aria-label="Live sessions">
          <Table
            label="Live sessions"
            heads={[
              'Person',
              'Device',
              'Last seen',
              <span className="sr" key="act">
                Actions
              </span>,
            ]}
          >
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
                      keep={keep(filter)}
                    />
                    <OpsActLink
                      act="end_sessions"
                      id={row.accountId}
                      version={0}
                      label="End all of theirs"
                      of={`: sessions of ${row.name}`}
                      keep={keep(filter)}
                    />
                  </span>
                </Cell>
              </Row>
            ))}
          </Table>
          <footer>At most two hundred, the last seen first.</footer>
        </section>
      )}
    </OpsFrame>
  )
}
