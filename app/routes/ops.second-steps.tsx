import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/paths.ts'
import { ConsoleFrame } from '../components/frames/console-frame.tsx'
import { LinkButton } from '../components/ui/button.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { Cell, Row, Table } from '../components/ui/table.tsx'
import { counted } from '../dates.ts'
import { actorOf, getSession, page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Second steps of staff · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'staff')
  return {
    account: { name: session.account.name, email: session.account.email },
    self: session.accountId,
    staff: await args.context.services.staffFactors.listStaff(actorOf(args, session)),
  }
})

const roles = { reviewer: 'Reviewer', ops: 'Operations' } as const

export default function SecondSteps() {
  const { account, self, staff } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="staff">
      <PageHead title="Second steps of staff">
        Who lost the app and the recovery codes gets a new start here.{' '}
        <Link to={paths.staff}>Back to the console</Link>
      </PageHead>
      <div className="card">
        <Table
          label="Second steps of staff"
          heads={[
            'Person',
            'Second step',
            <span className="sr" key="act">
              Actions
            </span>,
          ]}
        >
          {staff.map(({ accountId, name, email, staffRole, setUpAt, recoveryCodesLeft, isDemo }) => (
            <Row key={accountId}>
              <Cell>
                {name}, {roles[staffRole]}
                <span className="sub breaks">{email}</span>
              </Cell>
              <Cell label="Second step">
                {setUpAt ? (
                  <>
                    Since <Moment at={setUpAt} as="date" />
                    <span className="sub">{counted(recoveryCodesLeft, 'recovery code')} left</span>
                  </>
                ) : isDemo ? (
                  'A demonstration has none'
                ) : (
                  'To be set up at the next sign-in'
                )}
              </Cell>
              <Cell className="act">
                {setUpAt && accountId !== self && (
                  <LinkButton size="sm" to={paths.resetSecondStep(accountId)}>
                    Reset<span className="sr"> the second step of {name}</span>
                  </LinkButton>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      </div>
    </ConsoleFrame>
  )
}
