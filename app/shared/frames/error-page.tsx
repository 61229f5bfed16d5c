import { isRouteErrorResponse, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Hourglass, Lock, Search, TriangleAlert } from '../../components/ui/icons.ts'
import { LinkButton, Moment } from '../../components/ui/page-parts.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { docsHome } from '../guides/guide-path.ts'
import { PublicFrame } from './public-frame.tsx'
import type { ShellProps } from './shell.tsx'

export interface ErrorData {
  correlationId?: string
  at?: string
  message?: string
  /** The developer frame's data, if the page has no frame of its own. */
  shell?: Omit<ShellProps, 'here' | 'children'> | null
}

interface Cause {
  readonly title: string
  readonly icon: typeof Search
  /** What happened and what to do, unless the error says it. */
  readonly message: string
  /** The link leads to the reader's first page; otherwise the page is opened again. */
  readonly leadsHome?: true
}

const refused: Cause = {
  title: 'The request failed',
  icon: TriangleAlert,
  message: 'The request doesn’t match this page. Nothing was changed.',
}

const failed: Cause = {
  title: 'Something went wrong on our side',
  icon: TriangleAlert,
  message: 'Nothing was saved. Try again in a minute. If the problem continues, send us this correlation ID.',
}

/** Every cause of an error page, by its status. A page that isn't there and a page that isn't yours read the same. */
const causes: Readonly<Record<number, Cause>> = {
  403: {
    title: 'Your role doesn’t allow this',
    icon: Lock,
    message: 'Ask an admin or owner of the organization to do it or to change your role.',
    leadsHome: true,
  },
  404: {
    title: 'Page not found',
    icon: Search,
    message:
      'The address may be out of date, or the page may belong to an organization you aren’t signed in to.',
    leadsHome: true,
  },
  405: {
    title: 'This address takes no form',
    icon: TriangleAlert,
    message: 'The page may have changed since you opened it. Open it again. Nothing was changed.',
  },
  410: {
    title: 'This link has expired',
    icon: Hourglass,
    message: 'Ask for a new link.',
    leadsHome: true,
  },
  429: {
    title: 'Too many requests',
    icon: Hourglass,
    message: 'Wait a minute, then try again. Nothing was saved.',
  },
  503: {
    title: 'Temporarily unavailable',
    icon: Hourglass,
    message:
      'Sandpiper is not responding in time. Wait a minute, then try again. If you sent a form, check whether it was saved before you send it again.',
  },
}

const statusOf = (error: unknown) => (isRouteErrorResponse(error) ? error.status : 500)

function causeOf(error: unknown): Cause {
  const status = statusOf(error)
  return causes[status] ?? (status < 500 ? refused : failed)
}

export const titleOf = (error: unknown): string => causeOf(error).title

/** The error's title for the breadcrumb of a frame. */
export function useErrorTitle(): string {
  return titleOf(useRouteError())
}

export function useErrorData(): ErrorData {
  const error = useRouteError()
  return isRouteErrorResponse(error) && error.data && typeof error.data === 'object' ? error.data : {}
}

const consolePaths = /^\/(staff|practice|patient)(\/|$)/

/** The error page outside every frame. */
export function ErrorPage() {
  // Staff, practices and patients have sign-in pages of their own: the developers' one is of no use there.
  const { pathname } = useLocation()
  // While sessions can't be read, a signed-in visitor isn't offered to sign in.
  const knowsVisitor = useRouteLoaderData('root') !== undefined
  return (
    <PublicFrame plain={consolePaths.test(pathname) || !knowsVisitor}>
      <div className="wrap py-6">
        <ErrorCard />
      </div>
    </PublicFrame>
  )
}

/** The error, its address and one link. */
export function ErrorCard() {
  const error = useRouteError()
  const { correlationId, at, message } = useErrorData()
  const root = useRoot()
  const { pathname, search } = useLocation()
  const cause = causeOf(error)
  const { title, icon: Icon, leadsHome } = cause
  // A download that failed is shown below its address.
  const path = pathname.replace(/\/-$/, '')
  const id = cause === failed ? (correlationId ?? root.correlationId) : ''
  return (
    <section className="card empty full page-failed">
      <Icon className="i" />
      <h1>{title}</h1>
      <p className="small muted">
        <code className="breaks">{path.length > pathMax ? `${path.slice(0, pathMax)}…` : path}</code>
      </p>
      <p>{message ?? cause.message}</p>
      {id && (
        <p className="code">
          <span className="bar">
            <code className="text-ink">{id}</code>
            <CopyButton text={id} label="Copy the correlation ID" word="Copy" />
          </span>
        </p>
      )}
      {id && at && (
        <p className="small">
          <Moment at={at} as="seconds" />
        </p>
      )}
      <div className="row">
        {leadsHome ? (
          <HomeLink path={path} />
        ) : (
          // A plain link: it asks the server for the whole page again, script or not.
          <a className="btn primary" href={path + search}>
            Try again
          </a>
        )}
      </div>
    </section>
  )
}

const pathMax = 120

function HomeLink({ path }: { path: string }) {
  const { account } = useRoot()
  const [to, label] = path.startsWith('/staff/')
    ? [paths.reviewQueue, 'Go to the queue']
    : path.startsWith(`${paths.practice}/`)
      ? [paths.practice, 'Go to the console']
      : path.startsWith(`${docsHome}/`)
        ? [docsHome, 'Go to the documentation']
        : account
          ? [paths.developers, 'Go to the dashboard']
          : [paths.home, 'Go to the home page']
  return (
    <LinkButton look="primary" to={to}>
      {label}
    </LinkButton>
  )
}
