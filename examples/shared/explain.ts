import * as oauth from 'openid-client'

/** What went wrong, in the server's words if it said why. */
export function explain(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return `${error.error}: ${error.error_description ?? 'the server gives no reason'}`
  return error instanceof Error ? error.message : String(error)
}
