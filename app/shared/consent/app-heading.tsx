import { Form } from '@remix-run/react'
import { Facts } from '../../components/ui/facts.tsx'

/** What every step says of the app. */
export interface AuthorizeApp {
  name: string
  description: string
  homepage: string | null
  organizationName: string | null
  /** A path of ours: the uploaded picture, re-encoded. */
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
    <Facts
      className="facts small"
      of={{
        'Made by': (
          <>
            {app.organizationName ?? 'Sandpiper, as a sample app'}.{' '}
            {app.environment === 'sandbox' && 'A sandbox app: it reaches synthetic people only.'}
          </>
        ),
        Practice: app.practiceName,
        'More about it': app.homepage && (
          <a href={app.homepage} rel="noreferrer noopener" target="_blank">
            {hostOf(app.homepage)}
            <span className="sr"> (opens in a new tab)</span>
          </a>
        ),
        'Goes back to': app.goesBackTo ? <code>{app.goesBackTo}</code> : 'the app on this device',
      }}
    />
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
