import { Form, useLoaderData } from '@remix-run/react'
import { limits } from '../../../server/contract/http/limits.ts'
import { realms } from '../../../server/contract/portal/realms.ts'
import { describeDevice } from '../../../server/contract/text/device.ts'
import { KeyRound, ShieldOff } from '../../components/ui/icons.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, Button, Card, LinkButton, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { proofPaths, realmAmong } from '../../lib/sign-in-paths.ts'
import { goOn, readFields } from '../../lib/submission.server.ts'
import {
  getSession,
  here,
  type PageArgs,
  type PortalSession,
  page,
  visitorOf,
} from '../../services.server.ts'
import { RealmPage } from '../../shared/frames/realm-page.tsx'

export const meta = () => [{ title: 'Sessions · Sandpiper' }]
export const handle = { here: 'Sessions' }

const getOwn = (args: PageArgs) =>
  getSession(args, realmAmong(args.request, ['developer', 'staff', 'practice', 'patient']))

export const loader = page(async (args) => {
  const own = await getOwn(args)
  const sessions = await args.context.services.sessions.listForAccount(own.accountId)
  return {
    sessionHours: realms[own.realm].sessionHours,
    sessions: sessions.map(({ id, createdAt, expiresAt, ip, userAgent }) => ({
      id,
      createdAt,
      expiresAt,
      ip,
      device: describeDevice(userAgent),
      own: id === own.id,
    })),
    mfa: await readMfa(args, own),
  }
})

/** The page for people who must use two-step sign-in. Developers have it on the account page. */
async function readMfa({ context }: PageArgs, { realm, accountId, mfaState: state }: PortalSession) {
  if (realm !== 'practice' && realm !== 'staff') return null
  const { recoveryCodesLeft } = await context.services.mfaFactors.find(accountId)
  const others = realm === 'practice' ? 'Admins and signatories' : 'Staff of their own'
  return { state, recoveryCodesLeft, recoveryCodes: proofPaths[realm].recoveryCodes, others }
}

export const action = page(async (args) => {
  const own = await getOwn(args)
  const { accounts } = args.context.services
  const fields = await readFields(args.request)
  if (fields.get('intent') === 'end-others') {
    await accounts.endOtherSessions(own, visitorOf(args))
    return goOn(here(args.request), 'sessions_ended')
  }
  const sessionId = String(fields.get('session') ?? '')
  await accounts.endSession({ session: own, sessionId }, visitorOf(args))
  return goOn(here(args.request), 'session_ended')
})

/** Every browser in which the person is signed in, each with the button that ends it. */
export default function Sessions() {
  const { sessions, sessionHours, mfa } = useLoaderData<typeof loader>()
  const others = sessions.length - 1
  return (
    <RealmPage>
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
      {mfa && <MfaBanner {...mfa} />}
    </RealmPage>
  )
}

const sessionLife = (hours: number): string => (hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`)

/** With this many recovery codes or fewer, the page suggests new ones. */
const recoveryCodesFew = 3

interface MfaBannerProps {
  state: 'not_asked' | 'not_set_up' | 'needed' | 'given'
  recoveryCodesLeft: number
  /** The page for new recovery codes. */
  recoveryCodes: string
  /** The people who must use two-step sign-in. Shown for demonstration sign-ins, which don't use it. */
  others: string
}

/** Whether two-step sign-in is set up, on the first page after sign-in. */
function MfaBanner({ state, recoveryCodesLeft, recoveryCodes, others }: MfaBannerProps) {
  if (state === 'not_asked')
    return (
      <Banner tone="wait" icon={ShieldOff} title="A demonstration sign-in doesn’t use two-step sign-in.">
        {others} set up an authenticator app at their first sign-in and use its code every time.
      </Banner>
    )
  if (state !== 'given') return null
  return (
    <Banner
      tone={recoveryCodesLeft > recoveryCodesFew ? 'ok' : 'turn'}
      icon={KeyRound}
      title={`${counted(recoveryCodesLeft, 'recovery code')} left.`}
      action={<LinkButton to={recoveryCodes}>Make new ones</LinkButton>}
    >
      Use one if you lose your authenticator app.
    </Banner>
  )
}
