import { type AuthorizeApp, Outside } from './app-heading.tsx'
import type { GroupCount } from './consent-boxes.ts'

export type Lasting = 'offline' | 'online' | 'hour'

interface DurationProps {
  app: AuthorizeApp
  /** The longer access that the app requests; null for one hour. */
  lasting: Lasting | null
  /** Whether the longer access is chosen. At first it never is. */
  chosen: boolean
}

const longer = {
  offline: {
    title: 'Until I stop it',
    text: 'it can also read while you’re away, and ends after 100 days without use.',
    summary: 'until you stop it',
  },
  online: {
    title: 'While I’m signed in',
    text: 'it ends when you sign out, or after 12 hours.',
    summary: 'while you’re signed in',
  },
  hour: {
    title: 'Two hours',
    text: 'the app is not registered, so it can renew its access for one hour only.',
    summary: 'for two hours',
  },
}

/** Lets the person choose how long the app may read. */
export function Duration({ app, lasting, chosen }: DurationProps) {
  const { name, privacyUrl, unregistered } = app
  return (
    <div className="stack tight">
      {lasting === null ? (
        <p>{name} can read for 1 hour. Then it asks again.</p>
      ) : (
        <fieldset>
          <legend>For how long?</legend>
          <div className="dur">
            <label className="check">
              <input type="radio" name="lasting" value="no" defaultChecked={!chosen} />
              <span className="label">1 hour</span>
            </label>
            <label className="check">
              <input
                type="radio"
                name="lasting"
                value="yes"
                defaultChecked={chosen}
                aria-describedby="lasting-longer"
              />
              <span className="label">{longer[lasting].title}</span>
            </label>
          </div>
          <p id="lasting-longer" className="small muted">
            “{longer[lasting].title}”: {longer[lasting].text}
          </p>
        </fieldset>
      )}
      {!unregistered && (
        <p className="small muted">
          You can stop it at any time under “Apps you allowed”. {name} keeps what it has already read.
          {privacyUrl && (
            <>
              {' '}
              <Outside href={privacyUrl}>Privacy policy of {name}</Outside>
            </>
          )}
        </p>
      )}
    </div>
  )
}

interface DockProps {
  identity: boolean
  /** The longer access, if it is chosen. */
  lasting: Lasting | null
  /** Null until the script runs. */
  counts: readonly GroupCount[] | null
}

/** The buttons of both answers, of the same size and always in view. */
export function Dock({ identity, lasting, counts }: DockProps) {
  return (
    <fieldset className="dock">
      <legend className="sr">Your decision</legend>
      <div>
        <p className="small muted" role="status">
          {counts && summarize(counts, lasting, identity)}
        </p>
        <div className="acts">
          <button className="btn lg" type="submit" name="intent" value="deny">
            Don’t allow
          </button>
          <button className="btn lg primary" type="submit" name="intent" value="approve">
            Allow
          </button>
        </div>
      </div>
    </fieldset>
  )
}

function summarize(counts: readonly GroupCount[], lasting: Lasting | null, identity: boolean): string {
  const shared = counts.filter(({ ticked }) => ticked > 0).length
  const time = lasting === null ? 'for 1 hour' : longer[lasting].summary
  if (shared === 0) return identity ? `You share only who you are, ${time}.` : 'Nothing is selected.'
  const groups = counts.length === 1 ? 'group' : 'groups'
  return `You share ${shared} of ${counts.length} ${groups} ${time}.`
}
