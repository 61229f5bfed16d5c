import type { MetaFunction } from '@remix-run/react'
import { Link } from '@remix-run/react'
import { errorCodes, errorPage, isErrorCode, statusOf } from '../../server/contract/error-codes.ts'
import { PublicFrame } from '../components/frames/public-frame.tsx'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Errors of the REST API · Sandpiper' }]

export const loader = page(() => null)

export default function Errors() {
  return (
    <PublicFrame>
      <div className="wrap legal">
        <article className="prose">
          <h1>Errors of the REST API</h1>
          <p>
            Every refusal has one form: <code>{'{"error": {"code", "message", "correlationId"}}'}</code>.
            Build on the code and the status; the wording of a message may change. The correlation id finds
            the request in the key’s activity log.
          </p>
          <ul>
            {Object.keys(errorCodes)
              .filter(isErrorCode)
              .map((code) => (
                <li key={code}>
                  <Link to={errorPage(code)}>
                    <code>{code}</code>
                  </Link>
                  , {statusOf(code)}
                </li>
              ))}
          </ul>
        </article>
      </div>
    </PublicFrame>
  )
}
