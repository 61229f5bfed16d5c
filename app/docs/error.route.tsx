import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import {
  errorCodes,
  errorPage,
  isErrorCode,
  retryWords,
  statusOf,
} from '../../server/contract/rest/error-codes.ts'
import { type PageArgs, page } from '../services.server.ts'
import { ErrorCard } from '../shared/frames/error-page.tsx'

export const meta: MetaFunction<typeof loader> = ({ params }) => [
  { title: `${params.code} · Errors of the REST API · Sandpiper` },
]

export const loader = page(({ params: { code = '' } }: PageArgs) => {
  if (!isErrorCode(code)) throw data(null, { status: 404 })
  return { code, status: statusOf(code), ...errorCodes[code] }
})

export default function ErrorCode() {
  const { code, status, when, fix, retry } = useLoaderData<typeof loader>()
  return (
    <>
      <h1>
        <code>{code}</code>
      </h1>
      <p>Status {status}</p>
      <h2>When</h2>
      <p>{when}</p>
      <h2>What to do</h2>
      <p>{fix}</p>
      <h2>Retry?</h2>
      <p>{retryWords[retry]}</p>
      <p>
        <Link to={errorPage()}>All errors</Link>
      </p>
    </>
  )
}

export function ErrorBoundary() {
  return <ErrorCard />
}
