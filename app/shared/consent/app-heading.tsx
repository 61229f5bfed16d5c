import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { TriangleAlert } from '../../components/ui/icons.ts'
import { Banner, Facts } from '../../components/ui/page-parts.tsx'

/** The app, as every step of the authorization shows it. */
export interface AuthorizeApp {
  name: string
  description: string
  homepage: string | null
  privacyUrl: string | null
  /** When it was approved for production; null in the sandbox. */
  reviewedAt: Date | null
  organizationName: string | null
  /** A path of ours: the uploaded picture, re-encoded. */
  logo: string | null
  environment: 'sandbox' | 'production'
  /** The app comes from a launch without an account. */
  unregistered: boolean
  practiceName: string
  goesBackTo: string | null
  expiresAt: Date
  realm: 'patient' | 'practice'
}

interface AppHeadingProps {
  app: AuthorizeApp
  account?: { name: string }
}

/** The app's name, and the account that is signed in. */
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
          <p className="small muted">{app.unregistered ? 'Not registered' : `by ${makerOf(app)}`}</p>
        </div>
      </div>
      {account && app.unregistered && (
        <p className="small muted">
          Signed in by the launch as <b>{account.name}</b>.
        </p>
      )}
      {account && !app.unregistered && (
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

const makerOf = ({ organizationName }: AuthorizeApp) => organizationName ?? 'Sandpiper, as a sample'

/** Warns before the question that an app is not registered, and says which records it can reach. */
export function UnregisteredNotice({ app }: { app: AuthorizeApp }) {
  if (!app.unregistered) return null
  return (
    <Banner tone="wait" icon={TriangleAlert} title="This app is not registered.">
      It was opened from the launch page without an account and continues at{' '}
      <b>{app.goesBackTo ?? 'an app on this device'}</b>. It can only reach {app.practiceName}, where every
      person is synthetic. Don’t enter real health data in it.
    </Banner>
  )
}

/** Facts that help to decide, below every step. */
export function AppFacts({ app }: { app: AuthorizeApp }) {
  return (
    <Facts
      className="facts small"
      of={{
        Developer: (
          <>
            {app.unregistered
              ? 'Unknown: the app is not registered'
              : (app.organizationName ?? 'Sandpiper, as a sample app')}
            . {app.environment === 'sandbox' && 'A sandbox app. It can read synthetic people only.'}
          </>
        ),
        Practice: app.practiceName,
        'More information': app.homepage && <Outside href={app.homepage}>{hostOf(app.homepage)}</Outside>,
        'Privacy policy': app.privacyUrl && <Outside href={app.privacyUrl}>{hostOf(app.privacyUrl)}</Outside>,
        'Returns to': app.goesBackTo ? <code>{app.goesBackTo}</code> : 'the app on this device',
      }}
    />
  )
}

interface OutsideProps {
  href: string
  children: ReactNode
}

/** A link to the developer's page. It opens in a new tab, so that the decision stays open. */
export function Outside({ href, children }: OutsideProps) {
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
      <span className="sr"> (opens in a new tab)</span>
    </a>
  )
}

/** Denies the request and returns to the app. It needs no sign-in. */
export function DenyForm({ app }: { app: AuthorizeApp }) {
  return (
    <Form method="post" reloadDocument>
      <button className="link" type="submit" name="intent" value="deny">
        Don’t allow, go back to {app.name}
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
