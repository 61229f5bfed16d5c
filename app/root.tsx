import monoFont from '@fontsource/atkinson-hyperlegible-mono/files/atkinson-hyperlegible-mono-latin-400-normal.woff2?url'
import sansFont from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useMatches } from '@remix-run/react'
import type { LinksFunction } from '@remix-run/server-runtime'
import type { ReactNode } from 'react'
import { config } from 'zod/v4/core'
import { paths } from '../server/contract/portal/paths.ts'
import { realms } from '../server/contract/portal/realms.ts'
import { useFocusAfterMove } from './components/ui/focus-after-move.ts'
import { DoneToast } from './components/ui/toast.tsx'
import stillScript from './entry.still.ts?url'
import { clearDoneCookie, doneMessages, findDone } from './lib/flash.ts'
import { loadUnlessLost } from './lib/lost-connection.ts'
import { useNonce } from './lib/nonce.ts'
import { languageOf } from './lib/remembered-language.ts'
import { type RootData, useRoot } from './lib/root-data.ts'
import { themeOf } from './lib/theme.ts'
import { findSession, here, type PageArgs, page, readerZone, setCookie } from './services.server.ts'
import { ErrorPage } from './shared/frames/error-page.tsx'
import styles from './styles/index.css?url'

// In development the browser has zod's schemas, and its content security policy forbids eval. Without this setting, zod
// tries eval and the browser logs an error. The root's module runs before those of the pages, which create the schemas.
if (import.meta.env.DEV && typeof document !== 'undefined') config({ jitless: true })

export const meta = () => [
  { title: 'Sandpiper' },
  { name: 'description', content: 'Healthcare APIs with a sandbox of synthetic people.' },
]

export const links: LinksFunction = () => [
  { rel: 'preload', href: sansFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'preload', href: monoFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const shouldRevalidate = loadUnlessLost

export const loader = page(async (args): Promise<RootData> => {
  const { request, context } = args
  const cookies = request.headers.get('cookie')
  const flash = findDone(cookies)
  if (flash) setCookie(context, clearDoneCookie(flash.name))
  // The status page shows no account, so it works while sessions cannot be read.
  const session = isStatusPage(here(request)) ? null : await findSession(args, 'developer')
  return {
    theme: themeOf(cookies),
    language: languageOf(cookies),
    zone: readerZone(args),
    officeZone: context.services.env.BUSINESS_TZ,
    correlationId: context.correlationId,
    now: context.services.clock(),
    done: flash?.done ?? null,
    account: session && { name: session.account.name, email: session.account.email },
    home: session ? paths.developers : isStatusPage(here(request)) ? null : homeOf(cookies),
    inbox: await countInbox(args),
    hasSampleHistory: !isStatusPage(here(request)) && (await hasSampleHistory(context)),
  }
})

const homes = [
  [realms.practice.cookie, paths.practice],
  [realms.staff.cookie, paths.reviewQueue],
  [realms.patient.cookie, paths.patientApps],
] as const

/** Checks only the names of the cookies, because public pages read no session except a developer's. */
const homeOf = (cookies: string | null) =>
  homes.find(([cookie]) => cookies?.includes(`${cookie}=`))?.[1] ?? null

/** Counts the inbox of staff or of a practice for the badge in the menu. The developers' frame counts its own. */
async function countInbox(args: PageArgs): Promise<number | null> {
  const [, realm] = /^\/(staff|practice)(?:$|[/?])/.exec(here(args.request)) ?? []
  if (realm !== 'staff' && realm !== 'practice') return null
  const session = await findSession(args, realm)
  if (!session || session.mfaState === 'needed') return null
  return args.context.services.inbox.count({}, session)
}

/** An error counts as no history, so that pages that need no database work while it is down. */
const hasSampleHistory = ({ services }: PageArgs['context']) =>
  services.operations.hasSampleHistory().catch(() => false)

const isStatusPage = (path: string) => /^\/status(?:$|[/?])/.test(path)

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  const { theme } = useRoot()
  const still = useIsStill()
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Vite's development server looks here for the nonce of the styles it adds. */}
        {import.meta.env.DEV && <meta property="csp-nonce" nonce={nonce} suppressHydrationWarning />}
        <Meta />
        <Links />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        {children}
        {!still && <ScrollRestoration nonce={nonce} />}
        {still ? <script type="module" src={stillScript} nonce={nonce} /> : <Scripts nonce={nonce} />}
      </body>
    </html>
  )
}

/**
 * Whether the page is served without hydration by React: its route sets `handle.still`, and `entry.still.ts` is its only script.
 * Always false in the browser, because React runs there on the other pages only.
 */
function useIsStill(): boolean {
  const isMarked = useMatches().some(({ handle }) => (handle as { still?: true } | undefined)?.still)
  return isMarked && typeof document === 'undefined'
}

export default function Root() {
  const { done, correlationId, hasSampleHistory } = useRoot()
  const { key } = useLocation()
  const still = useIsStill()
  useFocusAfterMove()
  return (
    <>
      {hasSampleHistory && (
        <aside className="made-up" aria-label="Demonstration">
          Demonstration: organizations, people and the first month are sample data.
        </aside>
      )}
      <Outlet />
      {done && <DoneToast key={`${correlationId}-${key}`} message={doneMessages[done]} still={still} />}
    </>
  )
}

export function ErrorBoundary() {
  return <ErrorPage />
}
