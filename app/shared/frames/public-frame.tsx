import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { errorPage } from '../../../server/contract/rest/error-codes.ts'
import { Mark } from '../../components/ui/brand.tsx'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import { Menu } from '../../components/ui/icons.ts'
import { LinkButton } from '../../components/ui/page-parts.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { docsHome, guidePath } from '../guides/guide-path.ts'
import { Main } from './main.tsx'
import { PaletteButton } from './palette-button.tsx'
import { publicPages } from './palette-groups.ts'
import { ThemeSwitch } from './theme-switch.tsx'

interface PublicFrameProps {
  children: ReactNode
  /** Sign-in pages do not offer to sign in. */
  plain?: boolean
  /** The page has a search field, so the bar has none. */
  ownSearch?: boolean
  /** Hides the menu and the footer, for a page whose question must be answered first. */
  bare?: boolean
}

/** The top bar, the page and the footer of every page that needs no sign-in. */
export function PublicFrame({ children, plain, bare, ownSearch }: PublicFrameProps) {
  const { account, home } = useRoot()
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
                <MainLinks />
              </nav>
              <span className="grow narrow-only" />
            </>
          )}
          {!plain && !ownSearch && (
            <PaletteButton items={publicPages} organizations={[]} signedIn={account !== null} />
          )}
          <ThemeSwitch />
          {!plain &&
            (home ? (
              <LinkButton to={home}>Home</LinkButton>
            ) : (
              <LinkButton to={paths.signIn}>Sign in</LinkButton>
            ))}
          {!bare && (
            <DropMenu
              label="Menu"
              summaryClass="btn plain icon"
              summary={<Menu className="i" />}
              className="narrow-only"
            >
              <nav className="nav" aria-label="Menu">
                <MainLinks />
              </nav>
            </DropMenu>
          )}
        </div>
      </header>
      <Main>{children}</Main>
      {!bare && <PublicFooter />}
    </div>
  )
}

/** Shown in the bar on wide screens and in the menu on narrow ones. */
function MainLinks() {
  return (
    <>
      <a href="/#what">APIs</a>
      <Link to={docsHome}>Documentation</Link>
      <Link to={paths.explorer}>Explorer</Link>
      <a href="/#live">Going live</a>
      <a href={paths.status}>Status</a>
    </>
  )
}

/** A link with `document` leads to no route of the portal's script, so the browser loads it. */
const footerLinks = [
  {
    title: 'Build',
    links: [
      { to: docsHome, label: 'Documentation' },
      { to: '/sandbox/api/v1/openapi.json', label: 'OpenAPI document', document: true },
      { to: paths.mcpGuide, label: 'MCP server' },
      { to: errorPage(), label: 'Error reference' },
      { to: guidePath('limits'), label: 'Limits' },
      { to: '/docs/changelog', label: 'Changelog' },
    ],
  },
  {
    title: 'Sandbox and production',
    links: [
      { to: paths.sandboxKeys, label: 'How keys are issued' },
      { to: paths.openLaunch, label: 'Launch an app' },
      { to: paths.registrationChecks, label: 'What we check' },
      { to: paths.directory, label: 'Practice directory' },
      { to: paths.sandboxTerms, label: 'Sandbox terms' },
    ],
  },
  {
    title: 'Service',
    links: [
      { to: paths.status, label: 'Status', document: true },
      { to: paths.trust, label: 'Security' },
      { to: paths.reportKey, label: 'Report a leaked key' },
    ],
  },
  {
    title: 'Sign in',
    links: [
      { to: paths.patientSignIn, label: 'Patient sign-in' },
      { to: paths.practiceSignIn, label: 'Practice sign-in' },
      { to: paths.staffSignIn, label: 'Staff sign-in' },
    ],
  },
] as const

function PublicFooter() {
  return (
    <footer className="foot-pub">
      <div className="wrap">
        <nav className="links" aria-label="More">
          {footerLinks.map(({ title, links }) => (
            <div key={title}>
              <p className="label">{title}</p>
              <ul>
                {links.map((link) => (
                  <li key={link.label}>
                    {'document' in link ? (
                      <a href={link.to}>{link.label}</a>
                    ) : (
                      <Link to={link.to}>{link.label}</Link>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <p>Every person in the sandbox is synthetic.</p>
      </div>
    </footer>
  )
}
