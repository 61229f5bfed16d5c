import type { MetaFunction } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'
import { ErrorPage } from '../shared/frames/error-page.tsx'

export const meta: MetaFunction = () => [{ title: 'Not here · Sandpiper' }]

// A route of its own, so that the root's loader runs and the page keeps its theme.
export const loader = page(() => {
  throw data(null, { status: 404 })
})
export const action = loader

export default function NotFound() {
  return null
}

export function ErrorBoundary() {
  return <ErrorPage />
}
