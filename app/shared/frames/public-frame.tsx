import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import { Mark } from '../../components/ui/brand.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { docsHome, guidePath } from '../guides/list.ts'
import { PaletteButton } from './palette-button.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

interface PublicFrameProps {
  children: ReactNode
  /** Sign-in pages do not offer to sign in. */
  plain?: boolean
  /** A question that is answered before anything else: no menu, no foot. */
  bare?: boolean
}

/** Where the palette of everybody leads. */
const publicPages = [
  { to: docsHome, label: 'Documentation' },
  { to: paths.explorer, label: 'Explorer' },
  { to: guidePath('start'), label: 'Two minutes to a first call' },
  { to: paths.openLaunch, label: 'Launch an app without an account' },
  { to: paths.registrationChecks, label: 'What we check' },
  { to: paths.trust, label: 'Trust' },
  { to: paths.status, label: 'Status' },
]

/** Bar, page and foot of everything that needs no sign-in. */
export function PublicFrame({ children, plain, bare }: PublicFrameProps) {
  const { account } = useRoot()
  return (
    <div className="pub-page">
      <header className="topbar pub px-0">
        <div className="wrap bar-in">
          <Link className="brand" to="/">
            <Mark />
            Sandpiper
          </Link>
          {bare ? (
            <span className="grow" />
          ) : (
            <>
              <nav className="links grow" aria-label="Main">
                <a href="/#what">APIs</a>
                <Link to={docsHome}>Documentation</Link>
                <Link to={paths.explorer}>Explorer</Link>
                <a href="/#live">Going live</a>
                <a href={paths.status}>Status</a>
              </nav>
              <span className="grow narrow-only" />
            </>
          )}
          {!plain && <PaletteButton items={publicPages} organizations={[]} signedIn={account !== null} />}
          <ThemeSwitch />
          {!plain &&
            (account ? (
              <LinkButton to={paths.developers}>Dashboard</LinkButton>
            ) : (
              <LinkButton to={paths.signIn}>Sign in</LinkButton>
            ))}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {!bare && <PublicFoot />}
    </div>
  )
}

function PublicFoot() {
  return (
    <footer className="foot-pub">
      <div className="wrap">
        <span>Every person in the sandbox is synthetic.</span>
        <nav className="links" aria-label="More">
          <Link to={docsHome}>Documentation</Link>
          <Link to={guidePath('limits')}>Limits</Link>
          <Link to="/docs/changelog">Changelog</Link>
          <a href="/sandbox/api/v1/openapi.json">OpenAPI document</a>
          <Link to={paths.sandboxKeys}>How keys are issued</Link>
          <Link to={paths.directory}>Practice directory</Link>
          <Link to={paths.openLaunch}>Launch an app</Link>
          <Link to={errorPage()}>Errors explained</Link>
          <Link to={paths.mcpGuide}>MCP server</Link>
          <Link to={paths.sandboxTerms}>Sandbox terms</Link>
          <Link to={paths.reportKey}>Report a leaked key</Link>
          <Link to={paths.registrationChecks}>What we check</Link>
          <Link to={paths.trust}>Trust</Link>
          <a href={paths.status}>Status</a>
          <Link to={paths.patientSignIn}>Patient sign-in</Link>
          <Link to={paths.staffSignIn}>Staff sign-in</Link>
          <Link to={paths.practiceSignIn}>Practice sign-in</Link>
        </nav>
      </div>
    </footer>
  )
}
