import { Form } from '@remix-run/react'

/** What every step says of the app. */
export interface AuthorizeApp {
  name: string
  description: string
  homepage: string | null
  organizationName: string | null
  /** A path of ours: a picture that was uploaded and drawn anew. */
  logo: string | null
  environment: 'sandbox' | 'production'
  practiceName: string
  goesBackTo: string | null
  expiresAt: Date | string
  realm: 'patient' | 'practice'
}

interface AppHeadingProps {
  app: AuthorizeApp
  account?: { name: string }
}

/** Who asks, and as whom the reader is signed in. */
export function AppHeading({ app, account }: AppHeadingProps) {
  return (
    <div className="row between">
      <div className="row flex-nowrap">
        {app.logo ? (
          <img className="app-badge logo" src={app.logo} alt="" width={48} height={48} />
        ) : (
          <span className="app-badge" aria-hidden="true">
            {[...app.name][0]?.toUpperCase()}
          </span>
        )}
        <div>
          <p className="label">{app.name}</p>
          <p className="small muted">by {app.organizationName ?? 'Sandpiper, as a sample'}</p>
        </div>
      </div>
      {account && (
        <Form method="post" reloadDocument className="small muted">
          Signed in as <b>{account.name}</b>.{' '}
          <button className="link" type="submit" name="intent" value="switch">
            Not you?
          </button>
        </Form>
      )}
    </div>
  )
}

/** Below every step: what helps to decide. */
export function AppFacts({ app }: { app: AuthorizeApp }) {
  return (
    <dl className="facts small">
      <dt>Made by</dt>
      <dd>
        {app.organizationName ?? 'Sandpiper, as a sample app'}.{' '}
        {app.environment === 'sandbox' && 'A sandbox app: it reaches synthetic people only.'}
      </dd>
      <dt>Practice</dt>
      <dd>{app.practiceName}</dd>
      {app.homepage && (
        <>
          <dt>More about it</dt>
          <dd>
            <a href={app.homepage} rel="noreferrer noopener" target="_blank">
              {hostOf(app.homepage)}
              <span className="sr"> (opens in a new tab)</span>
            </a>
          </dd>
        </>
      )}
      <dt>Goes back to</dt>
      <dd>{app.goesBackTo ? <code>{app.goesBackTo}</code> : 'the app on this device'}</dd>
    </dl>
  )
}

/** The way back that needs no sign-in. */
export function DenyForm({ app }: { app: AuthorizeApp }) {
  return (
    <Form method="post" reloadDocument>
      <button className="link" type="submit" name="intent" value="deny">
        Do not allow, go back to {app.name}
      </button>
    </Form>
  )
}

function hostOf(address: string): string {
  try {
    return new URL(address).host
  } catch {
    return address
  }
}
