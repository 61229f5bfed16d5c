import { Form, Link } from '@remix-run/react'
import { Info, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { useHydrated } from '../../components/ui/hydrated.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { AppFacts, AppHeading, type AuthorizeApp, UnregisteredNotice } from './app-heading.tsx'
import { type AuthorizePerson, type ConsentLine, countParts } from './consent-view.ts'
import { ScopeChoices } from './scope-choices.tsx'

type Lasting = 'offline' | 'online' | 'hour'

interface ConsentFormProps {
  app: AuthorizeApp
  account: { name: string; email: string }
  person: AuthorizePerson | null
  canChoose: boolean
  lines: readonly ConsentLine[]
  identity: boolean
  beyondOnePerson: boolean
  lasting: Lasting | null
  /** What it can read already, from an authorization that is still live. */
  earlier: { grantedAt: Date | string; reads: readonly string[] } | null
  /** What was wrong with the last answer, and what was ticked in it. */
  wrong: { message: string; choice: { types: string[]; picks: string[]; lasting: boolean } } | null
}

/** The question itself: what, for how long, yes or no. */
export function ConsentForm(props: ConsentFormProps) {
  const { app, account, person, lines, lasting, wrong } = props
  const [ticked, setTicked] = useState<number | null>(null)
  const hydrated = useHydrated()
  const all = countParts(lines)
  const count = hydrated && ticked !== null && all > 0 ? ` ${ticked} of ${all}` : ''
  return (
    <>
      <AppHeading app={app} account={account} />
      <UnregisteredNotice app={app} />
      <Question {...props} />
      <Form method="post" reloadDocument className="card">
        {wrong && (
          <p className="banner bad m-4" role="alert">
            <TriangleAlert className="i" />
            <strong>{wrong.message}</strong>
          </p>
        )}
        {person && <input type="hidden" name="patient" value={person.patientId} />}
        {props.earlier && <Earlier earlier={props.earlier} app={app} />}
        {lines.length > 0 && (
          <ScopeChoices
            legend={`What ${app.name} may read`}
            lines={lines}
            chosen={wrong?.choice ?? null}
            onCount={setTicked}
          />
        )}
        <HowLong lasting={lasting} appName={app.name} before={wrong?.choice.lasting ?? true} />
        <div className="pad stack border-t border-line">
          <div className="acts">
            <button className="btn lg" type="submit" name="intent" value="deny">
              Do not allow
            </button>
            <button className="btn lg primary" type="submit" name="intent" value="approve">
              Allow{count}
            </button>
          </div>
          {!app.unregistered && (
            <p className="small muted">
              Stop it any day under “What I allowed”. It then reads nothing new. What it read before stays
              with {app.name}, under its own rules.
            </p>
          )}
        </div>
      </Form>
      <AppFacts app={app} />
    </>
  )
}

function Question({ app, person, canChoose, identity, beyondOnePerson }: ConsentFormProps) {
  const own = person?.relationship === 'self'
  return (
    <div className="stack tight">
      <h1>
        {own
          ? `${app.name} wants to read parts of your record`
          : person && !beyondOnePerson
            ? `${app.name} wants to read parts of the record of ${person.name}`
            : `${app.name} wants to read records at ${app.practiceName}`}
      </h1>
      <p className="muted">
        You choose which parts. It can read them. It cannot change, add or delete anything.
        {identity && ' It also learns who you are: your name and contact details at this practice.'}
      </p>
      {beyondOnePerson && (
        <p>
          {app.realm === 'practice'
            ? `It sees what you may see: of every patient of ${app.practiceName}, not of one only.`
            : 'It sees what you may see here.'}
        </p>
      )}
      {person && !own && (
        <p>
          Person: <b>{person.name}</b>
          {person.birthDate && `, born ${person.birthDate}`}.{' '}
          {canChoose && <Link to="?">Choose another person</Link>}
        </p>
      )}
      {own && canChoose && (
        <p>
          <Link to="?">Choose another person</Link>
        </p>
      )}
    </div>
  )
}

/** A second authorization extends the first. Who wants less has to know that it does not replace it. */
function Earlier({ earlier, app }: { earlier: NonNullable<ConsentFormProps['earlier']>; app: AuthorizeApp }) {
  const { grantedAt, reads } = earlier
  return (
    <section className="banner m-4" aria-label="What you allowed before">
      <Info className="i" />
      <div>
        <strong>
          You allowed {app.name} before, on <Moment at={grantedAt} />.
        </strong>
        <p>
          It can read: {reads.length === 0 ? 'only who you are' : reads.join(' · ')}. What you allow now is
          added. To allow less than before, stop {app.name} under{' '}
          <Link to={app.realm === 'patient' ? paths.patientApps : paths.practiceApps}>“What I allowed”</Link>{' '}
          first.
        </p>
      </div>
    </section>
  )
}

interface HowLongProps {
  lasting: Lasting | null
  appName: string
  before: boolean
}

const longer = {
  offline: {
    title: 'Until I stop it',
    text: 'It can also read when you are not using it. It ends by itself 100 days after it was last used.',
  },
  online: {
    title: 'While I stay signed in here',
    text: 'It ends with your sign-in, at most 12 hours from then.',
  },
  hour: {
    title: 'With a refresh token',
    text: 'It can renew its access for one hour, since it is not registered.',
  },
}

/** Reading on is a choice of its own. */
function HowLong({ lasting, appName, before }: HowLongProps) {
  if (lasting === null) {
    return <p className="pad border-t border-line">{appName} can read for one hour. Then it asks again.</p>
  }
  const { title, text } = longer[lasting]
  return (
    <fieldset className="pad stack tight border-t border-line">
      <legend className="sr">For how long</legend>
      <p className="label" aria-hidden="true">
        For how long
      </p>
      <label className="check once">
        <input type="radio" name="lasting" value="no" defaultChecked={!before} />
        <span>
          <span className="label">Only now</span>
          <span className="sub">It can read for one hour, then asks again.</span>
        </span>
      </label>
      <label className="check once">
        <input type="radio" name="lasting" value="yes" defaultChecked={before} />
        <span>
          <span className="label">{title}</span>
          <span className="sub">{text}</span>
        </span>
      </label>
    </fieldset>
  )
}
