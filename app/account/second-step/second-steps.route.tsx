/** Operations find a person who has lost MFA by the email address of the account. */
import { useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Cell, DataTable, ListSearch, Row } from '../../components/ui/list.tsx'
import { Card, LinkButton, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { actorOf, getSession, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Two-step sign-in · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const email = (new URL(args.request.url).searchParams.get('email') ?? '').trim().slice(0, 320)
  const found = await args.context.services.mfaAdmin.findByAddress(email, actorOf(args, session))
  return { email, found }
})

const realmNames = {
  developer: 'Developer',
  staff: 'Staff',
  practice: 'Practice',
  patient: 'Patient',
} as const

export default function FindMfa() {
  const { email, found } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Two-step sign-in">
        Reset it for people who lost both their authenticator app and their recovery codes. Practice admins do
        it for their own people.
      </PageHeader>
      <ListSearch label="Whole email address" name="email" q={email} />
      {email !== '' && found.length === 0 && <p>No one signs in with this address.</p>}
      {found.length > 0 && (
        <Card>
          <DataTable label="Result" heads={['Person', 'Two-step sign-in']} act="Actions">
            {found.map(({ accountId, name, realm, setUpAt, recoveryCodesLeft, isDemo, mayReset }) => (
              <Row key={accountId}>
                <Cell>
                  {name}, {realmNames[realm]}
                </Cell>
                <Cell label="Two-step sign-in">
                  {setUpAt ? (
                    <>
                      Since <Moment at={setUpAt} as="date" />
                      <span className="sub">{counted(recoveryCodesLeft, 'recovery code')} left</span>
                    </>
                  ) : isDemo ? (
                    'Not used (demonstration)'
                  ) : realm === 'developer' ? (
                    'Not set up'
                  ) : (
                    'Setup at the next sign-in'
                  )}
                </Cell>
                <Cell className="act">
                  {mayReset && (
                    <LinkButton size="sm" to={paths.resetMfa(accountId)}>
                      Reset<span className="sr"> the two-step sign-in of {name}</span>
                    </LinkButton>
                  )}
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      )}
    </>
  )
}
