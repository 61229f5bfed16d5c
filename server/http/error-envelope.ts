/** How the JSON interfaces say no: `{error: {code, message, correlationId}}`, the same bytes for the same cause. */
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
