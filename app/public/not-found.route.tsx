import type { MetaFunction } from '@remix-run/react'
import { data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { ErrorPage } from '../shared/frames/error-page.tsx'

export const meta: MetaFunction = () => [{ title: 'Page not found · Sandpiper' }]

// It is a route, so that the root's loader runs and the page keeps its theme. Failed downloads show this page, too.
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
