import { Form, Link } from '@remix-run/react'
import { Card } from '../components/ui/card.tsx'
import { ChevronRight, Search } from '../components/ui/icons.ts'
import { recordDate } from '../lib/dates.ts'
import {
  AppHeading,
  type AuthorizeApp,
  DenyForm,
  UnregisteredNotice,
} from '../shared/consent/app-heading.tsx'
import type { AuthorizePerson } from '../shared/consent/consent-view.ts'

interface PersonChoiceProps {
  app: AuthorizeApp
  account: { name: string }
  people: readonly AuthorizePerson[]
  /** A clinician's last search. */
  search: { q: string; found: readonly AuthorizePerson[] } | null
}

const relationships: Readonly<Record<string, string>> = { self: 'You', parent: 'Your child' }

/** Whose record the app is to see: a parent has a short list, a clinician looks the patient up. */
export function PersonChoice({ app, account, people, search }: PersonChoiceProps) {
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
        <div className="field">
          <label htmlFor="q">Name or medical record number</label>
          <input
            className="input"
            id="q"
            name="q"
            type="search"
            maxLength={100}
            defaultValue={search?.q}
            autoComplete="off"
          />
        </div>
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
