/**
 * Checks that the redirect URI equals a registered one. Only the port of a loopback address may differ.
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1 and https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { type AuthorizeCheck, clientOf } from './authorize-check.ts'

export const checkRedirectUri: AuthorizeCheck = (context) => {
  const sent = context.parameters.get('redirect_uri')
  if (sent === undefined) throw refuse('redirect_missing')
  const isRegistered = clientOf(context).redirectUris.some((uri) => uri === sent || isSameLoopback(uri, sent))
  if (!isRegistered) throw refuse('redirect_unknown')
  context.redirectUri = sent
}

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/[^\s\\]*)?$/

function isSameLoopback(registered: string, sent: string): boolean {
  const expected = loopback.exec(registered)
  // A port above 65535 is invalid.
  const actual = URL.canParse(sent) ? loopback.exec(sent) : null
  if (expected === null || actual === null) return false
  return expected[1] === actual[1] && (expected[2] ?? '') === (actual[2] ?? '')
}
