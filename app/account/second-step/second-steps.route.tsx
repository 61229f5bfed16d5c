/** Who has a second step: staff and people looked up, for operations; a practice's people, for its admins. */

import { Form, useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Services } from '../../../server/services.ts'
import { Cell, DataTable, ListSearch, Pager, Row } from '../../components/ui/list.tsx'
import { Button, Card, LinkButton, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { realmAmong } from '../../lib/sign-in-paths.ts'
import { actorOf, getSession, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Two-step sign-in · Sandpiper' }]

export const loader = page(async (args) => {
  const realm = realmAmong(args.request, ['staff', 'practice'])
  const session = await getSession(args, realm)
  const { mfaAdmin } = args.context.services
  const actor = actorOf(args, session)
  const query = new URL(args.request.url).searchParams
  const ask = readPageAsk(query)
  const looked = (query.get('email') ?? '').trim().slice(0, 320)
  const shown = { realm, looked: '', found: [] as Holders } as const
  if (realm === 'practice') return { ...shown, people: await mfaAdmin.listColleagues(ask, actor) }
  const found = looked === '' ? [] : await mfaAdmin.findByAddress(looked, actor)
  return { ...shown, looked, found, people: await mfaAdmin.listStaff(ask, actor) }
})

const roles = { reviewer: 'Reviewer', ops: 'Operations' } as const
const realmNames = {
  developer: 'Developer',
  staff: 'Staff',
  practice: 'Practice',
  patient: 'Patient',
} as const

export default function MfaList() {
  const { realm, people, looked, found } = useLoaderData<typeof loader>()
  const isStaff = realm === 'staff'
  const title = isStaff ? 'Two-step sign-in of staff' : 'Two-step sign-in'
  return (
    <>
      <PageHeader title={title}>
        Reset it for people who lost both their authenticator app and their recovery codes.
      </PageHeader>
      {(people.q !== '' || people.pages > 1) && <ListSearch label="Name or email address" q={people.q} />}
      {people.total > 0 ? (
        <Holders label={title} holders={people.rows} realm={realm} />
      ) : people.q !== '' ? (
        <p className="muted">No one matches “{people.q}”.</p>
      ) : (
        <p className="card pad">Practice admins find their own people here.</p>
      )}
      <Pager label="people" listed={people} />
      {isStaff && <LookUp looked={looked} found={found} />}
    </>
  )
}

function LookUp({ looked, found }: { looked: string; found: Holders }) {
  return (
    <section className="stack" aria-labelledby="look-up">
      <h2 id="look-up">Other people</h2>
      <Form method="get" className="card pad row">
        <div className="field grow">
          <label htmlFor="email">Email address of a developer or a practice’s staff</label>
          <input className="input" id="email" name="email" type="email" defaultValue={looked} />
        </div>
        <Button type="submit">Look up</Button>
      </Form>
      {looked !== '' &&
        (found.length === 0 ? (
          <p>No one signs in with this address.</p>
        ) : (
          <Holders label="Result" holders={found} realm="staff" />
        ))}
    </section>
  )
}

type Holders = Readonly<Awaited<ReturnType<Services['mfaAdmin']['findByAddress']>>>

interface HoldersProps {
  label: string
  holders: Holders
  realm: 'staff' | 'practice'
}

function Holders({ label, holders, realm }: HoldersProps) {
  const toReset = realm === 'staff' ? paths.resetMfa : paths.resetPracticeMfa
  return (
    <Card>
      <DataTable label={label} heads={['Person', 'Two-step sign-in']} act="Actions">
        {holders.map(({ accountId, name, email, staffRole, setUpAt, recoveryCodesLeft, ...rest }) => (
          <Row key={accountId}>
            <Cell>
              {name}
              {realm === 'staff' && `, ${staffRole ? roles[staffRole] : realmNames[rest.realm]}`}
              <span className="sub breaks">{email}</span>
            </Cell>
            <Cell label="Two-step sign-in">
              {setUpAt ? (
                <>
                  Since <Moment at={setUpAt} as="date" />
                  <span className="sub">{counted(recoveryCodesLeft, 'recovery code')} left</span>
                </>
              ) : rest.isDemo ? (
                'Not used (demonstration)'
              ) : rest.realm === 'developer' ? (
                'Not set up'
              ) : (
                'Setup at the next sign-in'
              )}
            </Cell>
            <Cell className="act">
              {rest.mayReset && (
                <LinkButton size="sm" to={toReset(accountId)}>
                  Reset<span className="sr"> the two-step sign-in of {name}</span>
                </LinkButton>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
