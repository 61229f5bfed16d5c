import type { MetaFunction } from '@remix-run/react'
import { Form, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/paths.ts'
import { Button } from '../components/ui/button.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { doneCookie } from '../flash.ts'
import { getSession, page, visitorOf } from '../services.server.ts'
import { readFields } from '../submission.server.ts'
import { deviceOf } from '../user-agent.ts'

export const meta: MetaFunction = () => [{ title: 'Sessions · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const own = await getSession(args, 'developer')
  const sessions = await args.context.services.sessions.listForAccount(own.accountId)
  return sessions.map(({ id, createdAt, expiresAt, ip, userAgent }) => ({
    id,
    createdAt,
    expiresAt,
    ip,
    device: deviceOf(userAgent),
    own: id === own.id,
  }))
})

export const action = page(async (args: ActionFunctionArgs) => {
  const own = await getSession(args, 'developer')
  const { accounts } = args.context.services
  const fields = await readFields(args.request)
  if (fields.get('intent') === 'end-others') {
    await accounts.endOtherSessions(own, visitorOf(args))
    return redirect(paths.sessions, { headers: { 'set-cookie': doneCookie('sessions_ended') } })
  }
  const sessionId = String(fields.get('session') ?? '')
  await accounts.endSession({ session: own, sessionId }, visitorOf(args))
  return redirect(paths.sessions, { headers: { 'set-cookie': doneCookie('session_ended') } })
})

export default function Sessions() {
  const sessions = useLoaderData<typeof loader>()
  const others = sessions.length - 1
  return (
    <div className="page">
      <PageHead
        title="Sessions"
        action={
          others > 0 && (
            <Form method="post">
              <Button type="submit" look="danger" name="intent" value="end-others">
                End all others
              </Button>
            </Form>
          )
        }
      >
        Every browser that is signed in as you. End one you do not know, then change your password.
      </PageHead>
      <section className="card">
        <Table
          label="Sessions"
          heads={[
            'Browser',
            'Address',
            'Signed in',
            'Ends',
            <span className="sr" key="end">
              End it
            </span>,
          ]}
        >
          {sessions.map((session) => (
            <Row key={session.id}>
              <Cell>
                <span className="label">{session.device}</span>
                {session.own && (
                  <span className="sub">
                    <Tag tone="ok" bare>
                      This browser
                    </Tag>
                  </span>
                )}
              </Cell>
              <Cell label="Address">{session.ip}</Cell>
              <Cell label="Signed in">
                <Moment at={session.createdAt} />
              </Cell>
              <Cell label="Ends">
                <Moment at={session.expiresAt} as="date" />
              </Cell>
              <Cell className="act">
                {!session.own && (
                  <Form method="post">
                    <input type="hidden" name="session" value={session.id} />
                    <Button type="submit" look="danger" size="sm">
                      End<span className="sr"> the session of {session.device}</span>
                    </Button>
                  </Form>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
        <footer>A session ends on its own after 30 days. Ending one works at once.</footer>
      </section>
    </div>
  )
}
