/**
 * The redirect address is registered, letter for letter; only the port of a loopback address may differ.
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1 and https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkRedirectUri: AuthorizeCheck = (context) => {
  const sent = context.parameters.get('redirect_uri')
  if (sent === undefined) throw refuse('redirect_missing')
  const isRegistered = clientOf(context).redirectUris.some((uri) => uri === sent || isLoopbackTwin(uri, sent))
  if (!isRegistered) throw refuse('redirect_unknown')
  context.redirectUri = sent
}

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[^\s\\]*)?$/

function isLoopbackTwin(registered: string, sent: string): boolean {
  const own = loopback.exec(registered)
  // A port over 65535 makes it no address.
  const other = URL.canParse(sent) ? loopback.exec(sent) : null
  return own !== null && other !== null && own[1] === other[1] && (own[2] ?? '') === (other[2] ?? '')
}
