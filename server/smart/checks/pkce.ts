/** A stolen code is useless without its S256 verifier: https://www.rfc-editor.org/rfc/rfc7636#section-4.3 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkPkce: AuthorizeCheck = ({ parameters }) => {
  const challenge = parameters.get('code_challenge') ?? ''
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge) || parameters.get('code_challenge_method') !== 'S256')
    throw refuse('pkce_missing')
}
