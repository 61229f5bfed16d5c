import {
  Form,
  isRouteErrorResponse,
  Link,
  type MetaFunction,
  useActionData,
  useLoaderData,
  useRouteError,
} from '@remix-run/react'
import type { ReactNode } from 'react'
import { Field } from '../components/ui/form.tsx'
import { ChevronRight, Hourglass, Search, UserRoundX } from '../components/ui/icons.ts'
import { Card } from '../components/ui/page-parts.tsx'
import { recordDate } from '../lib/dates.ts'
import { page } from '../services.server.ts'
import {
  AppFacts,
  AppHeading,
  type AuthorizeApp,
  DenyForm,
  UnregisteredNotice,
} from '../shared/consent/app-heading.tsx'
import { ConsentForm } from '../shared/consent/consent-form.tsx'
import type { AuthorizePerson } from '../shared/consent/consent-view.ts'
import { ErrorPage } from '../shared/frames/error-page.tsx'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { SignInForm } from '../shared/sign-in/sign-in-form.tsx'
import { answerStep, loadStep } from './authorize.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.app.name} requests access · Sandpiper` : 'App access request · Sandpiper' },
  { name: 'robots', content: 'noindex' },
]

export const loader = page(loadStep)
export const action = page(answerStep)

/** The response of a step. A refused sign-in has no kind. */
function useAnswer() {
  const answer = useActionData<typeof action>()
  return {
    search: answer && 'kind' in answer && answer.kind === 'found' ? answer : null,
    sent: answer && 'kind' in answer && answer.kind === 'sent' ? answer : null,
  }
}

export default function Authorize() {
  const view = useLoaderData<typeof loader>()
  const { search, sent } = useAnswer()
  switch (view.step) {
    case 'sign_in':
      return (
        <Frame>
          <AppHeading app={view.app} />
          <div className="stack tight">
            <h1>Sign in to {view.app.practiceName}</h1>
            <p className="muted">
              {view.app.realm === 'patient'
                ? `${view.app.name} requests access to a health record. Sign in as a patient, then decide.`
                : `${view.app.name} requests access to health records. Sign in as a clinician, then decide.`}
            </p>
          </div>
          <SignInForm emailLabel="Email" />
          <DenyForm app={view.app} />
          <AppFacts app={view.app} />
        </Frame>
      )
    case 'not_eligible':
      return (
        <Frame>
          <AppHeading app={view.app} account={view.account} />
          <section className="card empty">
            <UserRoundX className="i" />
            <h1>You can’t decide with this sign-in</h1>
            <p>
              {view.kind === 'other_clinician'
                ? `Another clinician opened ${view.app.name}. Sign in as that clinician, or open the app again yourself.`
                : `${view.account.email} has no record or role at ${view.app.practiceName} that ${view.app.name} could use. Sign in with a different account.`}
            </p>
          </section>
          <DenyForm app={view.app} />
        </Frame>
      )
    case 'choose':
      return (
        <Frame>
          <PersonChoice app={view.app} account={view.account} people={view.people} search={search} />
        </Frame>
      )
    case 'consent':
      return (
        <PublicFrame plain bare>
          <ConsentForm {...view} sent={sent} />
        </PublicFrame>
      )
  }
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <PublicFrame plain bare>
      <div className="auth">{children}</div>
    </PublicFrame>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorPage />
  return (
    <Frame>
      <section className="card empty">
        <Hourglass className="i" />
        <h1>This request is no longer open</h1>
        <p>
          {error.data?.message ??
            'It was already answered, is older than ten minutes, or was started in another browser.'}
        </p>
        <p>You didn’t allow anything on this page. Go back to the app and connect again.</p>
      </section>
    </Frame>
  )
}

interface PersonChoiceProps {
  app: AuthorizeApp
  account: { name: string }
  people: readonly AuthorizePerson[]
  /** A clinician's last search. */
  search: { q: string; found: readonly AuthorizePerson[] } | null
}

const relationships: Readonly<Record<string, string>> = { self: 'You', parent: 'Your child' }

/** Chooses the patient: a parent has a short list, a clinician searches. */
function PersonChoice({ app, account, people, search }: PersonChoiceProps) {
  return (
    <>
      <AppHeading app={app} account={account} />
      <UnregisteredNotice app={app} />
      <div className="stack tight">
        <h1>Whose record?</h1>
        <p className="muted">
          {app.name} can use one person’s record at a time. On the next page you decide what it may read.
        </p>
      </div>
      {app.realm === 'practice' ? (
        <PatientSearch search={search} />
      ) : (
        <PersonList people={people} label="People you act for" />
      )}
      <DenyForm app={app} />
    </>
  )
}

function PatientSearch({ search }: Pick<PersonChoiceProps, 'search'>) {
  return (
    <Card>
      <Form method="post" className="pad stack" role="search">
        <Field
          name="q"
          label="Name or medical record number"
          type="search"
          maxLength={100}
          value={search?.q}
          autoComplete="off"
        />
        <button className="btn primary" type="submit" name="intent" value="search">
          <Search className="i" />
          Search
        </button>
      </Form>
      <div role="status">
        {search &&
          (search.found.length === 0 ? (
            <p className="pad border-t">No one at this practice matches. Try the start of the family name.</p>
          ) : (
            <PersonList people={search.found} label="Patients found" bare />
          ))}
      </div>
    </Card>
  )
}

function PersonList({
  people,
  label,
  bare,
}: {
  people: readonly AuthorizePerson[]
  label: string
  bare?: boolean
}) {
  return (
    <ul className={bare ? 'people border-t' : 'people card'} aria-label={label}>
      {people.map(({ patientId, name, birthDate, relationship }) => (
        <li key={patientId}>
          <Link to={`?${new URLSearchParams({ patient: patientId })}`}>
            <span className="grow">
              <span className="label">{name}</span>
              <span className="sub">
                {[
                  relationship && (relationships[relationship] ?? relationship),
                  birthDate && `born ${recordDate(birthDate)}`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </span>
            <ChevronRight className="i" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
