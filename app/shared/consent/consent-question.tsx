import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CircleUserRound, ShieldCheck } from '../../components/ui/icons.ts'
import { Moment, Tag } from '../../components/ui/page-parts.tsx'
import { recordDate } from '../../lib/dates.ts'
import { type AuthorizeApp, UnregisteredNotice } from './app-heading.tsx'
import type { AuthorizePerson } from './consent-view.ts'

interface QuestionProps {
  app: AuthorizeApp
  person: AuthorizePerson | null
  identity: boolean
  beyondOnePerson: boolean
  /** `h2` if the question is part of another page. */
  heading?: 'h1' | 'h2'
}

/** Says which app wants to read which records. */
export function Question({ app, person, identity, beyondOnePerson, heading: Heading = 'h1' }: QuestionProps) {
  const { name, logo, organizationName, goesBackTo, unregistered } = app
  const isOwnRecord = person?.relationship === 'self'
  return (
    <div className="stack tight">
      {logo && <img className="app-badge logo" src={logo} alt="" width={48} height={48} />}
      <Heading>
        {isOwnRecord
          ? `“${name}” wants to read your health record`
          : person && !beyondOnePerson
            ? `“${name}” wants to read the health record of ${person.name}`
            : `“${name}” wants to read records at ${app.practiceName}`}
      </Heading>
      {!unregistered && (
        <p>
          Published by <b>{organizationName ?? 'Sandpiper, as a sample'}</b>
          <span className="small muted block">
            Afterwards you return to {goesBackTo ? <code>{goesBackTo}</code> : 'the app on this device'}
          </span>
        </p>
      )}
      {!unregistered && app.environment === 'production' && (
        <p>
          <Tag tone="ok" icon={ShieldCheck} bare>
            Reviewed by Sandpiper
            {app.reviewedAt && (
              <>
                {' '}
                on <Moment at={app.reviewedAt} as="date" />
              </>
            )}
          </Tag>
        </p>
      )}
      <p className="muted">
        The app can’t change or delete anything.
        {identity && ' It also gets your name and contact details.'}
      </p>
      {beyondOnePerson && (
        <p>
          {app.realm === 'practice'
            ? `The app can read what you can read, for every patient of ${app.practiceName}.`
            : 'The app can read what you can read here.'}
        </p>
      )}
      <UnregisteredNotice app={app} />
    </div>
  )
}

interface PersonCardProps {
  app: AuthorizeApp
  account: { name: string }
  person: AuthorizePerson | null
  canChoose: boolean
  /** The id of the form that switches accounts. */
  switchForm: string
}

/** The person whose record it is, and the account that is signed in. */
export function PersonCard({ app, account, person, canChoose, switchForm }: PersonCardProps) {
  const isOtherPerson = person !== null && person.relationship !== 'self'
  const born = person?.birthDate && `Born ${recordDate(person.birthDate)}`
  const synthetic = person && app.environment === 'sandbox' && 'synthetic person'
  const notYou = !app.unregistered && (
    <button className="link" type="submit" form={switchForm} name="intent" value="switch">
      Not you?
    </button>
  )
  const chooseAnother = canChoose && <Link to="?">Choose another person</Link>
  return (
    <div className="me">
      <CircleUserRound className="i" />
      <div className="small muted">
        <p className="row between">
          <b>{person?.name ?? account.name}</b>
          {isOtherPerson ? chooseAnother : notYou}
        </p>
        {person && <p>{[born, synthetic].filter(Boolean).join(', ')}</p>}
        <p>
          {person ? 'Record at' : 'Signed in at'} {app.practiceName}
        </p>
        {isOtherPerson && (
          <p>
            {app.unregistered ? 'Signed in by the launch as' : 'Signed in as'} {account.name}. {notYou}
          </p>
        )}
        {!isOtherPerson && chooseAnother && <p>{chooseAnother}</p>}
      </div>
    </div>
  )
}

interface EarlierProps {
  earlier: { grantedAt: Date; reads: readonly string[] }
  app: AuthorizeApp
}

/** Says that a second authorization extends the first. It does not replace it, so it can't narrow it. */
export function Earlier({ earlier: { grantedAt, reads }, app: { name, realm } }: EarlierProps) {
  return (
    <section className="note" aria-label="What you allowed before">
      <details>
        <summary>
          You allowed {name} on <Moment at={grantedAt} as="date" />. What you allow now comes in addition.
        </summary>
        <p className="small muted">
          It can already read: {reads.length === 0 ? 'only who you are' : reads.join(' · ')}. To allow less,
          first stop {name} under{' '}
          <Link to={realm === 'patient' ? paths.patientApps : paths.practiceApps}>Apps you allowed</Link>.
        </p>
      </details>
    </section>
  )
}
