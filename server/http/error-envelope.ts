/** The error format of the JSON APIs: `{error: {code, message, correlationId}}`. */
import type { Problem } from '../contract/http/problems.ts'
import { dataHeaders } from './security-headers.ts'

export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' } as const

export function errorEnvelope(
  problem: Problem,
  correlationId: string,
  headers: Record<string, string> = {},
): Response {
  const error = { code: problem.row.restCode, message: problem.message, correlationId }
  return new Response(JSON.stringify({ error }), {
    status: problem.status,
    headers: {
      ...dataHeaders,
      ...jsonType,
      ...headers,
      ...problem.headers,
    },
  })
}

const realm = 'Bearer realm="sandpiper"'

/**
 * `WWW-Authenticate` of a 401. It has an error code only if the request had a bearer token, the same for every cause.
 * https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export function bearerChallenge({ headers }: Request): { 'WWW-Authenticate': string } {
  const hasToken = /^ *Bearer +\S/i.test(headers.get('authorization') ?? '')
  const error =
    ', error="invalid_token", error_description="The bearer token is malformed, unknown, expired or revoked."'
  return { 'WWW-Authenticate': hasToken ? `${realm}${error}` : realm }
}
