import { Form } from '@remix-run/react'
import { limits } from '../../../server/contract/http/limits.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Button, Card, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import type { loadOwnSessions } from './own-sessions.server.ts'

type OwnSessionsProps = Omit<Awaited<ReturnType<typeof loadOwnSessions>>, 'account'>

/** Every browser in which the person is signed in, each with the button that ends it. */
export function OwnSessions({ sessions, sessionHours }: OwnSessionsProps) {
  const others = sessions.length - 1
  return (
    <>
      <PageHeader
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
        Every browser where you are signed in. If you don’t recognize one, end its session and change your
        password.
      </PageHeader>
      <Card>
        <DataTable label="Sessions" heads={['Browser', 'Address', 'Signed in', 'Ends']} act="End session">
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
                <Moment at={session.expiresAt} />
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
        </DataTable>
        <footer>
          A session expires after {sessionLife(sessionHours)}. You can have {limits.sessionsPerAccountMax}{' '}
          sessions. A new one then replaces the one you haven’t used for longest.
        </footer>
      </Card>
    </>
  )
}

function sessionLife(hours: number): string {
  return hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`
}
