import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Banner, Card, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, refusalOf } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getLab } from './sandbox.server.ts'

export const meta = () => [{ title: 'Sandbox sign-ins · Sandpiper' }]
export const handle = { here: 'Test / Sign-ins' }

export const loader = page(async (args) => {
  const { organization, asker, sandbox } = await getLab(args)
  const { password, people } = await sandbox.signIns.list(asker)
  return {
    launch: paths.lab(organization.slug).launch,
    password,
    people: people.map(({ email, signIn }) => ({
      email,
      name: signIn.name,
      purpose: signIn.purpose,
      realm: signIn.realm,
      actsFor:
        signIn.realm === 'patient'
          ? signIn.actsFor.map(({ patientId }) => ({
              id: patientId,
              to: paths.sandboxPerson(organization.slug, patientId),
            }))
          : [],
      worksAs: signIn.realm === 'practice' ? (signIn.practitionerId ?? null) : null,
    })),
  }
})

/** No cache may store the page, because it shows a password. */
export const headers = () => ({ 'cache-control': 'no-store' })

export const action = page(async (args) => {
  const { organization, actor, sandbox } = await getLab(args)
  await readFields(args.request)
  try {
    await sandbox.signIns.resetPassword(organization.id, actor)
  } catch (thrown) {
    return refusalOf(thrown)
  }
  return goOn(paths.sandboxSignIns(organization.slug), 'people_password_reset')
})

type Person = ReturnType<typeof useLoaderData<typeof loader>>['people'][number]

export default function SandboxSignIns() {
  const { password, people, launch } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const peopleOf = (realm: Person['realm']) => people.filter((person) => person.realm === realm)
  return (
    <div className="page">
      <PageHeader title="Sign-ins">
        Synthetic people who can sign in at your sandbox practice. Resets, snapshots and restores don’t change
        them.
      </PageHeader>
      {wrong && <Banner tone="bad" title={wrong} />}
      <Card padded id="password" title="Password">
        <p className="row flex-nowrap">
          <code className="breaks">{password}</code>
          <CopyButton text={password} label="Copy the password" word="Copy" />
        </p>
        <Form method="post">
          <SubmitButton name="intent" value="reset" look="outline" busy="Saving">
            Change password
          </SubmitButton>
        </Form>
        <p className="small muted">
          One password for all of them. Changing it signs them out everywhere. What they allowed stays.
        </p>
      </Card>
      <People title="Patients" people={peopleOf('patient')}>
        They sign in on the page your app opens, and see what they allowed at{' '}
        <Link to={paths.patientSignIn}>{paths.patientSignIn}</Link>. Or start a launch in the{' '}
        <Link to={launch}>Launch simulator</Link>.
      </People>
      <People title="Clinicians and admin" people={peopleOf('practice')}>
        They sign in on the page your app opens, and to the practice console at{' '}
        <Link to={paths.practiceSignIn}>{paths.practiceSignIn}</Link>. The admin can stop access there, turn
        FHIR access off, and read the access record.
      </People>
    </div>
  )
}

interface PeopleProps {
  title: string
  people: readonly Person[]
  children: ReactNode
}

function People({ title, people, children }: PeopleProps) {
  return (
    <Card id={title.toLowerCase().replaceAll(' ', '-')} title={title}>
      <DataTable dense label={title} heads={['Name', 'Acts for, or works as', 'Email address']}>
        {people.map((person) => (
          <Row key={person.email}>
            <Cell>
              <span className="label breaks">{person.name}</span>
              <span className="sub wide-only">{person.purpose}</span>
            </Cell>
            <Cell>
              {person.actsFor.map(({ id, to }) => (
                <Link className="block" key={id} to={to}>
                  <code>{id}</code>
                </Link>
              ))}
              {person.worksAs && <code>{person.worksAs}</code>}
              {person.realm === 'practice' && person.worksAs === null && 'Admin'}
            </Cell>
            <Cell>
              <span className="row flex-nowrap">
                <code className="one-line">{person.email}</code>
                <CopyButton text={person.email} label={`Copy the email of ${person.name}`} />
              </span>
            </Cell>
          </Row>
        ))}
      </DataTable>
      <footer>{children}</footer>
    </Card>
  )
}
