import type { MetaFunction } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { ErrorPage } from '../shared/frames/error-page.tsx'

export const meta: MetaFunction = () => [{ title: 'Page not found · Sandpiper' }]

// A route of its own, so that the root's loader runs and the page keeps its theme.
const refuse = () => {
  throw data(null, { status: 404 })
}

export const loader = page(refuse)
export const action = page(refuse)

export default function NotFound() {
  return null
}

export function ErrorBoundary() {
  return <ErrorPage />
}
