import type { AppLoadContext } from '@remix-run/server-runtime'

/** Absolute base of the sandbox REST API, as a caller types it. */
export function sandboxBase(context: AppLoadContext): string {
  return `${context.services.env.REST_ORIGIN}/sandbox/api/v1`
}
