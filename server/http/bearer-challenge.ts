const realm = 'Bearer realm="sandpiper"'

/**
 * `WWW-Authenticate` of a 401: an error code only where the request had a bearer token, and the same for every cause.
 * https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export function bearerChallenge({ headers }: Request): { 'WWW-Authenticate': string } {
  const hasToken = /^ *Bearer +\S/i.test(headers.get('authorization') ?? '')
  const error =
    ', error="invalid_token", error_description="The bearer token is malformed, unknown, expired or revoked."'
  return { 'WWW-Authenticate': hasToken ? `${realm}${error}` : realm }
}
