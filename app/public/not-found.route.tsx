import { type MetaFunction, useMatches } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { findMoved } from '../../server/contract/portal/moved.ts'
import { findSession, here, type PageArgs, page, readShell } from '../services.server.ts'
import { ErrorCard, titleOf, useErrorData } from '../shared/frames/error-page.tsx'
import { ShellError } from '../shared/frames/shell-error.tsx'

export const meta: MetaFunction = ({ error }) => [{ title: `${titleOf(error)} · Sandpiper` }]

/** The page's name in the breadcrumb of a frame. */
export const handle = { here: 'Page not found' }

/** Redirects old URLs to the new ones. A download that failed shows this page, too. */
export const loader = page((args) => {
  const to = findMoved(new URL(here(args.request), args.request.url))
  return to === null ? refuse(args) : redirect(to)
})

const refuse = async (args: PageArgs) => {
  const { fault } = args.context
  throw data(
    { ...(fault?.data as object | null), shell: await findShell(args) },
    { status: fault?.status ?? 404 },
  )
}

export const action = page(refuse)

/** The frame of a developer who is signed in; null while sessions can't be read. */
async function findShell(args: PageArgs) {
  try {
    const session = await findSession(args, 'developer')
    return session && session.mfaState !== 'needed' ? await readShell(args) : null
  } catch {
    return null
  }
}

export default function NotFound() {
  return null
}

export function ErrorBoundary() {
  const { shell } = useErrorData()
  const isInFrame = useMatches().length > 2
  return isInFrame ? <ErrorCard /> : <ShellError frame={shell} />
}
