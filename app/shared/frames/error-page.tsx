import { isRouteErrorResponse, Link, useLocation, useRouteError, useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { LinkButton } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Hourglass, Lock, Search, TriangleAlert } from '../../components/ui/icons.ts'
import { Moment } from '../../components/ui/moment.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { docsHome } from '../guides/guide-path.ts'
import { PublicFrame } from './public-frame.tsx'

interface ErrorData {
  correlationId?: string
  at?: string
  message?: string
}

const consolePaths = /^\/(staff|practice|patient)(\/|$)/

/** The page for an address that is not there, is not yours, or broke. */
export function ErrorPage() {
  // Staff, practices and patients have sign-in pages of their own: no one is offered the developers' one there.
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

/** Names the fault in the path of a frame, and above the words. */
export function useErrorTitle(): string {
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? error.status : 500
  return errorTitles[status] ?? (status < 500 ? 'The request failed' : 'Something went wrong on our side')
}

const errorTitles: Record<number, string> = {
  403: 'Your role doesn’t allow this',
  404: 'Page not found',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
}

/** The same words inside a frame that still stands. Not there and not yours read the same. */
export function ErrorCard({ where }: { where?: string }) {
  const error = useRouteError()
  const { account } = useRoot()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const errorData: ErrorData =
    isRouteErrorResponse(error) && error.data && typeof error.data === 'object' ? error.data : {}
  const { pathname } = useLocation()
  const home = pathname.startsWith('/staff/') ? (
    <LinkButton look="primary" to={paths.reviewQueue}>
      Go to the queue
    </LinkButton>
  ) : pathname.startsWith(`${paths.practice}/`) ? (
    <LinkButton look="primary" to={paths.practice}>
      Go to the console
    </LinkButton>
  ) : account ? (
    <LinkButton look="primary" to={paths.developers}>
      Go to the dashboard
    </LinkButton>
  ) : (
    <LinkButton look="primary" to={paths.home}>
      Go to the home page
    </LinkButton>
  )

  if (status === 404) {
    return (
      <Card icon={<Search className="i" />} action={home}>
        The address may be out of date, or the page may belong to an organization you aren’t signed in to.
        {where && ` You are in ${where}.`} Try searching the <Link to={docsHome}>documentation</Link> .
      </Card>
    )
  }
  if (status === 403) {
    return (
      <Card icon={<Lock className="i" />} action={home}>
        {errorData.message ?? 'Ask an admin or owner of the organization to do it or to change your role.'}
      </Card>
    )
  }
  if (status === 503) {
    return (
      <Card icon={<Hourglass className="i" />} action={<TryAgain />}>
        {errorData.message ??
          'Sandpiper is not responding in time. Wait a minute, then try again. If you sent a form, check whether it was saved before you send it again.'}
      </Card>
    )
  }
  if (status === 429) {
    return (
      <Card icon={<Hourglass className="i" />} action={<TryAgain />}>
        {errorData.message ?? 'Wait a minute, then try again. Nothing was saved.'}
      </Card>
    )
  }
  if (status >= 400 && status < 500) {
    return (
      <Card icon={<TriangleAlert className="i" />} action={<TryAgain />}>
        {errorData.message ?? 'The request doesn’t match the page it was sent to.'} Nothing was changed.
      </Card>
    )
  }
  return <Fault errorData={errorData} />
}

function Fault({ errorData }: { errorData: ErrorData }) {
  const root = useRoot()
  const id = errorData.correlationId ?? root.correlationId
  return (
    <Card icon={<TriangleAlert className="i" />} action={<TryAgain />}>
      <span>
        Nothing was saved. Try again in a minute. If the problem continues, send us this correlation ID.
      </span>
      {id && (
        <span className="code block mt-3">
          <span className="bar">
            <code className="text-ink">{id}</code>
            <CopyButton text={id} label="Copy the correlation ID" word="Copy" />
          </span>
        </span>
      )}
      {errorData.at && (
        <span className="small block mt-3">
          <Moment at={errorData.at} as="seconds" />
        </span>
      )}
    </Card>
  )
}

/** A plain link: it asks the server for the whole page again, script or not. */
function TryAgain() {
  const { pathname, search } = useLocation()
  return (
    <a className="btn primary" href={pathname.replace(/\/-$/, '') + search}>
      Try again
    </a>
  )
}

interface CardProps {
  icon: ReactNode
  children: ReactNode
  action: ReactNode
}

function Card({ icon, children, action }: CardProps) {
  return (
    <section className="card empty full page-failed">
      {icon}
      <h1>{useErrorTitle()}</h1>
      <p>{children}</p>
      <div className="row">{action}</div>
    </section>
  )
}
