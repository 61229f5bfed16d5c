import type { MetaFunction } from '@remix-run/react'
import { data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { ErrorPage } from '../shared/frames/error-page.tsx'

export const meta: MetaFunction = () => [{ title: 'Page not found · Sandpiper' }]

// A route of its own, so that the root's loader runs and the page keeps its theme. Also the page for files that failed.
const refuse = ({ context: { fault } }: LoaderFunctionArgs) => {
  throw data(fault?.data ?? null, { status: fault?.status ?? 404 })
}

export const loader = page(refuse)
export const action = page(refuse)

export default function NotFound() {
  return null
}

export function ErrorBoundary() {
  return <ErrorPage />
}
